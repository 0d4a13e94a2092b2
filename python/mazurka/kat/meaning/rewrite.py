"""Terms brought into the shape that automata are built from.

Inverses are pushed down to base relations, ``rf^-1 ; co`` becomes ``fr`` (they are equal, because no read is
a write), and views that are not kept are replaced by what they stand for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from mazurka.kat.meaning.parts import parts, rebuilt
from mazurka.kat.meaning.terms import (
    Base,
    Difference,
    Empty,
    Fixpoint,
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
    Variable,
    View,
)

_READS_FROM = Inverse(Base("rf"))
_COHERENCE = {"co": Base("fr"), "mo": Base("fr")}


def expand(term: Relation, views: Mapping[str, Relation]) -> Relation:
    """The term without the named views. What occurs several times in it, as one object, still does."""
    known: dict[int, Relation] = {}

    def expanded(part: Relation) -> Relation:
        if isinstance(part, View) and part.name in views:
            return expanded(views[part.name])
        if id(part) not in known:  # its terms are parts of the one that is given, so they stay
            known[id(part)] = rebuilt(part, expanded)
        return known[id(part)]

    return expanded(term) if views else term


def normalise(term: Relation) -> Relation:
    """The term with inverses only at base relations, and with fr in place of ``rf^-1 ; co``."""
    match term:
        case Inverse(body):
            return _inverted(body)
        case Sequence():
            return chain(_with_from_reads([normalise(part) for part in factors(term)]))
        case Empty() | Identity() | Base() | View() | Guard() | Variable() | Fixpoint():
            return term
        case Union() | Intersection() | Difference():
            return type(term)(normalise(term.left), normalise(term.right))
        case Plus(body) | Star(body) | Maybe(body) | Rotation(body):
            return type(term)(normalise(body))


def _inverted(term: Relation) -> Relation:
    match term:
        case Empty() | Identity() | Guard():
            return term
        case Base() | View() | Variable() | Fixpoint():
            return Inverse(term)
        case Inverse(body):
            return normalise(body)
        case Sequence(left, right):
            return normalise(Sequence(Inverse(right), Inverse(left)))
        case Union() | Intersection() | Difference():
            return type(term)(_inverted(term.left), _inverted(term.right))
        case Plus(body) | Star(body) | Maybe(body) | Rotation(body):
            return type(term)(_inverted(body))


def _with_from_reads(steps: list[Relation]) -> list[Relation]:
    out: list[Relation] = []
    for part in steps:
        if out and out[-1] == _READS_FROM and isinstance(part, Base) and part.name in _COHERENCE:
            out[-1] = _COHERENCE[part.name]
        else:
            out.append(part)
    return out


def factors(term: Relation) -> list[Relation]:
    """The parts of a composition, from left to right."""
    if isinstance(term, Sequence):
        return factors(term.left) + factors(term.right)
    return [] if isinstance(term, Identity) else [term]


def alternatives(term: Relation) -> list[Relation]:
    """The parts of a union, from left to right."""
    if isinstance(term, Union):
        return alternatives(term.left) + alternatives(term.right)
    return [] if isinstance(term, Empty) else [term]


def leaves(term: Relation) -> list[Relation]:
    """The leaves of a term, from left to right."""
    inner = parts(term)
    return [leaf for part in inner for leaf in leaves(part)] if inner else [term]


def chain(steps: list[Relation]) -> Relation:
    """The composition of terms."""
    return reduce(Sequence, steps) if steps else Identity()


def union(choices: list[Relation]) -> Relation:
    """The union of terms."""
    return reduce(Union, choices) if choices else Empty()
