"""When planning must end: the user's time limit, looked at inside the searches of planner and requirements.

Planning runs in one thread and has one deadline at a time, so it is kept here, not handed through every
function. Without a limit, looking costs a comparison.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from mazurka.errors import OutOfTime

_deadline: float | None = None


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """What runs inside raises ``OutOfTime`` after so many seconds, wherever it looks."""
    global _deadline
    before = _deadline
    _deadline = None if seconds is None else time.monotonic() + seconds
    try:
        yield
    finally:
        _deadline = before


def look() -> None:
    """Raises ``OutOfTime`` if the time is used up."""
    if _deadline is not None and time.monotonic() > _deadline:
        raise OutOfTime("the model was still being planned")


def seconds_left(most: float) -> float:
    """What is left of the time, but no more than given."""
    return most if _deadline is None else max(min(most, _deadline - time.monotonic()), 1e-3)
