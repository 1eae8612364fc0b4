"""The law that a capture that holds less makes Weir say less, and nothing else."""
