"""The commands that prove: ``mazurka prove`` and ``mazurka models --lattice``."""
