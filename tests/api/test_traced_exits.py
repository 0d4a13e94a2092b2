"""How functions in Python are left: by exceptions, ``finally``, context managers and ``except``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import mazurka
import pytest
from mazurka import MazurkaError, Threads
from mazurka.errors import ErrorCode

x, y = mazurka.atomic("x"), mazurka.atomic("y")
count = mazurka.plain("count")
mutex = mazurka.mutex("mutex")


def _wait_for_x() -> None:
    mazurka.wait_until(lambda: bool(x.load()))


def _finally() -> None:
    try:
        _wait_for_x()
    finally:
        y.store(1)


def _except() -> None:
    with suppress(BaseException):
        _wait_for_x()
    y.store(1)


@contextmanager
def _storing() -> Iterator[None]:
    try:
        yield
    finally:
        y.store(1)


def _context() -> None:
    with _storing():
        _wait_for_x()


@pytest.mark.parametrize("thread", [_finally, _except, _context])
def test_what_follows_a_round_that_waits_is_not_part_of_it(thread: Callable[[], None]) -> None:
    """Each thread waits for the other, so neither goes on."""

    def other() -> None:
        mazurka.wait_until(lambda: y.load() == 1)
        x.store(1)

    violation = mazurka.check(Threads(thread, other), model="sc").violation
    assert violation is not None
    assert violation.kind == "liveness"


def test_assertions_behind_a_round_that_waits() -> None:
    def thread() -> Any:
        try:
            _wait_for_x()
        finally:
            assert x.load() == 1
        return x.load()

    found = mazurka.explore(Threads(thread, lambda: x.store(1)), model="sc")
    assert {one.results for one in found} == {(1, None)}
    assert found.outcome.verdict == "verified"


class FullError(Exception):
    """There is no room."""


def test_exceptions_release_a_mutex() -> None:
    def put() -> int:
        try:
            with mutex:
                if count.load() >= 1:
                    raise FullError
                count.store(count.load() + 1)
        except FullError:
            return 0
        return 1

    found = mazurka.explore(Threads(put, put), model="rc11")
    assert {one.results for one in found} == {(0, 1), (1, 0)}
    assert found.outcome.verdict == "verified"


def test_a_run_that_is_shorter_than_the_one_before_is_refused() -> None:
    runs = []

    def thread() -> int:
        runs.append(1)
        if len(runs) > 1:
            return 0
        if x.load():
            assert y.load() == 1
        return 1

    with pytest.raises(MazurkaError, match="does not do the same each time") as refused:
        Threads(thread, lambda: x.store(1))
    assert refused.value.code is ErrorCode.UNSUPPORTED


def test_after_gets_none_from_a_thread_that_returns_nothing() -> None:
    def after(one: Any, other: Any) -> None:
        assert one is None
        assert other == 2

    assert mazurka.check(Threads(lambda: x.store(1), lambda: 2, after=after)).verdict == "verified"


def test_after_refuses_a_thread_that_returns_a_value_on_some_ways_only() -> None:
    def sometimes() -> Any:
        value = x.load()
        if value:
            return value
        return None

    def after(_one: Any, _other: Any) -> None: ...

    with pytest.raises(MazurkaError, match="returns a value on some ways and nothing on others") as refused:
        Threads(sometimes, lambda: x.store(1), after=after)
    assert refused.value.code is ErrorCode.UNSUPPORTED
    assert Threads(sometimes, lambda: x.store(1), after=lambda: None)
