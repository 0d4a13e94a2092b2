"""Memory is linear in the workers and flat in the executions, however often work is handed over."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from math import factorial
from pathlib import Path
from typing import Any

from benchmarks.rows import ROWS
from benchmarks.runner import encode

ROOT = Path(__file__).parents[2]
EXP_MEM = next(row for row in ROWS if row.program == "exp-mem")
EXPLORE = """\
import json, sys
from benchmarks.peak import load_engine, peak

data, workers = sys.stdin.buffer.read(), int(sys.argv[1])
size = int.from_bytes(data[:4], "little")
engine = load_engine()
result = engine.explore(data[4 + size :], data[4 : 4 + size], workers=workers, eager=workers > 1)
print(json.dumps({"complete": result.complete, "parts": result.parts, "peak": peak()}))
"""


def explore(n: int, workers: int) -> dict[str, Any]:
    """Explores exp-mem in a separate process, sharing work whenever possible."""
    task = encode(replace(EXP_MEM, n=n))
    run = subprocess.run(
        [sys.executable, "-c", EXPLORE, str(workers)],
        input=len(task.plan).to_bytes(4, "little") + task.plan + task.program,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        check=True,
    )
    result: dict[str, Any] = json.loads(run.stdout)
    assert result["complete"] == 2 * factorial(n)
    return result


def test_memory_with_workers() -> None:
    alone = explore(6, workers=1)
    small, large = (explore(n, workers=4) for n in (6, 8))
    assert large["parts"] > 20
    # 56 times as many executions.
    assert large["peak"] <= 1.1 * small["peak"]
    # A worker has a stack, and a pool of graphs: some hundred KiB.
    assert large["peak"] - alone["peak"] <= 4 * 1024
