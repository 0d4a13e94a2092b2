"""``ppo = e``: the part of po in the causal order (thesis §5.7).

It is a union of guarded edges of po and po-loc, whose closure is kept as events are added; or any other
relation, which is computed anew for each revisit.

The explorer never breaks the causal order, and adds events in any order that it allows. So it can find
executions in which po and rf have a common cycle, as long as the causal order and rf have none.

Departs 1: the two halves of a read-modify-write, thread creation, joins, meetings, allocation and the ends of
objects' lives are in the causal order of every model, whatever its ppo says. So is a choice with what
follows it, and so are dependencies: a read with what depends on it, and one that an address depends on with
all that follows the access. So no execution has values that come from nowhere.
I1: the edges may order more than ppo does, because a path is split at a fence, if that adds no cycle with rf.
The requirements are about the edges.
"""

from __future__ import annotations

from mazurka.kat.automata import automaton, guarded
from mazurka.kat.automata.automaton import END, START, Nfa
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import Guarded, NotRegular
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import (
    ACCESSES,
    ALLOCATIONS,
    CHOICES,
    CREATIONS,
    EVENTS,
    FREES,
    INIT,
    JOINS,
    MEETINGS,
)
from mazurka.kat.meaning.facts import DEPENDENCIES
from mazurka.kat.meaning.plan import EVERY_CLASS, GuardedEdge, Matrix, Symbol, Verdict
from mazurka.kat.meaning.rewrite import expand, leaves
from mazurka.kat.planning.engine_automaton import cyclic, shrink
from mazurka.kat.planning.matrix import matrix

_DEPENDENCIES = (Symbol.ADDR, Symbol.DATA, Symbol.CTRL)
_ALWAYS = (Symbol.RMW, Symbol.TC, Symbol.TJ, *_DEPENDENCIES)  # departs 1
_ORDERED = EVENTS & ~(CREATIONS | JOINS | MEETINGS | ALLOCATIONS | FREES | CHOICES)
_PO, _PO_LOC = (int(Symbol.PO), False), (int(Symbol.PO_LOC), False)


class NotPreserved(Exception):  # noqa: N818 - says what a relation is, not that something broke
    """A ppo is not a union of guarded edges; the message says why."""


def causal_order_of(
    model: terms.Model, classes: int = EVERY_CLASS
) -> tuple[GuardedEdge, ...] | Matrix | None:
    """A model's ppo: its edges, or the program that computes it; None if it is all of po."""
    try:
        return preserved_of(model, classes)
    except NotPreserved:
        assert model.ppo is not None
        return matrix(model.ppo, Verdict.EMPTY, model.views, classes=classes)


def preserved_of(model: terms.Model, classes: int = EVERY_CLASS) -> tuple[GuardedEdge, ...] | None:
    """The edges of a model's ppo; None if it is all of po, between events of some classes.

    NotPreserved if it has none.
    """
    if model.ppo is None:
        return None
    union = _union(model, model.ppo)
    events = guarded.rectangle(_ORDERED & classes, _ORDERED & classes)
    if not events & ~union.get(_PO, 0) and not (classes != EVERY_CLASS and asks_for_dependencies(model)):
        return None
    return tuple(
        GuardedEdge(symbol, _widened(before, symbol), _widened(after, symbol))
        for (symbol, _), rows in sorted(union.items())
        for before, after in guarded.rectangles(rows)
    )


def asks_for_dependencies(model: terms.Model) -> bool:
    """Whether axioms are about dependencies, which are known only where ppo is not po."""
    return any(dependencies_in(axiom.relation, model) for axiom in model.axioms)


def dependencies_in(term: terms.Relation, model: terms.Model) -> list[str]:
    """The names of dependencies in a term."""
    named = {leaf.name for leaf in leaves(expand(term, model.views)) if isinstance(leaf, terms.Base)}
    return sorted(named & DEPENDENCIES)


def _widened(classes: int, symbol: int) -> int:
    """The guard, with all classes if it excludes nothing."""
    possible = ACCESSES & ~INIT if symbol == Symbol.PO_LOC else _ORDERED
    return EVERY_CLASS if classes & possible == possible else classes


def _union(model: terms.Model, ppo: terms.Relation) -> Guarded:
    try:
        nfa = Builder(model.views, {}).automaton(ppo)
    except NotRegular as reason:
        raise NotPreserved(f"it contains {reason}") from reason
    if any((s.source, s.target) != (START, END) for s in nfa.steps):
        nfa = _split(nfa)
    union: Guarded = {}
    for s in nfa.steps:
        if s.symbol in _ALWAYS and not s.inverse:
            continue
        if s.symbol not in (Symbol.PO, Symbol.PO_LOC) or s.inverse or (s.source, s.target) != (START, END):
            raise NotPreserved("it is not a union of [P] ; po ; [Q] and [P] ; po-loc ; [Q]")
        rows = guarded.restrict(guarded.base(s.symbol), s.before, s.after)
        union = guarded.unite(union, rows)
    return union


def _split(nfa: Nfa) -> Nfa:
    """Paths split into edges, if the edges and rf have no cycle that the paths and rf do not have (I1)."""
    machine = shrink(cyclic(automaton.unite(nfa, automaton.steps(Symbol.RF))))
    if machine.states > 1:
        return nfa
    steps = (s._replace(source=START, target=END) for s in machine.steps if s.symbol != Symbol.RF)
    return Nfa(2, automaton.compact(steps))


def causal(preserved: tuple[GuardedEdge, ...] | Matrix | None) -> Nfa:
    """The part of po in the causal order, as steps from one event of that order to the next."""
    if preserved is None:
        return automaton.step(Symbol.PO)
    nfa = automaton.steps(Symbol.RMW, *_DEPENDENCIES)
    for edge in () if isinstance(preserved, Matrix) else preserved:
        nfa = automaton.unite(nfa, automaton.step(edge.symbol, edge.before, edge.after))
    return nfa
