"""Runs whole ``mazurka check`` processes: what a user waits for, start-up and front-end included.

CPU seconds are those of the process and of all that it started and waited for. Its peak memory is the
kernel's figure, which on Linux is at least what this process had when it started the other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.rows import Row
from benchmarks.runner import WrongCountError

MAZURKA = [sys.executable, "-c", "from mazurka.cli import main; raise SystemExit(main())"]


@dataclass(frozen=True)
class Run:
    """What one process took."""

    wall: float
    cpu: float
    peak_kib: int
    explore: float  # exploration alone, by its own clock


def run_check(arguments: Sequence[str], row: Row | None = None) -> Run:
    """One ``mazurka check``; with a row, it must find the row's executions."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.json"
        split = list(arguments).index("--") if "--" in arguments else len(arguments)
        command = [*MAZURKA, "check", *arguments[:split], "--json", str(report), *arguments[split:]]
        start = perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        wall = perf_counter() - start
        if process.returncode != 0:
            raise WrongCountError(f"'mazurka check {' '.join(arguments)}' ended with {process.returncode}")
        found = json.loads(report.read_text(encoding="utf-8"))
    if row is not None and found["executions"] != {"complete": row.complete, "blocked": row.blocked}:
        raise WrongCountError(
            f"{row.name}: expected {row.complete}, {row.blocked}, found {found['executions']}"
        )
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, found["seconds"]["explore"])


def check_row(row: Row) -> Run:
    """One ``mazurka check`` of a row."""
    equivalence = ["--equivalence", "rf"] if row.reads_from else []
    return run_check([str(row.path), "--model", row.model_argument, *equivalence, "--", *row.cflags], row)


def seconds_to_check(path: Path, repetitions: int = 5) -> float:
    """Wall-clock seconds of ``mazurka check``, everything included, with warm caches."""
    return min(run.wall for run in [run_check([str(path)]) for _ in range(repetitions + 1)][1:])
