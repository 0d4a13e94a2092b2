"""Compares two builds side by side: the tree as it is, and another revision of it.

Both are built the same way into a temporary directory. Rows and programs are those of the present tree; only
the package differs. Each exploration is a process of its own, and the two builds take turns.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from benchmarks.report import line
from benchmarks.rows import Row
from benchmarks.runner import insist
from benchmarks.yardstick import ROOT

HEADER = ("program", "executions", "before s", "now s", "ratio")


class BuildError(Exception):
    """A revision that does not exist or cannot be built."""


@dataclass(frozen=True)
class Duel:
    """One row's best exploration times with both builds; ``problem`` if the other build cannot run it."""

    row: Row
    before: float | None
    now: float
    problem: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times as fast as before it is now."""
        return None if self.before is None else self.before / self.now


def compare(revision: str, rows: Sequence[Row], repetitions: int) -> list[Duel]:
    """Builds, runs and prints; the rows in order."""
    duels = []
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        before, now = _builds(revision, directory)
        print(line(HEADER))
        for duel in _duels(rows, repetitions, before, now):
            print(line(_cells(duel)) + (f"  {duel.problem}" if duel.problem else ""), flush=True)
            duels.append(duel)
    if ratios := [duel.ratio for duel in duels if duel.ratio is not None]:
        print(f"as fast as {revision}, geometric mean: {geometric_mean(ratios):.3f} times")
    return duels


def duel_json(duel: Duel) -> dict[str, Any]:
    """A comparison for other programs."""
    return {
        "name": duel.row.name,
        "before_seconds": duel.before,
        "now_seconds": duel.now,
        "ratio": duel.ratio,
        "problem": duel.problem or None,
    }


def _builds(revision: str, directory: Path) -> tuple[Path, Path]:
    """The installed packages of the revision and of the present tree."""
    other = directory / "source"
    _extract(revision, other)
    found = []
    for source, name in ((other, "before"), (ROOT, "now")):
        print(
            f"building {revision if source is other else 'the present tree'} ...", file=sys.stderr, flush=True
        )
        found.append(_install(source, directory / name, directory / "target"))
    return found[0], found[1]


def _extract(revision: str, target: Path) -> None:
    """The files of a revision, without any change to the repository."""
    command = ["git", "-C", str(ROOT), "archive", "--format=tar", f"{revision}^{{commit}}"]
    run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode != 0:
        raise BuildError(f"there is no revision '{revision}': {_last_line(run.stderr)}")
    with tarfile.open(fileobj=BytesIO(run.stdout)) as archive:
        archive.extractall(target)


def _install(source: Path, target: Path, build: Path) -> Path:
    """Installs the package of a tree by itself; what it needs is here already."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(target),
        str(source),
    ]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(build), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, check=False)
    if run.returncode != 0:
        raise BuildError(f"{source.name} cannot be built:\n{run.stderr.decode(errors='replace').strip()}")
    return target


def _last_line(output: bytes) -> str:
    return (output.decode(errors="replace").strip().splitlines() or ["git failed"])[-1]


def _duels(rows: Sequence[Row], repetitions: int, before: Path, now: Path) -> Iterator[Duel]:
    for row in rows:
        times: dict[Path, list[float]] = {before: [], now: []}
        problem = ""
        for _ in range(repetitions):
            for build in (before, now):
                found = _run(row, build)
                if "error" in found and build == before:
                    problem = found["error"]
                    continue
                insist(row, found)
                times[build].append(found["seconds"])
        yield Duel(row, min(times[before], default=None), min(times[now]), problem)


def _run(row: Row, build: Path) -> dict[str, Any]:
    equivalence = "rf" if row.reads_from else "co"
    script = Path(__file__).with_name("side.py")
    command = [sys.executable, str(script), str(row.path), row.model_argument, equivalence, *row.cflags]
    environment = {**os.environ, "PYTHONPATH": str(build), "MAZURKA_CACHE": "off"}
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(run.stdout)
    if not Path(found["package"]).is_relative_to(build):
        raise BuildError(f"{found['package']} was run, not the package in {build}")
    return found


def _cells(duel: Duel) -> tuple[str, ...]:
    before = "-" if duel.before is None else f"{duel.before:.3f}"
    ratio = "-" if duel.ratio is None else f"{duel.ratio:.3f}"
    return duel.row.name, f"{duel.row.complete}", before, f"{duel.now:.3f}", ratio
