"""Relations that models and proofs name, and that on a graph follow from others.

The prover has facts about them instead. None of them is regular.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.meaning.terms import (
    Base,
    Difference,
    Empty,
    Intersection,
    Inverse,
    Maybe,
    Plus,
    Relation,
    Sequence,
    Star,
    Union,
)

DEFINITIONS: dict[str, Relation] = {
    "detour": Intersection(Base("po-loc"), Sequence(Base("coe"), Base("rfe"))),
    "rdw": Intersection(Base("po-loc"), Sequence(Base("fre"), Base("rfe"))),
    "ctrl-isync": Empty(),  # where a claim has no event for isync: programs have one
}


def defined(term: Relation) -> Relation:
    """A term in which these relations are written out."""
    match term:
        case Base(name):
            return DEFINITIONS.get(name, term)
        case Union() | Intersection() | Difference() | Sequence():
            return replace(term, left=defined(term.left), right=defined(term.right))
        case Plus(body) | Star(body) | Maybe(body) | Inverse(body):
            return replace(term, body=defined(body))
        case _:
            return term
