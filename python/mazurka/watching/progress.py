"""Looks at an exploration while it runs, and tells somebody.

I1: the fraction is the engine's: it never decreases, and is 1 exactly when everything is explored.
I2: an exploration that ends before ``PATIENCE`` is not looked at, and nothing is said about it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mazurka.watching.estimate import Estimate, estimate_of, sampled

if TYPE_CHECKING:
    from mazurka._engine import Explored

PATIENCE = 1.0  # seconds until the first look
BETWEEN_LOOKS = 0.25


class Progress(NamedTuple):
    """How far an exploration has come."""

    seconds: float  # since it started
    complete: int
    blocked: int
    fraction: float  # of the choices, each divided among its options
    workers: int
    estimate: Estimate | None = None  # of the whole, once there is one

    @property
    def executions(self) -> int:
        """Complete and blocked ones."""
        return self.complete + self.blocked

    @property
    def rate(self) -> float:
        """Executions per second."""
        return self.executions / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long it will probably take from now on; None if nothing is known.

        The fraction alone is a poor guide: a choice may have one option with most executions behind it. So
        the estimate decides, until there have been more executions than it expected.
        """
        if not self.executions:
            return None
        if self.estimate is not None and self.estimate.executions > self.executions:
            return (self.estimate.executions - self.executions) / self.rate
        return self.seconds * (1 - self.fraction) / self.fraction if self.fraction else None


class Watch:
    """Tells ``show`` how far an exploration has come, a few times a second, from a thread of its own."""

    def __init__(
        self, show: Callable[[Progress], None], *, patience: float = PATIENCE, seed: int = 0
    ) -> None:
        self.show = show
        self.patience = patience
        self.seed = seed
        self.before = 0.0  # what was explored before the program had to be explored in another way

    def explore(self, run: Callable[..., Explored], workers: int) -> Explored:
        """Explores, and watches that."""
        import threading

        from mazurka import _engine

        progress, samples = _engine.Progress(), _engine.Progress()
        ended = threading.Event()
        started = time.perf_counter()

        def look(estimate: Estimate | None) -> Progress:
            fraction, complete, blocked, _, _ = progress.look()
            fraction = self.before + (1 - self.before) * fraction
            return Progress(time.perf_counter() - started, complete, blocked, fraction, workers, estimate)

        def watch() -> None:
            if ended.wait(self.patience):
                return
            estimate = estimate_of(sampled(run, self.seed, samples))
            while not ended.is_set():
                self.show(look(estimate))
                ended.wait(BETWEEN_LOOKS)

        watcher = threading.Thread(target=watch, name="progress", daemon=True)
        watcher.start()
        try:
            return run(progress=progress)
        finally:
            ended.set()
            samples.stop()
            watcher.join()
            self.before = look(None).fraction
