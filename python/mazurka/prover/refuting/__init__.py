"""From a word that contradicts a claim to a graph that refutes it."""
