"""Runs litmus tests: from a test to a Program, to its executions, to final states and a verdict."""
