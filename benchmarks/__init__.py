"""Benchmarks: the papers' programs with their exact counts, timed in turns with the yardstick; the prover.

``python -m benchmarks`` runs them all; ``README.md`` says how to read the table and holds the last record.
"""
