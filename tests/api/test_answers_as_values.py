"""Answers and errors as values: what they look like, and that they can be sent and used again."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mazurka
import pytest
from mazurka import MazurkaError, Source
from mazurka.errors import ErrorCode, Place

RACE = """
#include <pthread.h>
int n;
void *add(void *a) { n++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); n++; return pthread_join(t, 0); }
"""
ATOMIC = RACE.replace("int n", "_Atomic int n", 1)
HALVES = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
union { _Atomic int whole; _Atomic short half; } u;
void *set(void *a) { u.half = 1; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, set, 0); assert(u.whole == 0); return 0; }
"""
x = mazurka.atomic("x")


def test_answers_are_shown_in_a_line(tmp_path: Path) -> None:
    outcome = mazurka.check(RACE)
    assert repr(outcome) == (
        "<Outcome: violation (race at program.c:4) under rc11, executions: 0 complete, 0 blocked>"
    )
    assert repr(outcome.violation).startswith("<Violation: race at program.c:4: data race: T1 reads n")
    assert repr(mazurka.check(ATOMIC)) == "<Outcome: verified under rc11, executions: 2 complete, 0 blocked>"
    threads = mazurka.Threads(lambda: x.fetch_add(1), lambda: x.store(2))
    shown = {repr(execution) for execution in mazurka.explore(threads)}
    assert shown == {
        "<Execution: 8 events, results (0, None), final {'x': 2}>",
        "<Execution: 8 events, results (2, None), final {'x': 3}>",
    }
    assert repr(mazurka.expect_outcome(ATOMIC, "n == 2")) == "<ExpectedOutcome: n == 2: allowed>"
    file = tmp_path / "race.c"
    file.write_text(RACE, encoding="utf-8")
    assert repr(mazurka.fix(file)).startswith("<Repair: unfixed, changes: 0, ")


@pytest.mark.parametrize(
    ("program", "options"),
    [(ATOMIC, {}), (RACE, {"model": "sc"}), (RACE.replace("n++; return a", "return a"), {})],
)
def test_routes_of_other_programs_are_refused(program: str, options: dict[str, Any]) -> None:
    """They were followed, and the one execution that was explored counted as verified."""
    found = mazurka.check(RACE)
    assert mazurka.check(RACE, route=found.route).violation == found.violation
    with pytest.raises(mazurka.UsageError, match="the route leads to no violation") as caught:
        mazurka.check(program, route=found.route, **options)
    assert caught.value.code is ErrorCode.CHANGED


def test_routes_through_bytes_are_followed() -> None:
    found = mazurka.check(HALVES)
    assert found.mixed_sizes is not None
    again = mazurka.check(HALVES, route=found.route, mixed_size="on")
    assert again.violation == found.violation


def test_errors_can_be_pickled() -> None:
    """Otherwise they cannot come back from other processes, and break a pool of these."""
    with pytest.raises(MazurkaError) as caught:
        mazurka.check("int main(void) { return missing; }")
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is mazurka.SourceError
    assert (str(error), error.args) == (str(caught.value), caught.value.args)
    place = Place("a.c", 3)
    made = pickle.loads(pickle.dumps(mazurka.InternalError("oops", place=place, hint="report it")))
    assert (made.code, made.place, made.hint) == (ErrorCode.INTERNAL, place, "report it")


def test_answers_are_hashable(tmp_path: Path) -> None:
    file = tmp_path / "race.c"
    file.write_text(RACE, encoding="utf-8")
    ask: list[Callable[[], object]] = [
        lambda: mazurka.check(ATOMIC),
        lambda: mazurka.check(RACE).violation,
        lambda: mazurka.compile_program(file),
        lambda: mazurka.fix(file, attempts=3),
        lambda: mazurka.expect_outcome(ATOMIC, "n == 2"),
        lambda: next(mazurka.explore(ATOMIC)),
        lambda: mazurka.models()[0],
    ]
    for one in ask:
        found, again = one(), one()
        assert found == again
        assert len({found, again}) == 1
    (proof, *_) = mazurka.prove("weaker", "ra", "sc")
    assert proof in {proof}


def test_an_exploration_cannot_be_pickled_but_its_executions_can() -> None:
    with pytest.raises(TypeError, match="make a list of its executions"):
        pickle.dumps(mazurka.explore(ATOMIC))
    executions = list(mazurka.explore(ATOMIC))
    assert pickle.loads(pickle.dumps(executions)) == executions


def test_what_is_no_program() -> None:
    answer: Any = mazurka.check(ATOMIC)
    with pytest.raises(mazurka.UsageError, match="this is the answer of a check, not a program"):
        mazurka.check(answer)
    for text in (ATOMIC, Source(ATOMIC), mazurka.Threads(x.load)):
        with pytest.raises(mazurka.UsageError, match="only files are compiled"):
            mazurka.compile_program(text)  # type: ignore[arg-type]
