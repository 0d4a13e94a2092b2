"""Compares two builds side by side: the tree as it is, and another revision of it.

Both are built the same way into a temporary directory. Rows and programs are those of the present tree; only
the package differs. Each turn is a process of its own, and the two builds take turns.
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
MOST_TURNS, ENOUGH_SECONDS = 9, 0.5  # of rows that take little time


class BuildError(Exception):
    """A revision that does not exist or cannot be built."""


class CannotRunError(Exception):
    """A build that does not know something that a row needs, such as its model."""


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
    """The installed packages of the revision and of the present tree.

    Each is built in a folder of its own. In a common one Cargo takes the crates of the two trees for the
    same, and does not build those again whose files are older than what it has.
    """
    other = directory / "source"
    _extract(revision, other)
    return (
        _install(other, directory / "before", directory / "before-build", revision),
        _install(ROOT, directory / "now", directory / "now-build", "the present tree"),
    )


def _extract(revision: str, target: Path) -> None:
    """The files of a revision, without any change to the repository."""
    command = ["git", "-C", str(ROOT), "archive", "--format=tar", f"{revision}^{{commit}}"]
    run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode != 0:
        raise BuildError(f"there is no revision '{revision}': {_last_line(run.stderr)}")
    with tarfile.open(fileobj=BytesIO(run.stdout)) as archive:
        archive.extractall(target)


def _install(source: Path, target: Path, build: Path, name: str) -> Path:
    """Installs the package of a tree by itself; what it needs is here already."""
    print(f"building {name} ...", file=sys.stderr, flush=True)
    options = ["--quiet", "--no-deps", "--disable-pip-version-check", "--target", str(target)]
    run = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(source)],
        env={**os.environ, "CARGO_TARGET_DIR": str(build)},
        capture_output=True,
        check=False,
    )
    if run.returncode != 0:
        raise BuildError(f"{name} cannot be built:\n{run.stderr.decode(errors='replace').strip()}")
    return target


def _last_line(output: bytes) -> str:
    return (output.decode(errors="replace").strip().splitlines() or ["no message"])[-1]


def _duels(rows: Sequence[Row], repetitions: int, before: Path, now: Path) -> Iterator[Duel]:
    for row in rows:
        times: dict[Path, list[float]] = {before: [], now: []}
        problem = ""
        while len(times[now]) < repetitions or _is_noise(times[now]):
            times[now].append(_seconds(row, now))
            try:
                times[before].append(_seconds(row, before))
            except CannotRunError as error:
                problem = str(error)
        yield Duel(row, min(times[before], default=None), min(times[now]), problem)


def _is_noise(times: Sequence[float]) -> bool:
    """Whether a row is so short that more turns cost little and are needed."""
    return len(times) < MOST_TURNS and sum(times) < ENOUGH_SECONDS


def _seconds(row: Row, build: Path) -> float:
    """CPU seconds of one exploration by a build."""
    equivalence = "rf" if row.reads_from else "co"
    script = Path(__file__).with_name("side.py")
    command = [sys.executable, str(script), str(row.path), row.model_argument, equivalence, *row.cflags]
    environment = {**os.environ, "PYTHONPATH": str(build)}
    run = subprocess.run(command, env=environment, capture_output=True, check=False)
    if run.returncode != 0:
        raise CannotRunError(f"{row.name}: {_last_line(run.stderr)}")
    found: dict[str, Any] = json.loads(run.stdout)
    if not Path(found["package"]).is_relative_to(build):
        raise BuildError(f"{found['package']} was run, not the package in {build}")
    insist(row, found["status"], found["complete"], found["blocked"])
    seconds: float = found["seconds"]
    return seconds


def _cells(duel: Duel) -> tuple[str, ...]:
    before = "-" if duel.before is None else f"{duel.before:.3f}"
    ratio = "-" if duel.ratio is None else f"{duel.ratio:.3f}"
    return duel.row.name, f"{duel.row.complete}", before, f"{duel.now:.3f}", ratio
