"""Rows that take long with one worker, with two: how much sooner does the answer come?

The time is wall-clock time, since workers add up their CPU time; both numbers of workers take
turns. It means something only on a machine with two idle cores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.rows import Row
from benchmarks.runner import LONG_RUN, Measurement, encode, explore

WORKERS = 2
TURNS = 2


@dataclass(frozen=True)
class SpeedUp:
    """Seconds of one row with one worker and with more."""

    row: Row
    one: float
    several: float

    @property
    def ratio(self) -> float:
        """How many times as fast several workers are."""
        return self.one / self.several


def speed_ups(measured: Sequence[Measurement]) -> Iterator[SpeedUp]:
    """Of all rows that took long."""
    for row in (m.row for m in measured if m.seconds > LONG_RUN):
        task = encode(row)
        one, several = [], []
        for _ in range(TURNS):
            one.append(explore(row, task, workers=1).found.seconds)
            several.append(explore(row, task, workers=WORKERS).found.seconds)
        yield SpeedUp(row, min(one), min(several))
