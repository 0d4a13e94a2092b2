"""Accesses of several sizes: what exploring byte by byte costs, and what it saves (Mixer §7)."""
