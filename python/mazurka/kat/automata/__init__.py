"""The planner's automata: words of relations between classes of events.

``crates/automata``, the prover's library, decides what they mean, with the facts of ``meaning.facts``:
``kernel`` passes automata to it, and ``inclusion`` asks the questions. They are built here (``guarded``,
``automaton``, ``builder``), because a Plan's tables are these automata: their guards are sets of classes,
covered greedily by few rectangles, and their states are numbered in the order in which they are made. The
library's guards are decision diagrams over any predicates, and it merges states on the way, so it would give
the same words but other tables.
"""
