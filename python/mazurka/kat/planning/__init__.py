"""From a model to a Plan: which check the engine runs for each axiom, and what a program does not need."""
