"""Expensive results that are kept on disk: compiled programs and the plans of models."""
