"""Loops that wait in programs that are written in Python: conditions that decide, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mazurka
import pytest
from mazurka import MazurkaError, Threads
from mazurka.errors import ErrorCode

x, y = mazurka.atomic("x"), mazurka.atomic("y")
data = mazurka.plain("data")
busy = mazurka.atomic("busy", 1)


def _is_one_of(values: tuple[int, ...]) -> bool:
    seen = x.load("acquire")
    return any(seen == value for value in values)


def _first_one_then_the_other() -> bool:
    if x.load("acquire"):
        mazurka.wait_until(lambda: not busy.load("acquire"))
        return True
    return False


# Conditions that decide, and others that mean the same and compute.
WAITS: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: not busy.load("acquire"), lambda: busy.load("acquire") == 0),
    (lambda: bool(x.load("acquire")), lambda: x.load("acquire") != 0),
    (lambda: busy.load("acquire") not in (1, 7), lambda: busy.load("acquire") == 0),
    (lambda: False if busy.load("acquire") else 1, lambda: busy.load("acquire") == 0),
    (lambda: _is_one_of((2, 3)), lambda: x.load("acquire") & 2),
    (lambda: x.load("acquire") in (1, 2), lambda: (x.load("acquire") + 1) & 2),
]


@pytest.mark.parametrize("model", ["sc", "tso", "rc11", "imm"])
@pytest.mark.parametrize(("decides", "computes"), WAITS)
def test_conditions_that_decide_are_like_those_that_compute(
    decides: Callable[[], Any], computes: Callable[[], Any], model: str
) -> None:
    """A way through a condition on which it is not true leads to the next round."""

    def write() -> None:
        data.store(5)
        x.store(1, "release")
        x.store(2, "release")
        busy.store(0, "release")

    def answers(condition: Callable[[], Any]) -> tuple[str, int, list[Any]]:
        def wait() -> Any:
            mazurka.wait_until(condition)
            assert data.load() == 5
            return busy.load("relaxed")

        found = mazurka.explore(Threads(write, wait), model=model)
        values = sorted(one.results[1] for one in found)  # type: ignore[type-var]
        return found.outcome.verdict, found.outcome.complete, values

    assert answers(decides) == answers(computes)
    assert answers(decides)[0] == "verified"


def test_a_loop_in_the_condition_of_a_loop() -> None:
    def write() -> None:
        x.store(1)
        busy.store(0)

    def wait() -> Any:
        mazurka.wait_until(_first_one_then_the_other)
        return 10 * x.load() + busy.load()

    assert {one.results for one in mazurka.explore(Threads(write, wait))} == {(None, 10)}


def test_conditions_that_are_never_true() -> None:
    """Found out when all ways were tried; also in a loop inside of a loop."""

    def never() -> Any:
        if x.load():
            return False
        return mazurka.wait_until(lambda: 0 if y.load() else False) == 1

    for condition in (lambda: False if x.load() else 0, never):
        with pytest.raises(mazurka.UsageError, match="this condition is never true") as caught:
            Threads(partial(mazurka.wait_until, condition))
        assert caught.value.code is ErrorCode.ENDLESS_LOOP
    with pytest.raises(mazurka.UsageError, match="the condition returns None"):
        Threads(lambda: mazurka.wait_until(lambda: y.store(1)))  # type: ignore[arg-type,return-value]


def test_cures_are_in_the_language_of_the_program() -> None:
    taken = mazurka.atomic("taken")

    def takes() -> None:
        mazurka.wait_until(lambda: taken.compare_exchange(0, 1, "acquire") == 0)
        taken.store(0, "release")

    with pytest.raises(MazurkaError, match="can go round any number of times") as caught:
        mazurka.check(Threads(takes, takes), model="armv8")
    assert caught.value.code is ErrorCode.ENDLESS_LOOP
    assert "unroll=N" in (caught.value.hint or "")
    assert "VERIFIER" not in (caught.value.hint or "")
    assert mazurka.check(Threads(takes, takes), model="armv8", unroll=2).verdict == "bounded"
    with pytest.raises(MazurkaError, match="a choice among") as caught:
        mazurka.check(Threads(lambda: mazurka.choose(0, 1 << 20)))
    assert caught.value.hint == "choose among fewer numbers"


tries = 0


def _counts_in_a_global() -> Any:
    global tries
    tries += 1
    return x.load() == 1


def test_conditions_that_count_their_rounds_are_refused() -> None:
    """Rounds that wait are not run again, so there would be one, whatever the schedule."""

    def wait() -> int:
        tries = 0

        def condition() -> Any:
            nonlocal tries
            tries += 1
            return x.load() == 1

        mazurka.wait_until(condition)
        return tries

    for thread in (wait, lambda: mazurka.wait_until(_counts_in_a_global)):
        with pytest.raises(MazurkaError, match="changes 'tries' in each round") as caught:
            mazurka.check(Threads(lambda: x.store(1), thread))
        assert caught.value.code == ErrorCode.UNSUPPORTED
        assert caught.value.place is not None
        assert caught.value.place.line > 0


def test_conditions_may_assign_what_they_saw() -> None:
    """The last round's value remains."""

    def wait() -> Any:
        seen: Any = 0

        def condition() -> Any:
            nonlocal seen
            seen = x.load("acquire")
            return seen >= 1

        mazurka.wait_until(condition)
        return seen

    def write() -> None:
        x.store(1, "release")
        x.store(2, "release")

    found = {execution.results[1] for execution in mazurka.explore(Threads(write, wait))}
    assert found == {1, 2}
