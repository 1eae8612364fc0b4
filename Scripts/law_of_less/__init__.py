"""The law that a reduced capture makes weir report less, never something different."""
