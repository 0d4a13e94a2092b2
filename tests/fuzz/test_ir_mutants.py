"""Mutated LLVM IR, as text and as bitcode: every file gets an answer, or an error with a cure.

The same is asked of them as of mutated sources (``test_mutants``). ``MAZURKA_PROFILE=slow`` tries 20 000
mutants of all programs; the other profiles mutate a few of them. ``PYTHONPATH=tests python
tests/fuzz/test_ir_mutants.py 0 1000`` tries the mutants of these seeds and prints what it finds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from harness import Mutant, changes, check_all, found_in, report, still_running, summary
from ir_mutants import mutant
from mazurka.frontend.c.compiler import Compiler, compiler_environment
from mazurka.frontend.c.driver import FLAGS, HEADERS, TARGET
from mutants import ROOT, sources
from profiles import SLOW, amount

COUNT = amount(120, 20_000)
PARTS = 40 if SLOW else 1
EVERY = 1 if SLOW else 60  # one of this many programs is compiled
TIME_LIMIT = 3.0  # seconds of one check
# What the compiler makes by itself, with unused code removed, and what its optimiser makes of it.
# What the compiler makes for us without debug information, what its optimiser makes of it, and with it.
PLAIN = (*FLAGS, "-g0")
FAST = ("-S", "-emit-llvm", "-O2", "-fno-sanitize=undefined", "-UNDEBUG")
FORMS = (PLAIN, FAST, PLAIN, FAST, FLAGS)


def modules(every: int) -> dict[str, str]:
    """IR of some of the programs, by their names."""
    found: dict[str, str] = {}
    command = Compiler().command_for("cc")
    with tempfile.TemporaryDirectory(prefix="modules-") as folder:
        for at, path in enumerate(sources()[::every]):
            made = Path(folder) / f"{at}.ll"
            flags = [*TARGET, *FORMS[at % len(FORMS)], "-w", *HEADERS, "-I", str(path.parent)]
            subprocess.run(
                [*command, *flags, str(path), "-o", str(made)],
                capture_output=True,
                check=False,
                env=compiler_environment(folder),
            )
            if made.is_file():  # some programs are there to be rejected
                found[str(path.relative_to(ROOT))] = made.read_text(encoding="utf-8")
    return found


def mutants(seeds: Iterable[int], made: dict[str, str]) -> Iterator[Mutant]:
    names, texts = list(made), list(made.values())
    for seed in seeds:
        which, data, suffix = mutant(seed, texts)
        yield Mutant(seed, names[which], {f"mutant{suffix}": data})


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return modules(EVERY)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_mutant_is_answered(part: int, made: dict[str, str], tmp_path: Path) -> None:
    seeds = range(part * COUNT // PARTS, (part + 1) * COUNT // PARTS)
    runs = list(check_all(mutants(seeds, made), tmp_path, TIME_LIMIT))
    print(summary(runs))
    assert not found_in(runs), "\n".join(found_in(runs))
    assert not still_running(tmp_path)


def difference(one: Mutant, made: dict[str, str]) -> Sequence[str]:
    return ["bitcode"] if "mutant.bc" in one.files else changes(one, made[one.origin])


if __name__ == "__main__":
    everything = modules(every=1)
    seeds = range(int(sys.argv[1]), int(sys.argv[2]))
    report(mutants(seeds, everything), lambda one: difference(one, everything), TIME_LIMIT)
