"""Critical sections by recursion: how bell files match the beginnings and ends of nested sections of RCU.

They repeat a step: of the beginnings and ends that have no match yet, those match that are next to each
other. What has a match is subtracted, so there is no least solution, and herd computes the steps. Only
outermost sections are events of Mazurka's graphs, so beginnings and ends alternate in each thread: the first
step finds all pairs, and the next one nothing. So do those of SRCU of one srcu_struct and index.

I1: only equations about po and the events of such sections are solved like this.
"""

from __future__ import annotations

from collections.abc import Mapping

from mazurka.kat.meaning.classes import PREDICATES, classes_of_test
from mazurka.kat.meaning.parts import parts, rebuilt
from mazurka.kat.meaning.rewrite import alternatives, union
from mazurka.kat.meaning.terms import Base, Empty, Guard, Identity, Relation, Variable

_ENDS = sum(PREDICATES[f"F.{name}-{which}"] for name in ("rcu", "srcu") for which in ("lock", "unlock"))


def of_sections(equations: Mapping[str, Relation]) -> dict[str, Relation] | None:
    """The relations that equations like these define; None if they are about anything else."""
    growing = [name for name, body in equations.items() if Variable(name) in alternatives(body)]
    if len(growing) != 1 or not all(map(_is_about_sections, equations.values())):
        return None
    pairs = growing[0]
    step = union([part for part in alternatives(equations[pairs]) if part != Variable(pairs)])
    try:
        found = _written_out(step, equations, {pairs: Empty()}, len(equations))
        known = {pairs: found}
        return {name: _written_out(Variable(name), equations, known, len(equations)) for name in equations}
    except RecursionError:
        return None


def _is_about_sections(term: Relation) -> bool:
    match term:
        case Guard(test):
            return not classes_of_test(test) & ~_ENDS
        case Base(name):
            return name in ("po", "any", "loc-overlap", "same-domain")
        case Variable() | Identity() | Empty():
            return True
    return bool(parts(term)) and all(map(_is_about_sections, parts(term)))


def _written_out(
    term: Relation, equations: Mapping[str, Relation], known: Mapping[str, Relation], depth: int
) -> Relation:
    """The term without variables; RecursionError if they depend on each other in another way."""
    if isinstance(term, Variable):
        if term.name in known:
            return known[term.name]
        if depth == 0:
            raise RecursionError
        return _written_out(equations[term.name], equations, known, depth - 1)
    return rebuilt(term, lambda part: _written_out(part, equations, known, depth))
