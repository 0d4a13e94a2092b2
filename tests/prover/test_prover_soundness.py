"""Random small queries: what is proved no small graph refutes, and what is refuted has a graph that does.

For each proof all graphs of up to 5 events are looked at (``exhaustive_search``). MAZURKA_PROFILE=slow asks
3 000 queries, else a fifth of them; creation of threads is in graphs of up to 5 events there, else of up
to 4. Queries with relations that are not built in come on top: there all graphs of up to 2 events are
looked at, and larger ones with random relations.
"""

from __future__ import annotations

from collections import Counter

import pytest
from exhaustive_search import GraphSearch
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.show import show, show_inclusion
from mazurka.prover import Evaluator, Query, Refuted, Unknown, decide
from profiles import SLOW, some
from random_questions import Questions
from well_formed import flaws

SIZES = range(1, 6)
IN_A_BATCH = 100
SECONDS = 1.0


def shown(query: Query) -> str:
    """A query as the file that asks it."""
    lines = []
    for statement in query.theory.assumptions:
        if statement.claim is not None:
            lines.append(f"assume {show_inclusion(statement.claim)}")
        elif statement.total is not None:
            lines.append(f"assume total {show(statement.total)}")
    return "\n".join([*lines, f"assert {show_inclusion(query.claim)}"])


def kinds_of(size: int) -> str:
    """The kinds of events in graphs of some size: with creation of threads where there is time for it."""
    return "RWFCJ" if size < 5 or SLOW else "RWF"


def check(query: Query) -> str:
    """Asks the prover and looks for a contradiction; what the answer was."""
    answer = decide(query, time_limit=SECONDS, allow_unused=True)
    if isinstance(answer, Refuted):
        assert flaws(answer.graph) == [], shown(query)
        evaluator = Evaluator(answer.graph, query.theory.views)
        for statement in query.theory.assumptions:
            assert statement.claim is None or evaluator.holds(statement.claim), shown(query)
            assert statement.total is None or is_order(evaluator, statement.total), shown(query)
        assert not evaluator.holds(query.claim), shown(query)
        return "refuted"
    if isinstance(answer, Unknown):
        return "late" if answer.reason == "the time limit was reached" else "unknown"
    search = GraphSearch(query, most_bits=26 if SLOW else 21, sample_bits=20 if SLOW else 14)
    for size in SIZES:
        found = search.counterexample(size, kinds_of(size))
        assert found is None, f"{shown(query)}\nis wrong in\n{found}"
    return "proved" if search.exhaustive else "proved, sampled"


def is_order(evaluator: Evaluator, total: terms.Relation) -> bool:
    """Whether r of the shape ``[T] ; r ; [T]`` orders the events that pass T, and no others."""
    if isinstance(total, terms.Base):
        return True  # co, and that is built in
    assert isinstance(total, terms.Sequence)
    rows, inside = evaluator.rows(total), evaluator.rows(total.right)
    ordered = [event for event, row in enumerate(inside) if row]
    assert isinstance(total.left, terms.Sequence)
    return (
        rows == evaluator.rows(total.left.right)
        and all((rows[a] >> b & 1) + (rows[b] >> a & 1) == (a != b) for a in ordered for b in ordered)
        and not any(
            rows[a] >> b & rows[b] >> c & ~rows[a] >> c & 1 for a in ordered for b in ordered for c in ordered
        )
    )


@pytest.mark.parametrize("batch", some(range(30 if SLOW else 6), every=3))
def test_no_small_graph_refutes_what_is_proved(batch: int) -> None:
    seeds = range(batch * IN_A_BATCH, (batch + 1) * IN_A_BATCH)
    answers = Counter(check(Questions(seed, declared=False).query()) for seed in seeds)
    few = IN_A_BATCH // 10
    assert answers["proved"] > 2 * few
    assert answers["refuted"] > few
    assert answers["unknown"] + answers["late"] < 4 * few
    assert answers["proved, sampled"] <= 2 * few


@pytest.mark.parametrize("batch", range(10 if SLOW else 1))
def test_the_same_with_declared_relations(batch: int) -> None:
    seeds = range(batch * IN_A_BATCH, (batch + 1) * IN_A_BATCH)
    answers = Counter(check(Questions(seed, declared=True).query()) for seed in seeds)
    assert answers["proved"] + answers["proved, sampled"] > IN_A_BATCH // 10
    assert answers["refuted"] > IN_A_BATCH // 10


@pytest.mark.parametrize("batch", some(range(10 if SLOW else 2), every=2))
def test_the_same_under_coherence(batch: int) -> None:
    seeds = range(batch * IN_A_BATCH, (batch + 1) * IN_A_BATCH)
    answers = Counter(check(Questions(seed, coherent=True).query()) for seed in seeds)
    assert answers["proved"] > IN_A_BATCH // 10
    assert answers["refuted"] > IN_A_BATCH // 10
