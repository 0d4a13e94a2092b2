"""The command line: one module per command, and the terminal that all of them write to."""
