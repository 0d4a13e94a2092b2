"""The front-end: from C source to a well-formed Program that means the same."""
