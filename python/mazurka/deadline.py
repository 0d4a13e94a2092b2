"""When planning and compiling must end: the user's time limit, checked inside everything that can take long.

Both run in one thread and have one deadline at a time, so it is kept here, not passed through every
function. Without a limit, a check costs a comparison.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from mazurka.errors import OutOfTime

_deadline: float | None = None
_doing = ""


@contextmanager
def within(seconds: float | None, doing: str) -> Iterator[None]:
    """Code inside raises ``OutOfTime(doing)`` once ``seconds`` have passed, wherever it calls ``look``."""
    global _deadline, _doing
    before = _deadline, _doing
    _deadline, _doing = (None if seconds is None else time.monotonic() + seconds), doing
    try:
        yield
    finally:
        _deadline, _doing = before


def look() -> None:
    """Raises ``OutOfTime`` if the time is used up."""
    if _deadline is not None and time.monotonic() > _deadline:
        raise late()


def late() -> OutOfTime:
    """What ``look`` raises, for work that looks at the clock by itself."""
    return OutOfTime(_doing)


def seconds_left(most: float) -> float:
    """What is left of the time, at most the given number."""
    return most if _deadline is None else max(min(most, _deadline - time.monotonic()), 1e-3)
