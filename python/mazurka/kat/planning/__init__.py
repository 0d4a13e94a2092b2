"""From a model to a Plan: which check the engine runs for each axiom, and which a program does not need."""
