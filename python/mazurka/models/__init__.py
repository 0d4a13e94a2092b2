"""The memory models, as data, and the registry that finds them."""
