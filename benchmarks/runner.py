"""Measures one row: counts, exploration time, peak memory; and one row against another.

The machine is noisy, so a time is CPU time and the best of some repetitions, and what is compared runs in
turns: the yardstick with the engine, and one row with another, in one process. The Plan is the one that
``mazurka check`` would use: simplified for the program.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import NamedTuple

from mazurka import _engine
from mazurka.frontend import compile_program
from mazurka.kat.language.load import load_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify
from mazurka.soundness.requirements import plan_program

from benchmarks import yardstick
from benchmarks.rows import Row


class WrongCountError(Exception):
    """An exploration that did not find exactly the executions there are."""


# Loops that try again are explored to their ends (``waiting`` measures what stopping them gains).
_STOP_SPINS = ("spin-assume", "dynamic-spin-assume")
LONG_RUN = 5.0  # seconds; a row that takes as long is not repeated


@dataclass(frozen=True)
class Task:
    """A row's program and Plan as the engine reads them."""

    program: bytes
    plan: bytes


@dataclass(frozen=True)
class Memory:
    """A process that only explores: its size when the interpreter had started, and its peak, in KiB."""

    start_kib: int
    peak_kib: int

    @property
    def growth_kib(self) -> int:
        """What exploration added, the engine's code included."""
        return self.peak_kib - self.start_kib


@dataclass(frozen=True)
class Measurement:
    """A row's figures."""

    row: Row
    complete: int
    blocked: int
    seconds: float
    events: int
    memory: Memory
    yardstick_ns: float | None = None

    @property
    def executions(self) -> int:
        """All that were explored."""
        return self.complete + self.blocked

    @property
    def ns_per_execution(self) -> float:
        """Exploration time per execution."""
        return self.seconds * 1e9 / self.executions

    @property
    def ratio(self) -> float | None:
        """How many times the yardstick's time an execution takes."""
        return self.ns_per_execution / self.yardstick_ns if self.yardstick_ns else None


def encode(row: Row, *, mixed_sizes: bool = False) -> Task:
    """The row's program and Plan as the engine reads them; its loops stay as they are.

    Under the model of a machine, the program is compiled for it. With ``mixed_sizes`` the Plan is for
    accesses of several sizes.
    """
    model = load_model(row.model_path)
    compiled = compile_program(row.path, cflags=row.cflags, without=_STOP_SPINS)
    program = apply_mapping(compiled, model.mapping)
    if mixed_sizes:
        return Task(program.encode(), simplify(model, classes_of(program), mixed_sizes=True).encode())
    return Task(program.encode(), plan_program(model, program).encode())


class Run(NamedTuple):
    """An exploration, and the processor time that it took in seconds."""

    found: _engine.Explored
    cpu: float


def explore(row: Row, task: Task, workers: int = 1) -> Run:
    """Explores once and insists on the row's counts, if it has any."""
    start = process_time()
    result = _engine.explore(task.program, task.plan, reads_from=row.reads_from, workers=workers)
    cpu = process_time() - start
    insist(row, result.status, result.complete, result.blocked)
    return Run(result, cpu)


def insist(row: Row, status: str, complete: int, blocked: int) -> None:
    """Complains unless an exploration found no violation and the row's executions."""
    expected = complete if row.complete is None else row.complete
    result = (status, complete, blocked)
    if result != ("finished", expected, row.blocked):
        raise WrongCountError(f"{row.name}: expected {row.complete} and {row.blocked}, found {result}")


def measure(row: Row, repetitions: int, rival: Path | None) -> Measurement:
    """All figures of a row; ``rival`` is the yardstick."""
    task = encode(row)
    comparable = row.program == yardstick.PROGRAM and row.model == "sc"
    runs, rivals = [], []
    for _ in range(repetitions):
        if rival and comparable:
            rivals.append(yardstick.run_yardstick(rival, row.n, row.complete))
        runs.append(explore(row, task))
        if runs[-1].cpu > LONG_RUN:
            break
    best = min(runs, key=lambda run: run.cpu)
    return Measurement(
        row,
        best.found.complete,
        best.found.blocked,
        best.cpu,
        best.found.events,
        peak_memory(row, task),
        min(rivals, default=None),
    )


def times_as_long(row: Row, base: Row, repetitions: int, *, same: bool) -> float:
    """How many times as long as one of the base an execution of a row takes; they run in turns."""
    tasks = {one: encode(one) for one in (row, base)}
    best: dict[Row, float] = {}
    counts: dict[Row, int] = {}
    for _ in range(repetitions):
        for one, task in tasks.items():
            result = explore(one, task)
            counts[one] = result.found.complete + result.found.blocked
            per_execution = result.cpu / counts[one]
            best[one] = min(best.get(one, per_execution), per_execution)
    if same and counts[row] != counts[base]:
        raise WrongCountError(f"{row.name}: {counts[row]} executions, but {base.name} has {counts[base]}")
    return best[row] / best[base]


def peak_memory(row: Row, task: Task) -> Memory:
    """The memory of a process that only explores."""
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("peak.py")), *["rf"] * row.reads_from],
        input=len(task.plan).to_bytes(4, "little") + task.plan + task.program,
        stdout=subprocess.PIPE,
        check=True,
    )
    result = json.loads(run.stdout)
    insist(row, result["status"], result["complete"], result["blocked"])
    return Memory(result["start"], result["peak"])
