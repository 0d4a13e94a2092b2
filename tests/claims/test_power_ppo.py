"""POWER's preserved program order in closed form, against the recursion of Herding cats, fig. 25."""

from __future__ import annotations

import random

from claim_files import model
from cycle_executions import cycle_execution
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rows import Rows, compose, union
from mazurka.reference.relations import Relations
from random_executions import random_execution


def relation(name: str) -> terms.Relation:
    found = model("power").definitions[f"power-base::{name}"]
    assert not isinstance(found, (terms.Anything, terms.Primitive, terms.Not, terms.Both, terms.Either))
    return found


def every(*parts: Rows) -> Rows:
    result = parts[0]
    for part in parts[1:]:
        result = union(result, part)
    return result


def recursive_ppo(relations: Relations) -> tuple[Rows, Rows]:
    """The least ii and ic of the paper: from initiation to initiation, and to commit."""
    base = relations.base
    dependency = every(base("addr"), base("data"), base("rmw"))
    ii0 = every(dependency, base("rdw"), base("rfi"))
    ci0 = every(base("ctrl-isync"), base("detour"))
    cc0 = every(dependency, base("po-loc"), base("ctrl"), compose(base("addr"), base("po")))
    ii, ic, ci, cc = ii0, [0] * relations.size, ci0, cc0
    while True:
        new = (
            every(ii0, ci, compose(ic, ci), compose(ii, ii)),
            every(ii, cc, compose(ic, cc), compose(ii, ic)),
            every(ci0, compose(ci, ii), compose(cc, ci)),
            every(cc0, ci, compose(ci, ic), compose(cc, cc)),
        )
        if new == (ii, ic, ci, cc):
            return ii, ic
        ii, ic, ci, cc = new


def test_closed_form_is_the_least_solution() -> None:
    rng = random.Random(3)
    reads, writes = terms.Guard(terms.Primitive("R")), terms.Guard(terms.Primitive("W"))
    longer = 0
    for number in range(600):
        execution = cycle_execution(rng) if number % 2 else random_execution(rng, 9)
        relations = execution.relations(model("power"))
        ii, ic = recursive_ppo(relations)
        only_reads, only_writes = relations.rows(reads), relations.rows(writes)
        expected = union(
            compose(compose(only_reads, ii), only_reads), compose(compose(only_reads, ic), only_writes)
        )
        assert relations.rows(relation("ppo-power")) == expected
        longer += any(
            row & ~step for row, step in zip(ii, relations.rows(relation("initiated")), strict=True)
        )
    assert longer > 100, "some graphs need the recursion"
