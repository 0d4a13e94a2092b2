"""Relations that models and proofs name, and that on a graph follow from others.

The prover has facts about them instead. None of them is regular.
"""

from __future__ import annotations

from mazurka.kat.meaning.parts import rebuilt
from mazurka.kat.meaning.terms import Base, Empty, Intersection, Relation, Sequence

DEFINITIONS: dict[str, Relation] = {
    "detour": Intersection(Base("po-loc"), Sequence(Base("coe"), Base("rfe"))),
    "rdw": Intersection(Base("po-loc"), Sequence(Base("fre"), Base("rfe"))),
    "ctrl-isync": Empty(),  # where a claim has no event for isync: programs have one
}


def defined(term: Relation) -> Relation:
    """A term in which these relations are written out."""
    if isinstance(term, Base):
        return DEFINITIONS.get(term.name, term)
    return rebuilt(term, defined)
