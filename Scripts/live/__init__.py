"""The tests of `Scripts/test-live`: hosts on virtual links, peers, and weir capturing between them."""
