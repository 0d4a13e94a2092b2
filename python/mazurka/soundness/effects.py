"""How adding an event last changes a relation, for terms that have no automaton.

The event is last in po, and it reads from the latest write or is the latest write. Base relations keep their
pairs, and those that are walked forwards gain only pairs that end in the new event. The rest follows from the
operators: a composition gains a pair of earlier events only through the new event, and a difference also
gains one if the subtracted relation loses it.
"""

from __future__ import annotations

from dataclasses import dataclass

from mazurka.kat.automata.guarded import HALVES
from mazurka.kat.meaning.classes import SYMBOLS
from mazurka.kat.meaning.plan import Symbol
from mazurka.kat.meaning.terms import (
    Base,
    Difference,
    Guard,
    Identity,
    Intersection,
    Inverse,
    Maybe,
    Plus,
    Relation,
    Rotation,
    Sequence,
    Star,
    Union,
    View,
)

FORWARD = (
    *(Symbol.PO, Symbol.PO_IMM, Symbol.PO_LOC, Symbol.RF, Symbol.CO, Symbol.FR, Symbol.RMW),
    *(Symbol.TC, Symbol.TJ, Symbol.ALLOC, Symbol.ADDR, Symbol.DATA, Symbol.CTRL),
)
_FORWARD_PARTS = frozenset(FORWARD) | {part for symbol in FORWARD for part in HALVES.get(symbol, ())}


@dataclass(frozen=True)
class LastEventEffect:
    """What may happen: earlier events become related or unrelated, or the new event leads to earlier ones."""

    grows: bool = False
    shrinks: bool = False
    leads_back: bool = False


def effect_of(term: Relation) -> LastEventEffect:
    """The effect on a normalised term without views."""
    match term:
        case Base(name):
            return LastEventEffect(leads_back=SYMBOLS.get(name) not in _FORWARD_PARTS)
        case Inverse() | View() | Rotation():
            return LastEventEffect(leads_back=True)
        case Union(left, right):
            return _both(effect_of(left), effect_of(right))
        case Intersection(left, right):
            one, two = effect_of(left), effect_of(right)
            return LastEventEffect(
                one.grows or two.grows, one.shrinks or two.shrinks, one.leads_back and two.leads_back
            )
        case Difference(left, right):
            one, two = effect_of(left), effect_of(right)
            return LastEventEffect(one.grows or two.shrinks, one.shrinks or two.grows, one.leads_back)
        case Sequence(left, right):
            one, two = effect_of(left), effect_of(right)
            joined = _both(one, two)
            back = one.leads_back or (reflexive(left) and two.leads_back)
            return LastEventEffect(joined.grows or two.leads_back, joined.shrinks, back)
        case Plus(body) | Star(body):
            effect = effect_of(body)
            return LastEventEffect(effect.grows or effect.leads_back, effect.shrinks, effect.leads_back)
        case Maybe(body):
            return effect_of(body)
        case _:
            return LastEventEffect()


def _both(one: LastEventEffect, two: LastEventEffect) -> LastEventEffect:
    return LastEventEffect(
        one.grows or two.grows, one.shrinks or two.shrinks, one.leads_back or two.leads_back
    )


def reflexive(term: Relation) -> bool:
    """Whether a term may relate an event to itself by the empty word."""
    match term:
        case Identity() | Guard() | Star() | Maybe():
            return True
        case Union(left, right):
            return reflexive(left) or reflexive(right)
        case Intersection(left, right) | Sequence(left, right):
            return reflexive(left) and reflexive(right)
        case Difference(left, _):
            return reflexive(left)
        case Plus(body):
            return reflexive(body)
        case Base(name):
            return SYMBOLS.get(name) == Symbol.ANY
        case _:
            return False
