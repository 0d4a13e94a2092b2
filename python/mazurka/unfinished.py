"""Explorations that run in other threads than the main one, and end when the interpreter does.

The engine asks the interpreter now and then whether a signal came. In a daemon thread it could ask one that
is gone, which aborts the process; so these explorations are stopped before the interpreter ends.
"""

from __future__ import annotations

import atexit
import os
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mazurka._engine import Explored, Progress

_PATIENCE = 10.0  # seconds: an engine that does not stop must not keep the process from ending


class _Running:
    """The explorations of this process that are under way."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.explorations: set[Progress] = set()
        self.ends = False  # the interpreter

    def stop(self) -> None:
        """Stops all of them, and waits for that; others do not begin any more."""
        with self.changed:
            self.ends = True
            for progress in self.explorations:
                progress.stop()
            self.changed.wait_for(lambda: not self.explorations, _PATIENCE)


_running = _Running()
atexit.register(lambda: _running.stop())


def _forget() -> None:
    """In a new process, the threads of the old one do not run."""
    global _running
    _running = _Running()


os.register_at_fork(after_in_child=_forget)


def explore_until_the_end(*given: Any, progress: Progress | None = None, **options: Any) -> Explored:
    """Explores as the engine does, and stops before the interpreter ends."""
    from mazurka import _engine

    if threading.current_thread() is threading.main_thread():
        return _engine.explore(*given, progress=progress, **options)
    running = _running
    mine = progress or _engine.Progress()
    with running.changed:
        if running.ends:
            raise SystemExit
        running.explorations.add(mine)
    try:
        return _engine.explore(*given, progress=mine, **options)
    finally:
        with running.changed:
            running.explorations.discard(mine)
            running.changed.notify_all()
