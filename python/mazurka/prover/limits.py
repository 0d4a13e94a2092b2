"""How much time and memory a proof may take."""

from __future__ import annotations

import os
from typing import NamedTuple

NO_TIME = "the time limit was reached"
NO_MEMORY = "the memory limit was reached"


class Limits(NamedTuple):
    """Seconds, and bytes of memory that the whole process takes; None is without a limit."""

    seconds: float | None = None
    memory: int | None = None


def half_of_the_machine() -> int | None:
    """Half of the machine's memory in bytes, if the system tells."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return None
