"""The search that the prover is tested with: it has all small graphs and reads terms rightly."""

from __future__ import annotations

import random

import pytest
from exhaustive_search import GraphSearch
from graph_batches import Algebra, Batch, batches
from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover import CandidateGraph, Evaluator
from mazurka.prover.theory.events import EventKind
from prover_questions import questions
from random_questions import Questions
from well_formed import flaws

CLASS_OF = {
    **{"R": "R.rlx.load", "W": "W.rlx.store", "F": "F.sc", "I": "INIT"},
    **{"r": "R.rlx.rmw", "w": "W.rlx.rmw"},
}


def graph_of(batch: Batch, number: int) -> CandidateGraph:
    """One graph of a batch, without creation of threads."""
    kinds = [
        EventKind(CLASSES.index(CLASS_OF[kind]), frozenset())
        for event in range(batch.nodes)
        for kind, row in batch.kinds.items()
        if row[event] >> number & 1
    ]
    relations = {
        name: [sum((bits >> number & 1) << b for b, bits in enumerate(row)) for row in rows]
        for name, rows in batch.relations.items()
    }
    threads = [min(e, *_others(relations["same-thread"], e)) for e in range(batch.events)]
    places = [
        min(e, *_others(relations["loc-overlap"], e)) if CLASSES[kind.number][0] in "RW" else -1
        for e, kind in enumerate(kinds[: batch.events])
    ]
    # The initial writes stand in the order of the locations' first accesses.
    initial = sorted(set(places) - {-1})
    owners = [*threads, *(-1 for _ in initial)]
    return CandidateGraph(tuple(kinds), tuple(owners), (*places, *initial), relations)


def _others(rows: list[int], event: int) -> list[int]:
    return [e for e in range(len(rows)) if rows[event] >> e & 1] or [event]


def test_graphs_of_two_events_counted_by_hand() -> None:
    # In one thread: FF, four words with one fence; RR and RW one location or two; WR two sources or another
    # location; WW two orders or another location. In two threads the words that are not each other's mirror.
    one_thread = 1 + 4 + 2 + 2 + 3 + 3
    two_threads = 1 + 2 + 2 + 3 + 3
    assert sum(batch.count for batch in batches(2, "RWF")) == one_thread + two_threads
    # A read-modify-write (it may read itself only initially), or a read of one that has not written yet.
    both = [(batch, batch.kinds["w"][1] & batch.atomic) for batch in batches(2, "rw")]
    assert sum(bits.bit_count() for _, bits in both) == 1


@pytest.mark.parametrize("size", [2, 3, 4])
def test_graphs_are_well_formed_and_no_two_are_equal(size: int) -> None:
    draw = random.Random(size)
    for batch in batches(size, "RWFrw"):
        columns = [bits for rows in batch.relations.values() for row in rows for bits in row]
        columns += [bits for row in batch.kinds.values() for bits in row]
        numbers = draw.sample(range(batch.count), min(batch.count, 60))
        assert len({tuple(bits >> k & 1 for bits in columns) for k in numbers}) == len(numbers)
        for number in numbers:
            found = flaws(graph_of(batch, number))
            assert found == ([] if batch.atomic >> number & 1 else ["rmw"])


@pytest.mark.parametrize("seed", range(40))
def test_terms_mean_what_the_general_evaluator_says(seed: int) -> None:
    draw = random.Random(seed)
    claim = Questions(seed, declared=False).query().claim
    for batch in batches(3, "RWFrw"):
        numbers = draw.sample(range(batch.count), min(batch.count, 10))
        tests = {name: _satisfying(batch, name) for name in _PREDICATES}
        algebra = Algebra(batch, tests)
        for number in numbers:
            evaluator = Evaluator(graph_of(batch, number), {})
            assert (algebra.violations(claim) >> number & 1) == (not evaluator.holds(claim))


_PREDICATES = ("R", "W", "F", "REL", "ACQ", "SC", "UR", "UW", "NA", "LOC", "INIT", "A")


def _satisfying(batch: Batch, name: str) -> list[int]:
    holding = [k for k, c in CLASS_OF.items() if name in EventKind(CLASSES.index(c), frozenset()).predicates]
    return [sum(batch.kinds[kind][event] for kind in holding) for event in range(batch.nodes)]


# A false statement, the kinds of events, and of how many events the smallest graph is that refutes it.
FALSE = {
    "coherence is an axiom": ("assert moi <= po", "RWF", 2),
    "store buffering": ("assert acyclic po | rf | co | fr assume acyclic po-loc | rf | co | fr", "RWF", 4),
    "load buffering": ("assume acyclic po-loc | rf | co | fr assert acyclic po | rf", "RWF", 4),
    "message passing": (
        "assume acyclic po | rf assume acyclic po-loc | rf | co | fr assert irreflexive po ; rfe ; po ; fr",
        *("RWF", 4),
    ),
    "creation orders threads": ("assert po^-1 ; po <= po | po^-1 | id", "RWFCJ", 3),
    "joins order threads": ("assert po ; po^-1 <= po | po^-1 | id", "RWFCJ", 4),
    "reads of what a creator wrote": ("assert rf & po <= rfi", "RWFCJ", 3),
    "a mode": ("assert [W] ; po ; [W] <= po ; [REL] | [REL] ; po | po ; [SC]", "RWF", 2),
    "modes differ": ("assume [REL] ; po ; [REL] = 0 assert [W] ; po ; [W] <= po ; [REL]", "RWF", 2),
    "a declared relation": ("relation r assert r ; r <= r", "RWF", 1),
    "a dependency": ("assert data <= po-loc", "RWF", 2),
    "two dependencies": ("assume data ; po = 0 assert addr <= data", "RWF", 2),
    "an order": ("relation t assume total [F] ; t ; [F] assert [F] ; po ; [F] <= t", "RWF", 2),
    "an event between": ("assert po ; po = 0", "RWF", 3),
    "a read-modify-write": ("assert rf ; rmw <= rfe ; rmw", "RWF", 3),
}


@pytest.mark.parametrize(("question", "kinds", "size"), FALSE.values(), ids=FALSE.keys())
def test_the_smallest_counterexample_is_found(question: str, kinds: str, size: int) -> None:
    (query,) = questions(question)
    search = GraphSearch(query)
    refuted = [bool(search.counterexample(n, kinds)) for n in range(1, size + 1)]
    assert refuted == [False] * (size - 1) + [True]
    assert search.exhaustive


TRUE = {
    "from-reads": "assert fr = rf^-1 ; co",
    "coherence": "assume acyclic po-loc | rf | co | fr assert irreflexive po ; (rf | co | fr)+",
    "atomicity": "assert rf ; rmw <= co",
    "an order": "relation t assume total [F] ; t ; [F] assert irreflexive t ; t",
    "control": "assert ctrl ; po <= ctrl",
}


@pytest.mark.parametrize("question", TRUE.values(), ids=TRUE.keys())
def test_a_true_statement_has_none(question: str) -> None:
    (query,) = questions(question)
    assert not any(GraphSearch(query).counterexample(size, "RWFCJ") for size in range(1, 5))
