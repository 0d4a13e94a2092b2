"""May the explorer run this model? What a model must satisfy so that each execution is found exactly once."""
