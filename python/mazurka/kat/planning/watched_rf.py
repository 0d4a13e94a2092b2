"""Models for programs whose plain accesses communicate in the order of coherence's view only.

The view of coherence may lead through plain accesses: under IMM, a release sequence goes on with a plain
write, which an acquire read may see. It takes clocks and long automata to follow that, and most programs see
a plain write only where something else orders them after it anyway. For such programs, the view may be made
of less, and often becomes that of ``rc11``. The engine watches that the smaller view has each rf from a plain
write or to a plain read.

I1: where the smaller view has these steps of rf, it has the same pairs as the model's own. It never has more,
so an axiom that follows it forwards forbids no more before the first step that is not in order, and that step
is found.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.automata import automaton
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import INIT, PREDICATES, READS, WRITES
from mazurka.kat.meaning.parts import rebuilt
from mazurka.kat.meaning.plan import Symbol
from mazurka.kat.meaning.rewrite import chain

_PLAIN = "NA"
_OTHERS = terms.Guard(terms.Not(terms.Primitive(_PLAIN)))
_HALVES = ("rf", "rfe", "rfi")


def in_order(model: terms.Model, order: str, classes: int) -> tuple[terms.Model, int] | None:
    """The model with a view of less rf, and the classes of plain accesses; None if that may be another model.

    They mean the same in graphs in which the smaller view has all of rf from and to plain accesses.
    """
    plain = PREDICATES[_PLAIN] & classes
    if order not in model.views or not plain:
        return None
    whole = model.views[order]
    views = {**model.views, order: _without_plain(whole)}
    try:
        smaller = Builder(views, {}, None, classes).automaton(views[order])
        own = Builder(model.views, {}, None, classes).automaton(whole)
    except NotRegular:
        return None
    writes, reads = WRITES & classes & ~INIT, READS & classes
    seen = automaton.unite(
        automaton.step(Symbol.RF, writes & plain, reads), automaton.step(Symbol.RF, writes, reads & plain)
    )
    if not included(own, automaton.repeat(automaton.unite(smaller, seen))):
        return None
    return replace(model, views=views), plain


def _without_plain(term: terms.Relation) -> terms.Relation:
    if isinstance(term, terms.Base) and term.name in _HALVES:
        return chain([_OTHERS, term, _OTHERS])
    return rebuilt(term, _without_plain)
