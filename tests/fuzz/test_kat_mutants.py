"""Mutated model files through every command that reads one: an answer or an error, never a crash.

Three commands for each mutant, picked by its seed. Each runs in a forked process of its own, whose time and
memory are limited and measured. ``slow`` tries 5 000 mutants. Run as a program with two seeds, this file
tries the mutants between them and prints what it finds; ``kat_mutants.mutant(seed)`` draws a file again.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from kat_mutants import mutant
from mazurka.cli import commands as cli
from mazurka.errors import MazurkaError
from mazurka.kat.language.load import load_text
from mazurka.models.registry import FOLDER_OF_CLAIMS
from profiles import PROFILE, heavy

COUNT = {"quick": 8, "ci": 60, "slow": 5_000}[PROFILE]
PARTS = 4  # tests that share the mutants, so that several processes can run them
MOST_BYTES = 2 << 30
MOST_PROCESSOR = 30  # seconds, after which the system ends the command by a signal
ALLOWED = {0, 1, 2, 3}
LIMIT = ("--time-limit", "2")
PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int plain;
static void *other(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_fetch_add(&x, 1);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&y, memory_order_acquire))
        plain = x;
    pthread_join(t, 0);
    return plain;
}
"""
CHECKS = (
    (),
    ("--unchecked-model",),
    ("--unchecked-model", "--audit"),
    ("--equivalence", "rf"),
    ("--verbose",),
)
QUESTIONS = (
    *(("models",), ("models", "--explain"), ("models", "--explain", "--unchecked-model")),
    *(("prove", *LIMIT, "monotone"), ("prove", *LIMIT, "no-thin-air"), ("prove", *LIMIT, "weaker", "sc")),
    *(("prove", *LIMIT, "equivalent", "rc11"),),
)


class Ran(NamedTuple):
    """How a command ended."""

    seed: int
    arguments: list[str]
    status: int  # negative: ended by a signal
    processor: float  # seconds
    peak: int  # bytes
    said: str

    def is_wrong(self) -> bool:
        """Whether it crashed, or took too much. Past the seconds the system has ended it by a signal."""
        return self.status not in ALLOWED or "Traceback" in self.said or self.peak > MOST_BYTES

    def __str__(self) -> str:
        words = " ".join(self.arguments[:-1])
        return f"seed {self.seed}: {words}: {self.status}, {self.processor:.1f} s, {self.peak >> 20} MiB"


def commands(seed: int, model: str, program: str) -> Iterator[list[str]]:
    """The mutant is the last argument, or follows ``--model``."""
    yield ["prove", *LIMIT, model]
    yield ["check", *LIMIT, *CHECKS[seed % len(CHECKS)], program, "--model", model]
    yield [*QUESTIONS[seed % len(QUESTIONS)], model]


def load_everything(folder: Path) -> None:
    """What commands load and compile, so that the forked processes need not."""
    program = folder / "program.c"
    program.write_text(PROGRAM, encoding="utf-8")
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    for arguments in (["check", str(program), "--model", "rc11-genmc"], ["models", "--explain", "tso"]):
        cli.main(arguments)
    claims = Path(FOLDER_OF_CLAIMS)
    cli.main(["prove", str(claims / "eco.kat"), str(claims / "c11-orig-under-power.kat")])


def run_mutants(seeds: Iterable[int], folder: Path) -> Iterator[Ran]:
    """All commands of some mutants."""
    load_everything(folder)
    model = folder / "mutant.kat"
    for seed in seeds:
        model.write_bytes(mutant(seed))
        for arguments in commands(seed, str(model), str(folder / "program.c")):
            yield run_apart(seed, arguments, folder / "output")


def run_apart(seed: int, arguments: list[str], output: Path, most: int = MOST_PROCESSOR) -> Ran:
    """Runs a command in a separate process, with a limit on its CPU seconds."""
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            to = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(to, 1)
            os.dup2(to, 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            status = cli.main(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException as error:
            os.write(2, f"Traceback: {error!r}".encode())
            status = 99
        os._exit(status)
    _, code, used = os.wait4(child, 0)
    said = output.read_text(encoding="utf-8", errors="replace")
    seconds = used.ru_utime + used.ru_stime
    return Ran(seed, arguments, os.waitstatus_to_exitcode(code), seconds, used.ru_maxrss << 10, said)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_mutated_model_crashes_a_command(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # and back again afterwards
    runs = run_mutants(range(part, COUNT, PARTS), tmp_path)
    wrong = [(str(run), run.said[-400:]) for run in runs if run.is_wrong()]
    assert not wrong


# Took half a minute in spite of the limit: what leads round a location was looked for step by step.
SLOW_TO_SEARCH = """
include "rc11-genmc.kat"
include "proving/rc11-alt.kat"
assume irreflexive rc11-genmc::hb ; eco
assume acyclic rc11-genmc::psc
assume rc11-genmc::hb ; rc11-alt::seen <= rc11-genmc::psc
assume rc11-alt::location-order = eco
assume rc11-genmc::psc = 0
assert acyclic rc11-alt::location-order
"""


def test_a_proof_is_broken_off_inside_of_long_searches(tmp_path: Path) -> None:
    (tmp_path / "long.kat").write_text(SLOW_TO_SEARCH, encoding="utf-8")
    ran = run_apart(0, ["prove", *LIMIT, str(tmp_path / "long.kat")], tmp_path / "output", most=15)
    assert not ran.is_wrong(), ran


def is_model(seed: int) -> bool:
    """Whether a mutant is a file of the language."""
    try:
        load_text(mutant(seed).decode("utf-8", "replace"), require_axioms=False)
    except MazurkaError:
        return False
    return True


@heavy
def test_most_mutants_are_models() -> None:
    """What the parser refuses reaches neither the planner nor the prover."""
    assert sum(map(is_model, range(200))) > 100


def summary(runs: list[Ran]) -> str:
    """Figures about what was run."""
    seeds = {run.seed for run in runs}
    statuses = Counter((run.arguments[0], run.status) for run in runs)
    slowest, largest = max(runs, key=lambda run: run.processor), max(runs, key=lambda run: run.peak)
    return (
        f"{len(seeds)} mutants, {sum(map(is_model, seeds))} of them are models; {len(runs)} commands; "
        f"{dict(sorted(statuses.items()))}; {sum(run.processor for run in runs):.0f} s of processor\n"
        f"slowest: {slowest}\nlargest: {largest}"
    )


def report(first: int, last: int) -> None:
    """Tries the mutants of a range of seeds and prints findings as they come."""
    runs: list[Ran] = []
    with tempfile.TemporaryDirectory(prefix="kat-mutants-") as name:
        for run in run_mutants(range(first, last), Path(name)):
            runs.append(run._replace(said=""))
            if run.is_wrong() or run.processor > MOST_PROCESSOR / 3:
                print(run, run.said[-600:], sep="\n", flush=True)
    print(summary(runs))


if __name__ == "__main__":
    report(int(sys.argv[1]), int(sys.argv[2]))
