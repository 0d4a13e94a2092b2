"""lockref of Linux: a count that is changed together with its lock word, or under the lock (Mixer §7.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mazurka.frontend import compile_program
from mazurka.kat.language.load import named_model
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify

from benchmarks.runner import Task, WrongCountError
from benchmarks.sizes.forced import REPETITIONS, Way, repeat

PROGRAM = Path(__file__).with_name("lockref.c")
MODEL = "rc11-ra"


@dataclass(frozen=True)
class Lockref:
    """A number of threads: the executions, and the paper's, with its seconds for them."""

    threads: int
    complete: int
    paper: int
    paper_seconds: float
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """As the paper writes it."""
        return f"lockref({self.threads})"


# The counts are of our client. The paper describes its own, but does not give it.
EXPECTED = (
    Lockref(2, 5, 5, 0.03),
    Lockref(3, 84, 142, 0.04),
    Lockref(4, 4776, 27192, 3.52),
)


def select(names: Sequence[str], short: bool) -> list[Lockref]:
    """The rows of some names, or all; a short run has the first two."""
    rows = EXPECTED[:2] if short else EXPECTED
    return [row for row in rows if not names or row.name in names or "lockref" in names]


def explore(expected: Sequence[Lockref]) -> Iterator[Lockref]:
    """Each with one worker; seconds are CPU time of the exploration, the best of some."""
    model = named_model(MODEL)
    for one in expected:
        program = compile_program(PROGRAM, cflags=[f"-DN={one.threads}"])
        plan = simplify(model, classes_of(program), mixed_sizes=True)
        way = Way(Task(program.encode(), plan.encode()), {"mixed_sizes": True})
        repeat([way], REPETITIONS)
        if way.counts != ("finished", one.complete, 0):
            raise WrongCountError(f"{one.name}: {way.counts}")
        yield replace(one, seconds=way.seconds)
