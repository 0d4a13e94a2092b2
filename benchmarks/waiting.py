"""Programs that wait in loops: what stopping spins gains, beside what the thesis reports (table 10.11).

Each program is our own version of the one that the thesis names, so the numbers differ; what is compared is
how many times fewer executions there are. Without reductions, loops are unrolled N + 1 times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mazurka

from benchmarks.runner import WrongCountError

PROGRAMS = Path(__file__).resolve().parent / "waiting"
# Seconds that an exploration without reductions may take.
PATIENCE = 20.0

Counts = tuple[int, int]  # complete, blocked


@dataclass(frozen=True)
class WaitingRow:
    """A program, its parameter, and the thesis's counts without (None: too many) and with reductions."""

    program: str
    n: int
    thesis: tuple[Counts | None, Counts] | None = None
    flags: tuple[str, ...] = ()
    complete: int | None = None  # if it can be said

    @property
    def name(self) -> str:
        """As the thesis writes it."""
        return f"{self.program}({self.n})"

    @property
    def gain(self) -> float | None:
        """How many times fewer executions the thesis has with reductions, blocked ones included."""
        return _gain(*self.thesis) if self.thesis else None


@dataclass(frozen=True)
class Waited:
    """What was found without and with reductions; the first is None if it took too long."""

    row: WaitingRow
    plain: Counts | None
    reduced: Counts
    seconds: float

    @property
    def gain(self) -> float | None:
        """How many times fewer executions there are with reductions, blocked ones included."""
        return _gain(self.plain, self.reduced)


def _gain(plain: Counts | None, reduced: Counts) -> float | None:
    return sum(plain) / sum(reduced) if plain else None


WAITING = (
    WaitingRow("mcs-lock", 3, ((7128, 0), (66, 124))),
    WaitingRow("mcs-lock", 4, ((4055612, 0), (1080, 2261))),
    WaitingRow("qspinlock", 2, ((12, 0), (6, 0))),
    WaitingRow("qspinlock", 3, ((13764, 0), (258, 427))),
    WaitingRow("seqlock", 3, ((430, 456), (9, 54))),
    WaitingRow("seqlock", 4, (None, (88, 1393))),
    WaitingRow("mpmc-queue", 3, ((1232884, 268476), (166, 679))),
    WaitingRow("mpmc-queue", 4, (None, (39706, 795718))),
    WaitingRow("linuxrwlock", 3, (None, (24, 59)), complete=6),
    WaitingRow("linuxrwlock", 4, (None, (1060, 5518)), complete=48),
    WaitingRow("chase-lev", 5, ((41816, 0), (12916, 10264))),
    WaitingRow("treiber-stack", 3, ((22, 0), (8, 8)), ("-DPOPS=1",)),
    WaitingRow("treiber-stack", 4, ((34968, 0), (236, 1463)), ("-DPOPS=2",)),
    WaitingRow("mutex", 2, ((18, 0), (12, 1))),
    WaitingRow("mutex", 3, ((59760, 0), (7086, 483))),
    WaitingRow("ttas-lock", 3, ((11031, 0), (36, 58))),
    WaitingRow("ttas-lock", 4, (None, (576, 1590))),
    WaitingRow("ttas-lock", 6, flags=("-DCONFIRM",), complete=720),
    WaitingRow("twa-lock", 3, ((1338, 0), (96, 31))),
    WaitingRow("twa-lock", 4, ((1018872, 0), (6144, 2877))),
    WaitingRow("ms-queue", 3, ((1389, 0), (75, 274)), ("-DDEQUEUES=1",)),
    WaitingRow("ms-queue", 4, (None, (10662, 159374)), ("-DDEQUEUES=2",)),
    WaitingRow("ms-queue", 6, flags=("-DHELP",), complete=720),
    WaitingRow("sc-gather", 3, ((7560, 11340), (90, 181)), complete=6),
    WaitingRow("sc-gather", 4, ((1247400, 1995840), (2520, 4845)), complete=24),
    WaitingRow("cas-lock", 5, complete=120),
    WaitingRow("ticket-lock", 5, complete=120),
    WaitingRow("lamport", 2, complete=16),  # and the next: lamport-sc of table 10.13
    WaitingRow("lamport", 3, complete=9216),
    WaitingRow("szymanski", 1),
    WaitingRow("peterson", 2),
    WaitingRow("treiber-stack", 7, complete=5040),
)
SHORT = ("mcs-lock(3)", "linuxrwlock(3)", "treiber-stack(3)", "ticket-lock(5)")
# Everything that `--explain` may say was done.
OFF: dict[str, Any] = {
    "spin_assume": False,
    "dynamic_spin_assume": False,
    "zero_net_effect": False,
    "load_annotations": False,
    "helping": False,
}


def select(names: Sequence[str], short: bool) -> list[WaitingRow]:
    """The rows of some programs, or all."""
    rows = [row for row in WAITING if not short or row.name in SHORT]
    return [row for row in rows if not names or row.program in names or row.name in names]


def wait(rows: Sequence[WaitingRow], plain: bool = True) -> Iterator[Waited]:
    """Explores each row with all reductions, and (if ``plain``) without any."""
    for row in rows:
        path, cflags = PROGRAMS / f"{row.program}.c", [f"-DN={row.n}", *row.flags]
        found = mazurka.check(path, cflags=cflags, workers=1)
        _insist(row, found)
        without = None
        if plain:
            unrolled = mazurka.check(
                path, cflags=cflags, workers=1, unroll=row.n + 1, time_limit=PATIENCE, **OFF
            )
            finished = unrolled.verdict in ("verified", "bounded")
            without = (unrolled.complete, unrolled.blocked) if finished else None
        yield Waited(row, without, (found.complete, found.blocked), found.seconds_explore)


def _insist(row: WaitingRow, found: mazurka.Outcome) -> None:
    if found.verdict != "verified":
        raise WrongCountError(f"{row.name}: {found.verdict}")
    if row.complete not in (None, found.complete):
        raise WrongCountError(f"{row.name}: {found.complete} executions, not {row.complete}")
