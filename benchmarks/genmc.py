"""The comparison with GenMC 0.11: its CPU seconds, scaled to this machine, over those of ``mazurka check``.

GenMC's figures (``tests/figures/genmc-0.11-bench.tsv``) were measured elsewhere. The table says what the
yardstick needed there; it runs in turns with ours, and GenMC's seconds are scaled by its time now over that.
Both sides are whole processes, on one core; our caches are warm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import check_row
from benchmarks.rows import ROWS, Row
from benchmarks.runner import encode, explore
from benchmarks.yardstick import ROOT, run_yardstick

TABLE = ROOT / "tests" / "figures" / "genmc-0.11-bench.tsv"
# Their models by our names. Their RC11 is rc11-genmc, but none of these programs tells it
# from rc11: accesses are all SC, or none is, or the others are plain (``mazurka.kat.planning.checks``).
MODELS = {"sc": "sc", "tso": "tso", "ra": "rc11-ra", "rc11": "rc11", "imm": "imm"}
YARDSTICK_N, YARDSTICK_COUNT = 5, 218243
YARDSTICK_RUNS = 3  # between two runs of ours


@dataclass(frozen=True)
class Figure:
    """One line of GenMC's table that has a row here."""

    row: Row
    cpu: float


@dataclass(frozen=True)
class Rivalry:
    """One row, GenMC's and ours."""

    row: Row
    genmc: float  # CPU seconds, scaled to this machine
    scale: float
    ours: float  # CPU seconds of a whole process
    explore: float  # CPU seconds of exploration alone

    @property
    def ratio(self) -> float:
        """How many times our CPU seconds GenMC needs."""
        return self.genmc / self.ours

    @property
    def explore_ratio(self) -> float:
        """The same for our exploration alone, which says how much of our time is start-up."""
        return self.genmc / self.explore


def figures(table: Path = TABLE) -> list[Figure]:
    """The lines of GenMC's table for the models that we have. A line without a row is an error.

    GenMC counts more executions as blocked.
    """
    rows = {(row.program, row.n, row.model, row.complete): row for row in ROWS if not row.reads_from}
    found = []
    for line in table.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        program, n, model, complete, _, cpu = line.split("\t")[:6]
        if model in MODELS:
            row = rows[program, int(n), MODELS[model], int(complete)]
            found.append(Figure(row, float(cpu)))
    return found


def yardstick_then(table: Path = TABLE) -> float:
    """The yardstick's nanoseconds per execution on the machine where GenMC was measured."""
    match = re.search(
        rf"(\d+) ns an execution for fib_bench\({YARDSTICK_N}\)", table.read_text(encoding="utf-8")
    )
    if match is None:
        raise ValueError(f"{table}: the yardstick's figure for fib_bench({YARDSTICK_N}) is missing")
    return float(match[1])


def rivalries(chosen: Sequence[Figure], repetitions: int, yardstick: Path) -> Iterator[Rivalry]:
    """Measures row by row, in turns with the yardstick."""
    then = yardstick_then()
    for figure in chosen:
        task = encode(figure.row)
        check_row(figure.row)  # fills the caches
        times, whole, alone = [], [], []
        for _ in range(repetitions):
            times += [run_yardstick(yardstick, YARDSTICK_N, YARDSTICK_COUNT) for _ in range(YARDSTICK_RUNS)]
            whole.append(check_row(figure.row).cpu)
            alone.append(explore(figure.row, task).cpu)
        scale = min(times) / then
        yield Rivalry(figure.row, figure.cpu * scale, scale, min(whole), min(alone))
