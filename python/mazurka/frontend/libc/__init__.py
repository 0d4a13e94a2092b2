"""The C library's functions that are written in C (``library``), and their sources."""
