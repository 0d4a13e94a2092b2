"""From a word that should not be there to a graph that refutes the claim."""
