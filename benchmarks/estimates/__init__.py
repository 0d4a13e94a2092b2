"""Estimates and progress, compared with what exploring shows (``python -m benchmarks --estimates``)."""
