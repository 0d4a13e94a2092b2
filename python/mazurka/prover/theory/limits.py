"""How much time and memory a proof may take."""

from __future__ import annotations

from typing import NamedTuple

NO_TIME = "the time limit was reached"
NO_MEMORY = "the memory limit was reached"


class Limits(NamedTuple):
    """Seconds, and bytes of memory of the whole process; None means no limit."""

    seconds: float | None = None
    memory: int | None = None
