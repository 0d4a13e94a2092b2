"""The yardstick: a hand-written explorer for ``fib_bench`` under sc, compiled and run by turns.

Its source is not part of this repository. It is looked for in ``MAZURKA_SHARED`` or ``../shared``. It prints
its wall-clock time, which other work disturbs; its CPU time includes the start of a process. Both are too
long, if anything, so the smaller one is used.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from benchmarks.processes import run_process

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "fib_bench"
MISSING = "yardstick: not found (MAZURKA_SHARED or ../shared, and rustc), so no comparison"


def build_yardstick(directory: Path) -> Path | None:
    """The yardstick, compiled into a directory; None where its source or a Rust compiler is missing."""
    shared = Path(os.environ.get("MAZURKA_SHARED", ROOT.parent / "shared"))
    source = shared / "yardstick" / "yardstick.rs"
    if not source.is_file():
        return None
    program = directory / "yardstick"
    command = ["rustc", "-O", "-C", "target-cpu=native", "-A", "warnings", str(source), "-o", str(program)]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        return None
    return program


def run_yardstick(yardstick: Path, n: int, complete: int | None) -> float:
    """The yardstick's nanoseconds per execution of ``fib_bench(n)``."""
    run = run_process([str(yardstick), str(n)])
    fields = dict(word.split("=") for word in run.output.split() if "=" in word)
    executions = int(fields["executions"])
    if executions != complete:
        raise RuntimeError(f"yardstick: {executions} executions of {PROGRAM}({n}), not {complete}")
    return min(run.cpu * 1e9 / executions, float(fields["ns_per_execution"]))
