"""Runs the threads of a Program, one event at a time."""
