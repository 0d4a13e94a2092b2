"""Mutated C and C++ programs: every one gets an answer, or an error with a cure.

No exit status 70, no traceback, no signal, no process or folder left behind, and neither 30 s nor 2 GB
despite limits that are far lower. ``MAZURKA_PROFILE=slow`` tries 20 000 mutants. ``PYTHONPATH=tests python
tests/fuzz/test_mutants.py 0 1000`` tries the mutants of these seeds and prints what it finds; with ``c++``
after the seeds, it mutates C++ programs. What a seed draws changes with the programs that are there, so each
finding is printed with what was changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from compiling import worth_checking
from harness import Mutant, changes, check_all, found_in, report, still_running, summary
from mutants import ROOT
from profiles import SLOW, amount, heavy

COUNT = amount(80, 20_000)
COUNT_CPP = 600 if SLOW else 6  # whose headers take the compiler a second
PARTS = 40 if SLOW else 2  # that pytest-xdist can share
TIME_LIMIT = 2.0  # seconds of one check
TIME_LIMIT_CPP = 20.0  # of which the compiler takes most


@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_is_answered(part: int, tmp_path: Path) -> None:
    seeds = range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS)
    _all_answered(worth_checking(seeds, ".c", tmp_path), tmp_path, TIME_LIMIT)


@heavy
def test_every_mutant_of_cpp_is_answered(tmp_path: Path) -> None:
    _all_answered(worth_checking(range(COUNT_CPP), ".cpp", tmp_path), tmp_path, TIME_LIMIT_CPP)


def _all_answered(mutants: Iterator[Mutant], folder: Path, time_limit: float) -> None:
    runs = list(check_all(mutants, folder, time_limit))
    assert runs
    print(summary(runs))
    assert not found_in(runs), "\n".join(found_in(runs))
    assert not still_running(folder)


if __name__ == "__main__":
    import tempfile

    seeds, suffix = range(int(sys.argv[1]), int(sys.argv[2])), ".cpp" if "c++" in sys.argv[3:] else ".c"
    with tempfile.TemporaryDirectory(prefix="compiled-") as name:
        report(
            worth_checking(seeds, suffix, Path(name)),
            lambda mutant: changes(mutant, (ROOT / mutant.origin).read_text(encoding="utf-8")),
            TIME_LIMIT_CPP if suffix == ".cpp" else TIME_LIMIT,
        )
