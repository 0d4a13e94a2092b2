"""What is no value in programs that are written in Python, and values where they mean nothing."""

from __future__ import annotations

import linecache
from functools import partial
from typing import Any

import mazurka
import pytest
from mazurka import Threads
from mazurka.errors import ErrorCode

x, y = mazurka.atomic("x"), mazurka.atomic("y")


def test_methods_are_functions() -> None:
    """They can be passed on, although they are no values."""

    def threads() -> object:
        mazurka.wait_until(x.load)
        return partial(x.load, "relaxed")()

    assert {one.results for one in mazurka.explore(Threads(partial(x.store, 1), threads))} == {(None, 1)}
    with pytest.raises(AttributeError):
        x.value = 1  # type: ignore[attr-defined]


def test_values_stay_in_their_threads() -> None:
    """A value of another thread was taken for one of the thread's own, and the verdict was wrong."""
    kept: dict[str, Any] = {}

    def left() -> None:
        x.store(1)
        kept["left"] = y.load()

    def right() -> None:
        y.store(1)
        kept["right"] = x.load()

    def uses() -> None:
        x.store(kept["left"] + 1)

    def decides() -> None:
        assert kept["left"] or kept["right"]

    def waits() -> None:
        mazurka.wait_until(lambda: kept["right"])

    def returns() -> object:
        return x.load(), kept["left"]

    for function in (uses, decides, waits, returns):
        message = "this value was read in another thread, by '(left|right)'"
        with pytest.raises(mazurka.UsageError, match=message) as caught:
            Threads(left, right, after=function)
        assert caught.value.code is ErrorCode.UNSUPPORTED
        with pytest.raises(mazurka.UsageError, match=message):
            Threads(left, right, function)


def test_values_stay_in_their_runs() -> None:
    kept: list[Any] = []

    def remembers() -> None:
        kept.append(x.load())
        if kept[0]:
            y.store(1)

    with pytest.raises(mazurka.UsageError, match="in an earlier run of 'remembers'"):
        Threads(remembers)


total = 0


def test_assignments_to_variables_of_python_are_refused() -> None:
    seen = 0

    def adds() -> None:
        global total
        total = total + 1

    def keeps() -> None:
        nonlocal seen
        seen = x.load()  # type: ignore[assignment]

    def hides() -> None:
        def inner() -> None:
            nonlocal seen
            seen = 1

        inner()

    def has_its_own() -> object:
        own = 0

        def inner() -> None:
            nonlocal own
            own = 3

        inner()
        return own

    for function, line in ((adds, "total = total + 1"), (keeps, "seen = x.load()"), (hides, "seen = 1")):
        for given in (function, partial(function)):
            with pytest.raises(mazurka.UsageError, match="is not a variable of the program") as caught:
                Threads(x.load, given)
            assert caught.value.place is not None
            assert line in linecache.getline(__file__, caught.value.place.line)
    assert (total, seen) == (0, 0)
    assert [one.results for one in mazurka.explore(Threads(has_its_own))] == [(3,)]
