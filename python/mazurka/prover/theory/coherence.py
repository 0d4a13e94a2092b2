"""Coherence as a lemma: where assumptions imply it, the cycles that it forbids are put in closed form.

The events of a location then form a line: each write followed by the reads of it, in the order of co. Steps
along po-loc, rf, co and fr, and back along rf, never lead to an earlier write, and some lead to a later one.
"""

from __future__ import annotations

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rewrite import union
from mazurka.kat.meaning.terms import Relation

_RF, _CO, _FR, _PO, _PO_LOC = (terms.Base(name) for name in ("rf", "co", "fr", "po", "po-loc"))
_TO_A_WRITE = terms.Guard(terms.Primitive("W"))

# The two forms of the axiom: acyclic (po-loc | rf | co | fr), and irreflexive (po ; (rf | co | fr)+).
COHERENCE = (
    terms.Plus(union([_PO_LOC, _RF, _CO, _FR])),
    terms.Sequence(_PO, terms.Plus(union([_RF, _CO, _FR]))),
)


def cycles_against_coherence() -> list[Relation]:
    """Cycles that coherence rules out.

    The first moves on to a later write. The second has a single step along po, which must be along po-loc
    because the other steps keep the location; it moves on if it leads to a write.
    """
    stays = union([_RF, _CO, _FR, _PO_LOC, terms.Inverse(_RF)])
    goes_on = union([_CO, _FR, terms.Sequence(_PO_LOC, _TO_A_WRITE)])
    onwards = terms.Sequence(goes_on, terms.Star(stays))
    return [
        onwards,
        terms.Sequence(_PO, terms.Sequence(terms.Star(stays), onwards)),
        terms.Sequence(_PO, terms.Sequence(_TO_A_WRITE, terms.Plus(stays))),
    ]
