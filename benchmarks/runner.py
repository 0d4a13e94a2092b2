"""Measures one row: counts, exploration time, peak memory; and what it is compared with.

The machine is noisy, so a time is the best of some repetitions, and what is compared runs in turns: the
yardstick with the engine, and one row with another, in one process. The Plan is the one that ``mazurka
check`` would use: simplified for the program.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mazurka import _engine
from mazurka.frontend import compile_program
from mazurka.kat.load import load_model
from mazurka.kat.simplify import plan_program

from benchmarks.rows import Row

ROOT = Path(__file__).resolve().parent.parent
YARDSTICK_PROGRAM = "fib_bench"


class WrongCountError(Exception):
    """An exploration that did not find exactly the executions there are."""


@dataclass(frozen=True)
class Task:
    """A row's program and Plan as the engine reads them."""

    program: bytes
    plan: bytes


@dataclass(frozen=True)
class Measurement:
    """A row's figures."""

    row: Row
    complete: int
    seconds: float
    events: int
    peak_kib: int
    yardstick_ns: float | None = None

    @property
    def ns_per_execution(self) -> float:
        """Exploration time an execution."""
        return self.seconds * 1e9 / self.complete

    @property
    def ratio(self) -> float | None:
        """How many times the yardstick's time an execution takes."""
        return self.ns_per_execution / self.yardstick_ns if self.yardstick_ns else None

    def as_json(self) -> dict[str, Any]:
        """The figures for other programs."""
        return {
            "name": self.row.name,
            "complete": self.complete,
            "seconds": self.seconds,
            "ns_per_execution": self.ns_per_execution,
            "events": self.events,
            "peak_kib": self.peak_kib,
            "yardstick_ns": self.yardstick_ns,
            "ratio": self.ratio,
        }


def encode(row: Row) -> Task:
    """The row's program and Plan as the engine reads them."""
    program = compile_program(row.path, cflags=[f"-DN={row.n}"])
    return Task(program.encode(), plan_program(load_model(row.model_path), program).encode())


def explore(row: Row, task: Task) -> dict[str, Any]:
    """Explores once and insists on the row's count, if it has one."""
    result = _engine.explore(task.program, task.plan, reads_from=row.reads_from)
    wanted = result["complete"] if row.complete is None else row.complete
    found = (result["status"], result["complete"], result["blocked"])
    if found != ("finished", wanted, 0):
        raise WrongCountError(f"{row.name}: expected {row.complete} executions, found {found}")
    return result


def measure(row: Row, repetitions: int, yardstick: Path | None) -> Measurement:
    """All figures of a row."""
    task = encode(row)
    compared = yardstick if row.program == YARDSTICK_PROGRAM and row.model == "sc" else None
    runs, rival = [], []
    for _ in range(repetitions):
        if compared:
            rival.append(run_yardstick(compared, row))
        runs.append(explore(row, task))
    best = min(runs, key=lambda run: run["seconds"])
    return Measurement(
        row,
        best["complete"],
        best["seconds"],
        best["events"],
        peak_memory(row, task),
        min(rival, default=None),
    )


def times_as_long(row: Row, base: Row, repetitions: int, *, same: bool) -> float:
    """How many times as long as one of the base an execution of a row takes; they run in turns."""
    tasks = {one: encode(one) for one in (row, base)}
    best: dict[Row, float] = {}
    counts: dict[Row, int] = {}
    for _ in range(repetitions):
        for one, task in tasks.items():
            result = explore(one, task)
            counts[one] = result["complete"]
            per_execution = result["seconds"] / result["complete"]
            best[one] = min(best.get(one, per_execution), per_execution)
    if same and counts[row] != counts[base]:
        raise WrongCountError(f"{row.name}: {counts[row]} executions, but {base.name} has {counts[base]}")
    return best[row] / best[base]


def peak_memory(row: Row, task: Task) -> int:
    """Peak resident memory, in KiB, of a process that only explores."""
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("peak.py")), *["rf"] * row.reads_from],
        input=len(task.plan).to_bytes(4, "little") + task.plan + task.program,
        stdout=subprocess.PIPE,
        check=True,
    )
    result = json.loads(run.stdout)
    if row.complete not in (None, result["complete"]):
        raise WrongCountError(f"{row.name}: expected {row.complete} executions, found {result['complete']}")
    return int(result["peak"])


def shared_folder() -> Path | None:
    """The folder that is handed around beside the repository, if there is one."""
    folder = Path(os.environ.get("MAZURKA_SHARED", ROOT.parent / "shared"))
    return folder if folder.is_dir() else None


def build_yardstick(directory: Path) -> Path | None:
    """The yardstick, compiled into a directory; None where its source or a Rust compiler is missing."""
    shared = shared_folder()
    if shared is None or not (source := shared / "yardstick" / "yardstick.rs").is_file():
        return None
    program = directory / "yardstick"
    command = ["rustc", "-O", "-C", "target-cpu=native", "-A", "warnings", str(source), "-o", str(program)]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        return None
    return program


def run_yardstick(yardstick: Path, row: Row) -> float:
    """The yardstick's nanoseconds an execution."""
    run = subprocess.run([str(yardstick), str(row.n)], stdout=subprocess.PIPE, text=True, check=True)
    fields = dict(word.split("=") for word in run.stdout.split() if "=" in word)
    if int(fields["executions"]) != row.complete:
        raise WrongCountError(f"yardstick {row.name}: expected {row.complete}, found {fields['executions']}")
    return float(fields["ns_per_execution"])


def seconds_to_check(path: Path, repetitions: int = 5) -> float:
    """Wall-clock seconds of ``mazurka check``, everything included, with warm caches."""
    command = [sys.executable, "-c", "from mazurka.cli import main; raise SystemExit(main())"]
    times = []
    for _ in range(repetitions + 1):  # the first run warms the caches up
        start = time.perf_counter()
        subprocess.run([*command, "check", str(path)], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return min(times[1:])
