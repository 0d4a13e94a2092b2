"""Counterexamples are small: other orders are tried, and only what a failure rests on is told."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.checking.execution import Graph
from mazurka.report.steps import story_order, tell
from profiles import some

PROGRAMS = Path(__file__).parents[1] / "programs"
WRONG = (
    "spin_attempt_counted.c",
    "spin_observed.c",
    "spin_observed_late.c",
    "threads/rwlock_unlock_of_other.c",
)

# The first violation that is found is one after the writer has done all of its rounds.
LATE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *writer(void *_) { for (int i = 1; i <= 6; i++) x = i; return 0; }
void *reader(void *_) { assert(x == 0); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
}
"""


def graph_of(outcome: mazurka.Outcome) -> Graph:
    assert outcome.violation is not None
    assert outcome.violation.graph is not None
    return outcome.violation.graph


def rows(outcome: mazurka.Outcome) -> int:
    assert outcome.violation is not None
    return len(tell(outcome, outcome.violation, graph_of(outcome)).steps)


@pytest.mark.parametrize("name", some(WRONG, every=2))
def test_the_same_violation_with_fewer_steps(name: str) -> None:
    first = mazurka.check(PROGRAMS / name, smallest=False)
    shown = mazurka.check(PROGRAMS / name)
    assert first.violation is not None
    assert shown.violation is not None
    assert (first.complete, first.blocked) == (shown.complete, shown.blocked)
    assert first.violation.message == shown.violation.message
    assert first.violation.location == shown.violation.location
    assert rows(shown) < rows(first)


def test_the_same_is_shown_each_time_and_with_any_number_of_workers() -> None:
    first, *others = (mazurka.check(PROGRAMS / WRONG[0], workers=workers).violation for workers in (1, 2, 1))
    assert others == [first, first]


def test_what_a_failure_does_not_rest_on_is_not_told() -> None:
    outcome = mazurka.check(LATE, model="sc", smallest=False)
    graph = graph_of(outcome)
    assert outcome.violation is not None
    (read,) = (ref for ref in graph.refs() if ref[0] == 2)
    order = story_order(graph, outcome.violation)
    assert order[-1] == read
    seen = graph[read].writers[0]
    assert [ref for ref in order if ref[0] == 1] == [(1, i) for i in range(seen[1] + 1)]


def test_a_seed_shows_what_it_finds_first() -> None:
    seeded = mazurka.check(PROGRAMS / WRONG[0], schedule_seed=3)
    alone = mazurka.check(PROGRAMS / WRONG[0], schedule_seed=3, smallest=False)
    assert graph_of(seeded) == graph_of(alone)
