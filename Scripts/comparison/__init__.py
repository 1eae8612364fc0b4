"""Compares the output of weir and tshark for the same capture; `Scripts/compare` is the command."""
