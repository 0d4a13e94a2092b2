"""For tests of the cache, which keeps no program of a file that was saved just before the compilation."""

from __future__ import annotations

import time


def wait_a_tick() -> None:
    """Afterwards, what was saved before is older than a compilation (frontend/c/dependencies.py)."""
    time.sleep(0.05)
