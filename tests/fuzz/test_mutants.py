"""Mutated C programs: every one gets an answer, or an error with a cure.

No exit status 70, no traceback, no signal, no process or folder left behind, and neither 30 s nor 2 GB
despite limits that are far lower. ``MAZURKA_PROFILE=slow`` tries 20 000 mutants. ``PYTHONPATH=tests python
tests/fuzz/test_mutants.py 0 1000`` tries the mutants of these seeds and prints what it finds. What a seed
draws changes with the programs that are there, so each finding is printed with what was changed.
"""

from __future__ import annotations

import sys
import tempfile
from difflib import unified_diff
from pathlib import Path

import pytest
from harness import Ran, check_mutants, still_running, summary
from mutants import ROOT, mutant, sources
from profiles import SLOW, amount

COUNT = amount(160, 20_000)
PARTS = 40 if SLOW else 2  # that pytest-xdist can share
TIME_LIMIT = 2.0  # seconds of one check


def found_in(runs: list[Ran]) -> list[str]:
    return [
        f"seed {run.seed} ({run.program.name} {run.options}): {', '.join(faults)}\n{run.said[:600]}"
        for run in runs
        if (faults := list(run.faults()))
    ]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_is_answered(part: int, tmp_path: Path) -> None:
    runs = list(
        check_mutants(range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS), tmp_path, TIME_LIMIT)
    )
    assert runs
    print(summary(runs))
    assert not found_in(runs), "\n".join(found_in(runs))
    assert not still_running(tmp_path)


def difference(run: Ran) -> list[str]:
    """What was changed in a program."""
    _, data = mutant(run.seed, sources())
    before = run.program.read_text(encoding="utf-8").splitlines()
    after = data.decode("utf-8", "replace").splitlines()
    return list(unified_diff(before, after, str(run.program.relative_to(ROOT)), "mutant", lineterm="", n=0))


def report(first: int, last: int) -> None:
    """Checks the mutants of a range of seeds and prints findings as they come."""
    runs: list[Ran] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        for run in check_mutants(range(first, last), folder, TIME_LIMIT):
            runs.append(run._replace(said=run.said[:600]))
            for finding in found_in([run]):
                print(finding, *difference(run), sep="\n", flush=True)
            if len(runs) % 250 == 0:
                print(f"up to seed {run.seed}: {summary(runs)}; running: {still_running(folder)}", flush=True)
        print(f"done: {summary(runs)}; running: {still_running(folder)}", flush=True)


if __name__ == "__main__":
    report(int(sys.argv[1]), int(sys.argv[2]))
