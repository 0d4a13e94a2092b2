"""May the explorer run this model? The conditions under which it finds each execution exactly once."""
