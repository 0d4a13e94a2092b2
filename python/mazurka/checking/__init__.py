"""Checks one program, and says in terms of the source what was found."""
