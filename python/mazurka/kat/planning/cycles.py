"""What an axiom forbids, as words: it is violated iff a cycle of the graph has one of them.

``acyclic e`` forbids cycles of e+, ``irreflexive e`` those of e, ``coherence v`` those of v followed by eco.
``empty`` is not about cycles: it has no words here, and callers that ask what axioms imply must handle it.
"""

from __future__ import annotations

from mazurka.kat.automata import automaton
from mazurka.kat.automata.automaton import NOTHING, Nfa
from mazurka.kat.automata.builder import Bound, Builder
from mazurka.kat.meaning.plan import EVERY_CLASS
from mazurka.kat.meaning.terms import Axiom, Model


def forbidden(axiom: Axiom, model: Model, classes: int = EVERY_CLASS, bound: Bound = Bound.EXACT) -> Nfa:
    """The words that an axiom allows no cycle to have, through events of some classes.

    NotRegular if no automaton has exactly these words; with a bound, fewer or more words instead.
    """
    if axiom.kind == "empty":
        return NOTHING
    nfa = Builder(model.views, {}, axiom.span, classes, bound).automaton(axiom.relation)
    if axiom.kind == "acyclic":
        return automaton.repeat(nfa)
    if axiom.kind == "coherence":
        return automaton.concatenate(nfa, restricted(automaton.ECO, classes))
    return nfa


def restricted(nfa: Nfa, classes: int) -> Nfa:
    """The words through events of some classes."""
    steps = (s._replace(before=s.before & classes, after=s.after & classes) for s in nfa.steps)
    return Nfa(nfa.states, automaton.compact(steps), nfa.nullable & classes)
