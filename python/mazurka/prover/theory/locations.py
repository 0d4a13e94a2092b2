"""Words between accesses of one location (thesis §3.6.1, "& sameLoc").

If all steps of a word but one keep the location, and the two ends of the word have the same location, then
the remaining step keeps it too; if that is a step of po, it is one of po-loc. If several steps may change the
location, nothing follows about any of them.
"""

from __future__ import annotations

from mazurka._engine import Kernel, Nfa
from mazurka.kat.meaning.facts import ONE_LOCATION, Label
from mazurka.prover.theory.alphabet import END, START, NfaStep, edges_of

# How many steps so far may have left the location: none; one, which will stay the only one; one, which more
# will follow; several.
_NONE, _ONLY, _FIRST, _SEVERAL = range(4)


def one_location(nfa: Nfa, kernel: Kernel) -> Nfa:
    """The automaton's words, with po-loc instead of po where it follows from the ends having one location."""
    inner = nfa.states - 2

    def name(state: int, phase: int) -> int:
        return state if state in (START, END) else state + phase * inner

    edges: set[NfaStep] = set()
    for e in edges_of(nfa):
        for phase in (_NONE,) if e.source == START else (_NONE, _ONLY, _FIRST, _SEVERAL):
            for following, label in _moves(e.label, phase):
                if e.target != END or following != _FIRST:
                    edges.add(
                        e._replace(
                            source=name(e.source, phase), label=label, target=name(e.target, following)
                        )
                    )
    return kernel.reduced(kernel.nfa(2 + 4 * inner, list(edges), nfa.nullable))


def _moves(label: Label, phase: int) -> list[tuple[int, Label]]:
    if label[0] in ONE_LOCATION:
        return [(phase, label)]
    if phase == _NONE:
        return [(_ONLY, ("po-loc", label[1]) if label[0] == "po" else label), (_FIRST, label)]
    return [] if phase == _ONLY else [(_SEVERAL, label)]
