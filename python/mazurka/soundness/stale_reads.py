"""Does a read that depends on a write, by po and rf, read nothing that the write has overwritten?

If so, another thread that has seen anything of what a thread did after a round of a loop cannot see the
middle of that round any more. The engine relies on it where it stops a thread after a round that took back
what it wrote (``crates/engine/src/explore/spinning/observers.rs``).

The prover has to show that ``[W] ; (po | rf)+ ; [R] ; fr`` relates no event to itself. In an *ordered*
program, where atomic stores are at least release and atomic loads at least acquire, only rf between such
accesses counts: other accesses must be ordered by these, if the model calls a race an error.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from mazurka.deadline import look, seconds_left
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.planning.planner import tables_of
from mazurka.prover import Proved, Query, Theory, claim_of, decide

SECONDS = 20.0  # far more than any shipped model needs


def forbids_stale_reads(model: terms.Model, *, ordered: bool) -> bool:
    """Whether the model is shown to forbid such reads, in all programs or in ``ordered`` ones."""
    if ordered and not _races_are_errors(model):
        return False
    assumed = tuple(terms.Statement(claim_of(axiom), axiom.span) for axiom in model.axioms)
    claim = terms.Inclusion(terms.Intersection(_stale(ordered), terms.Identity()), terms.Empty())
    query = Query("stale reads", claim, Theory(assumed, model.disjoint, model.views))
    answer = decide(query, time_limit=seconds_left(SECONDS), allow_unused=True)
    look()  # an answer that the user's time limit cut off does not count
    return isinstance(answer, Proved)


def _stale(ordered: bool) -> terms.Relation:
    rf: terms.Relation = terms.Base("rf")
    if ordered:
        rf = _path(_guard("REL", "SC"), rf, _guard("ACQ", "SC"))
    depends = terms.Plus(terms.Union(terms.Base("po"), rf))
    return _path(_guard("W"), depends, _guard("R"), terms.Base("fr"))


def _path(*steps: terms.Relation) -> terms.Relation:
    return reduce(terms.Sequence, steps)


def _guard(*names: str) -> terms.Relation:
    tests: list[terms.Test] = [terms.Primitive(name) for name in names]
    return terms.Guard(reduce(terms.Either, tests))


def _races_are_errors(model: terms.Model) -> bool:
    """Whether any two accesses that conflict, one of them not atomic, must be ordered."""
    rules = [rule for rule in tables_of(model).errors if not rule.warning]
    accesses = [(number, name) for number, name in enumerate(CLASSES) if name[0] in "RW" and name[1] == "."]
    return all(
        any(rule.first >> one & rule.second >> other & 1 for rule in rules)
        or any(rule.first >> other & rule.second >> one & 1 for rule in rules)
        for (one, first), (other, second) in product(accesses, accesses)
        if ".na." in first and "W" in (first[0], second[0])
    )
