"""Compares what weir and tshark say about the same capture; `Scripts/compare` is the command."""
