"""Many packet captures, analyzed with Weir on Apache Spark."""
