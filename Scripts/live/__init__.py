"""What `Scripts/test-live` runs: hosts on wires, peers that talk, and weir in the middle."""
