"""Runs whole ``mazurka check`` processes: what a user waits for, start-up and front-end included."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.processes import Process, run_process
from benchmarks.rows import Row
from benchmarks.runner import WrongCountError

MAZURKA = [sys.executable, "-c", "from mazurka.cli.commands import main; raise SystemExit(main())"]


def check_row(row: Row) -> Process:
    """One ``mazurka check`` of a row, which must find the row's executions, and explore them all."""
    equivalence = ["--equivalence", "rf"] if row.reads_from else []
    whole = ["--symmetry", "off", "--no-spin-assume", "--no-dynamic-spin-assume"]
    options = ["--model", row.model_argument, *equivalence, *whole, "--workers", "1", "--json", "-"]
    run = _check([str(row.path), *options, "--", *row.cflags])
    found = json.loads(run.output)["executions"]
    if found["explored"] != {"complete": row.complete, "blocked": row.blocked}:
        raise WrongCountError(f"{row.name}: expected {row.complete} and {row.blocked}, found {found}")
    return run


def warm_check(path: Path, repetitions: int = 5) -> Process:
    """The quickest ``mazurka check`` of a few, everything included, with warm caches."""
    runs = [_check([str(path)]) for _ in range(repetitions + 1)]
    return min(runs[1:], key=lambda run: run.wall)  # the first one filled the caches


def first_check(path: Path, *cflags: str, repetitions: int = 3) -> Process:
    """The quickest ``mazurka check`` of a few that compile and plan afresh."""
    runs = [_check([str(path), "--no-cache", "--", *cflags]) for _ in range(repetitions)]
    return min(runs, key=lambda run: run.cpu)


PLAN_ALL = """
import time
from mazurka.kat.language.load import named_model
from mazurka.models.registry import runnable_models
from mazurka.soundness.requirements import plan_model

started = time.process_time()
for name in runnable_models():
    plan_model(named_model(name))
print(time.process_time() - started)
"""


def seconds_to_plan(repetitions: int = 3) -> float:
    """CPU seconds of planning all shipped models, in a process that remembers nothing."""
    return min(float(run_process([sys.executable, "-c", PLAN_ALL]).output) for _ in range(repetitions))


def _check(arguments: Sequence[str]) -> Process:
    run = run_process([*MAZURKA, "check", *arguments])
    if run.status != 0:
        raise WrongCountError(f"'mazurka check {' '.join(arguments)}' ended with {run.status}")
    return run
