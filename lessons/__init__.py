"""The lessons: one folder each, and the commands that run, check and ask them."""
