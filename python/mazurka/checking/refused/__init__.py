"""Functions that are refused, with the reason and the cure of each."""
