"""Checks one program, and describes what was found in terms of the source."""
