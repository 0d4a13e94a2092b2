"""Programs whose accesses have one size, explored byte by byte all the same (Mixer §7.2).

Some reductions are not used there: load annotations, and postponing operations that wait. What is compared is
the exploration without these; ``default`` is what the program takes with all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from mazurka import _engine

from benchmarks.rows import ROWS, Row
from benchmarks.runner import Task, WrongCountError, encode

# Rows with fewer executions say nothing about time, and larger ones say the same.
FEWEST, MOST = 100, 25_000
# Seconds for which an exploration is repeated.
PATIENCE = 0.1
REPETITIONS = 3
_MODELS = (("fib_bench", 3), ("lastzero", 8), ("exp-mem", 6), ("ainc", 6), ("binc", 4), ("treiber-stack", 2))
# Under models without rows of their own here.
_OTHERS = tuple(Row(name, n, None, "", model) for name, n in _MODELS for model in ("tso", "pso", "rc11-ra"))
# Models of machines do not know several sizes.
FORCED = (
    *(
        row
        for row in ROWS
        if not (row.reads_from or row.is_for_machine) and FEWEST <= (row.complete or 0) <= MOST
    ),
    *_OTHERS,
)
SHORT = ("fib_bench(4)", "mcs-lock(4)", "binc(4)", "lastzero(8) tso")
_OFF: dict[str, Any] = {"load_annotations": False, "postpones": False}


@dataclass(frozen=True)
class Forced:
    """A program: its executions, and the seconds that it takes."""

    row: Row
    executions: int
    default: float  # as ``mazurka check`` does it
    plain: float  # without the reductions that are not used byte by byte
    forced: float  # byte by byte

    @property
    def ratio(self) -> float:
        """How many times as long it takes byte by byte."""
        return self.forced / self.plain


def select(names: Sequence[str], short: bool) -> list[Row]:
    """The rows of some programs, or all."""
    rows = [row for row in FORCED if not short or row.name in SHORT]
    return [row for row in rows if not names or row.program in names or row.name in names]


def force(rows: Sequence[Row], repetitions: int = REPETITIONS) -> Iterator[Forced]:
    """Explores each row in three ways."""
    for row in rows:
        plain, mixed = encode(row), encode(row, mixed_sizes=True)
        ways = (Way(plain, {}), Way(plain, _OFF), Way(mixed, {**_OFF, "mixed_sizes": True}))
        repeat(ways, repetitions)
        _, expected, found = ways
        if found.counts != expected.counts:
            raise WrongCountError(f"{row.name}: {expected.counts}, and byte by byte {found.counts}")
        yield Forced(row, sum(found.counts[1:]), *(way.seconds for way in ways))


@dataclass
class Way:
    """A way to explore a program, and what it has found and taken at best."""

    task: Task
    settings: dict[str, Any]
    seconds: float = float("inf")
    counts: tuple[str, int, int] = ("", 0, 0)

    def explore(self) -> float:
        """Explores once; the seconds that it took."""
        start = process_time()
        found = _engine.explore(self.task.program, self.task.plan, **self.settings)
        seconds = process_time() - start
        self.seconds = min(self.seconds, seconds)
        self.counts = found.status, found.complete, found.blocked
        return seconds


def repeat(ways: Sequence[Way], repetitions: int) -> None:
    """Explores in all ways, in turns; short explorations more often."""
    spent = 0.0
    while repetitions > 0 or spent < PATIENCE:
        spent += sum(way.explore() for way in ways)
        repetitions -= 1
