"""How good estimates are, what they cost, and whether the time left is right, on asymmetric programs.

Each program is sampled as ``mazurka check`` does it, and explored by one worker while its progress is
noted. The time left is that of the first note after a fifth of the run; programs that are explored at once
have none.

The rows are all programs with over 1 000 executions that are not symmetric, as ``ainc`` and ``N-writers``
are: there every path through the choices has the same number of options. Parameters are as large as a table
of a minute allows; where they are larger than those of ``rows``, the count is that of the exploration itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mazurka import _engine
from mazurka.watching.estimate import Estimate, estimate_of, sampled
from mazurka.watching.progress import Progress

from benchmarks.limits import Limit
from benchmarks.rows import ROWS, Row
from benchmarks.runner import Task, encode, insist

COUNTED = ("fib_bench(6)", "lastzero(20)", "lamport(3)", "rw-lock(3)", "peterson(2)", "treiber-stack(3)")
LARGER = {
    **{"szymanski": 4, "dekker": 3, "mcs-lock": 6, "seqlock": 14, "parker": 6, "ms-queue": 5},
    **{"chase-lev": 24, "ring-buffer": 9},
}
CHOSEN = (
    *(row for row in ROWS if row.name in (*COUNTED, "mpmc-queue(3)")),
    *(Row(program, n, None, "the exploration") for program, n in LARGER.items()),
)
HEADER = ("program", "executions", "estimate", "low", "high", "ratio", "samples", "cost s", "explore s")
HEADER_OF_TIME = ("fraction at", "left s", "expected s", "ratio")
SEED = 0
A_FIFTH = 0.2
BETWEEN_LOOKS = 0.01
AT_ONCE = 0.3  # seconds: nobody watches an exploration that takes less
CLOSE, FAR, TWICE = 3.0, 10.0, 2.0  # factors
AT_LEAST = 8  # rows that are as close as that


@dataclass(frozen=True)
class Figure:
    """A row's estimate beside what there is, and the time left beside what was left."""

    row: Row
    estimate: Estimate
    cost: float  # seconds
    executions: int
    seconds: float
    fraction: float  # after a fifth of the run
    left: float
    expected: float | None
    is_monotone: bool  # from 0 to exactly 1

    @property
    def ratio(self) -> float:
        """The estimate by the count."""
        return self.estimate.executions / self.executions

    @property
    def ratio_of_time(self) -> float | None:
        """The expected time by that which was left; None if the exploration was over at once."""
        return None if self.seconds < AT_ONCE else (self.expected or 0.0) / self.left


def select(names: Sequence[str]) -> list[Row]:
    """The rows that are asked for."""
    return [row for row in CHOSEN if not names or row.program in names or row.name in names]


def measure(rows: Sequence[Row]) -> Iterator[Figure]:
    """Samples and explores each row."""
    for row in rows:
        yield _measure(row)


def _measure(row: Row) -> Figure:
    task = encode(row)

    def run(**options: Any) -> _engine.Explored:
        return _engine.explore(task.program, task.plan, reads_from=row.reads_from, **options)

    started = time.perf_counter()
    estimate = estimate_of(sampled(run, SEED))
    cost = time.perf_counter() - started
    assert estimate is not None, f"{row.name} has no estimate"
    result, notes = _explore(row, task, estimate)
    executions = result.complete + result.blocked
    fifth = next((note for note in notes if note.seconds >= A_FIFTH * result.seconds), notes[-1])
    fractions = [note.fraction for note in notes]
    return Figure(
        row,
        estimate,
        cost,
        executions,
        result.seconds,
        fifth.fraction,
        max(result.seconds - fifth.seconds, 1e-9),
        fifth.seconds_left,
        fractions == sorted(fractions) and fractions[-1] == result.fraction == 1.0,
    )


def _explore(row: Row, task: Task, estimate: Estimate) -> tuple[_engine.Explored, list[Progress]]:
    """Explores, and notes how far that has come, whenever it has come further."""
    progress, notes, ended = _engine.Progress(), list[Progress](), threading.Event()
    started = time.perf_counter()

    def note() -> None:
        fraction, complete, blocked, *_ = progress.look()
        seconds = time.perf_counter() - started
        if not notes or notes[-1].executions != complete + blocked:
            notes.append(Progress(seconds, complete, blocked, fraction, 1, estimate))

    def watch() -> None:
        while not ended.wait(BETWEEN_LOOKS):
            note()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = _engine.explore(task.program, task.plan, reads_from=row.reads_from, progress=progress)
    finally:
        ended.set()
        watcher.join()
    if row.complete is not None:
        insist(row, result.status, result.complete, result.blocked)
    fraction, complete, blocked, *_ = progress.look()
    notes.append(Progress(result.seconds, complete, blocked, fraction, 1, estimate))
    return result, notes


def cells(figure: Figure) -> tuple[str, ...]:
    """A line of the table."""
    estimate = figure.estimate
    return (
        figure.row.name,
        f"{figure.executions}",
        f"{estimate.executions:.0f}",
        *("-" if number is None else f"{number:.0f}" for number in (estimate.low, estimate.high)),
        f"{figure.ratio:.2f}",
        f"{estimate.samples}",
        f"{figure.cost:.2f}",
        f"{figure.seconds:.2f}",
        *_cells_of_time(figure),
    )


def _cells_of_time(figure: Figure) -> tuple[str, ...]:
    if figure.ratio_of_time is None:
        return ("-", "-", "-", "-")
    expected = "-" if figure.expected is None else f"{figure.expected:.2f}"
    return (f"{figure.fraction:.4f}", f"{figure.left:.2f}", expected, f"{figure.ratio_of_time:.2f}")


def as_json(figure: Figure) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "name": figure.row.name,
        "executions": figure.executions,
        "estimate": figure.estimate.executions,
        "low": figure.estimate.low,
        "high": figure.estimate.high,
        "samples": figure.estimate.samples,
        "cost": figure.cost,
        "seconds": figure.seconds,
        "fraction_after_a_fifth": figure.fraction,
        "left": figure.left,
        "expected": figure.expected,
        "monotone": figure.is_monotone,
    }


def limits(figures: Sequence[Figure]) -> Iterator[Limit]:
    """What is promised about them."""
    within = [max(figure.ratio, 1 / figure.ratio) if figure.ratio else float("inf") for figure in figures]
    yield Limit("estimates that are wrong by more than a factor of 10", sum(by > FAR for by in within), 0)
    close = sum(by <= CLOSE for by in within)
    yield Limit("estimates that are right within a factor of 3", close, AT_LEAST, at_least=True)
    dear = sum(figure.cost > max(1.0, 0.05 * figure.seconds) for figure in figures)
    yield Limit("estimates that take more than a second and a 20th of exploring", dear, 0)
    wrong = sum(not figure.is_monotone for figure in figures)
    yield Limit("fractions that go back, or do not end at 1", wrong, 0)
    times = [figure.ratio_of_time for figure in figures if figure.ratio_of_time is not None]
    timely = sum(1 / TWICE <= ratio <= TWICE for ratio in times)
    yield Limit("times left that are right within a factor of 2", timely, AT_LEAST, at_least=True)
