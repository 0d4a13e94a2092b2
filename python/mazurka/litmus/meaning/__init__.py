"""Litmus tests as values: initial states, threads of operations, conditions, for all languages alike."""
