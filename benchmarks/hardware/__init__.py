"""HMC's evaluation with programs of our own: its tables, and what models of machines cost."""
