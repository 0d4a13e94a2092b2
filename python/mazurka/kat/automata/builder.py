"""Automata of a model's terms, for the part of the language that has automata (for ``&``, see ``guarded``).

A part that is not regular is refused, or replaced by an automaton with fewer or more words, depending on what
the question allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache, reduce

from mazurka.kat.automata import guarded
from mazurka.kat.automata.automaton import (
    NOTHING,
    Nfa,
    concatenate,
    is_empty,
    maybe,
    of_guarded,
    one_step,
    repeat,
    step,
    test,
    unite,
)
from mazurka.kat.automata.guarded import Guarded, NotRegular, Rows
from mazurka.kat.meaning.classes import classes_of_test, domain, rotation, symbol_of
from mazurka.kat.meaning.defined import DEFINITIONS
from mazurka.kat.meaning.plan import EVERY_CLASS, Symbol
from mazurka.kat.meaning.rewrite import expand, normalise
from mazurka.kat.meaning.terms import (
    Base,
    Difference,
    Empty,
    Guard,
    Identity,
    Intersection,
    Inverse,
    Maybe,
    Plus,
    Relation,
    Rotation,
    Sequence,
    Span,
    Star,
    Union,
    View,
)


class Bound(Enum):
    """How to treat a part that is not regular."""

    EXACT = "exact"  # refuse it
    BELOW = "below"  # some of its words, possibly none
    ABOVE = "above"  # its words and possibly more


@dataclass(frozen=True)
class Builder:
    """Builds automata of a model's terms: views in ``symbols`` become steps, those in ``views`` are written
    out.

    ``classes`` are the classes of events that can occur; words through other events are left out.
    """

    views: Mapping[str, Relation]
    symbols: Mapping[str, int] = field(default_factory=dict)
    span: Span | None = None
    classes: int = EVERY_CLASS
    bound: Bound = Bound.EXACT

    def automaton(self, term: Relation) -> Nfa:
        """The automaton of a term; NotRegular if it has none."""
        written_out = tuple((name, body) for name, body in self.views.items() if name not in self.symbols)
        return _automaton(term, written_out, tuple(self.symbols.items()), self.span, self.classes, self.bound)

    def build(self, term: Relation) -> Nfa:
        """The automaton of a normalised term without views to write out."""
        match term:
            case Union(left, right):
                return unite(self.build(left), self.build(right))
            case Sequence(left, right):
                return self._sequence(left, right)
            case Plus(body):
                return repeat(self.build(body))
            case Star(body):
                return maybe(repeat(self.build(body)))
            case Maybe(body):
                return maybe(self.build(body))
            case Intersection(left, right) | Difference(left, right) if self.bound is not Bound.EXACT:
                return self._bounded(term, left, right)
            case Base(name) if name in DEFINITIONS and self.bound is not Bound.EXACT:
                return self.build(DEFINITIONS[name])
            case Rotation():
                raise rotation(self.span)
            case _:
                return of_guarded(self.guarded(term))

    def _sequence(self, left: Relation, right: Relation) -> Nfa:
        """Composition; if one side is empty, the other need not be regular."""
        try:
            first = self.build(left)
        except NotRegular:
            if is_empty(self.build(right)):
                return NOTHING
            raise
        return NOTHING if is_empty(first) else concatenate(first, self.build(right))

    def _bounded(self, term: Relation, left: Relation, right: Relation) -> Nfa:
        try:
            return of_guarded(self.guarded(term))
        except NotRegular:
            if isinstance(term, Difference) and (rows := self._po_not_loc(left, right)):
                return self._to_elsewhere(rows)
            if self.bound is Bound.ABOVE:
                return self.build(left)
        if isinstance(term, Difference):
            return NOTHING
        try:  # The words of one step can be intersected with a union of base relations.
            return of_guarded(guarded.intersect(one_step(self.build(left)), self.guarded(right)))
        except NotRegular:
            return NOTHING

    def _po_not_loc(self, left: Relation, right: Relation) -> Rows:
        """The classes between which a difference is ``po \\ po-loc``; 0 if it does not have that form."""
        try:
            whole, gone = self.guarded(left), self.guarded(right)
        except NotRegular:
            return 0
        rows = whole.get((Symbol.PO, False), 0)
        local = rows & guarded.rectangle(*domain(Symbol.PO_LOC))
        alone = len(whole) == len(gone) == 1
        return rows if alone and not local & ~gone.get((Symbol.PO_LOC, False), 0) else 0

    def _to_elsewhere(self, rows: Rows) -> Nfa:
        """``po \\ po-loc`` by immediate steps: po to an event that does not access the same location.

        Above: some step of the path leaves a location. Below: the last step does, and those before it stay in
        the first event's location; or the first does, and those after it stay in the last event's. The two
        are equivalent next to a relation that continues along po, which then absorbs the steps in between.
        """
        here, there = (
            step(symbol, self.classes, self.classes)
            for symbol in (Symbol.PO_IMM_LOC, Symbol.PO_IMM_ELSEWHERE)
        )
        stay, go = maybe(repeat(here)), maybe(repeat(unite(here, there)))
        if self.bound is Bound.ABOVE:
            way = concatenate(concatenate(go, there), go)
        else:
            way = unite(concatenate(stay, there), concatenate(there, stay))
        parts = (
            concatenate(concatenate(test(before), way), test(after))
            for before, after in guarded.rectangles(rows)
        )
        return reduce(unite, parts, NOTHING)

    def guarded(self, term: Relation) -> Guarded:
        """A normalised term as a union of guarded base relations; NotRegular if it is not such a union."""
        match term:
            case Empty():
                return {}
            case Identity():
                return guarded.test(self.classes)
            case Guard(condition):
                return guarded.test(classes_of_test(condition, self.span) & self.classes)
            case Base(name) | Inverse(Base(name)) if name in DEFINITIONS:
                raise NotRegular(f"the relation {name}")
            case Base(name):
                return self._whole(symbol_of(name, self.span))
            case View(name):
                return self._whole(self.symbols[name])
            case Inverse(Base(name)):
                return self._whole(symbol_of(name, self.span), inverse=True)
            case Inverse(View(name)):
                return self._whole(self.symbols[name], inverse=True)
            case Union(left, right):
                return guarded.unite(self.guarded(left), self.guarded(right))
            case Intersection(left, right):
                return guarded.intersect(self.guarded(left), self.guarded(right))
            case Difference(left, right):
                return guarded.subtract(self.guarded(left), self.guarded(right))
            case Sequence(left, right):
                return _guarded_sequence(self.guarded(left), self.guarded(right))
            case Maybe(body):
                return guarded.unite(self.guarded(body), guarded.test(self.classes))
            case _:
                raise NotRegular(
                    "an intersection or difference of relations that are not unions of base relations"
                )

    def _whole(self, symbol: int, inverse: bool = False) -> Guarded:
        return guarded.restrict(guarded.base(symbol, inverse), self.classes, self.classes)


@lru_cache(256)
def _automaton(
    term: Relation,
    written_out: tuple[tuple[str, Relation], ...],
    symbols: tuple[tuple[str, int], ...],
    span: Span | None,
    classes: int,
    bound: Bound,
) -> Nfa:
    """The cached answers of ``Builder.automaton``: requirements and checks ask for the same automata."""
    views = dict(written_out)
    return Builder(views, dict(symbols), span, classes, bound).build(normalise(expand(term, views)))


def _guarded_sequence(left: Guarded, right: Guarded) -> Guarded:
    """Composition where one side is a test."""
    identity = (guarded.IDENTITY, False)
    if set(left) <= {identity}:
        return guarded.restrict(right, before=guarded.diagonal(left))
    if set(right) <= {identity}:
        return guarded.restrict(left, after=guarded.diagonal(right))
    raise NotRegular("an intersection or difference of compositions")
