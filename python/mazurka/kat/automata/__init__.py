"""The planner's automata: words of relations between classes of events.

What they mean is decided by ``crates/automata``, the prover's library, with the facts of ``meaning.facts``:
``kernel`` hands automata to it, ``inclusion`` asks. Building them stays here (``guarded``, ``automaton``,
``builder``), because a Plan's tables are these automata: their guards are sets of classes, covered by as few
rectangles as the greedy choice finds, and their states are numbered as they are made. The library's guards
are decision diagrams over any predicates, and it merges states as it goes: the same words, but other tables.
"""
