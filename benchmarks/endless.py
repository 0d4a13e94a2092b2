"""Endless loops: each is reported, within limits on time and memory.

Every shape of ``endless_shapes`` is checked under some models and up to reads-from, each time by a
``mazurka check`` of its own, compiler and planner included. An answer other than the shape's, more than
``SECONDS`` of CPU time or more than ``MIB`` of memory is a missed limit. The limits that the command itself
is given are wider, so that a missed limit shows by how much it was missed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.command import MAZURKA
from benchmarks.endless_shapes import SHAPES, Shape
from benchmarks.processes import WrongAnswerError, run_process

SECONDS, MIB = 10.0, 1024.0
KILLED_AFTER = 40  # seconds of CPU time
MEMORY_LIMIT = ("--memory-limit", "2G")
SETTINGS = {model: ("--model", model) for model in ("rc11", "tso", "pso")} | {
    "rf": ("--model", "rc11", "--equivalence", "rf")
}
# The short pass: what takes well under a second.
SHORT = {
    "rc11": (
        *("wait", "wait for a store", "wait by exchange", "wait by compare", "test and set, bounded spin"),
        *("test and set, backing off", "sequence lock", "take turns", "store", "fence", "print what is read"),
        *("recurse", "compare and increment"),
    ),
    "rf": ("increment", "lock", "allocate", "counter to the largest number"),
}


@dataclass(frozen=True)
class Naming:
    """The answer for one shape in one setting, and what it took."""

    shape: Shape
    setting: str
    answer: str
    seconds: float
    mib: float

    @property
    def name(self) -> str:
        """The shape with its setting."""
        return f"{self.shape.name} {self.setting}"

    @property
    def kept(self) -> bool:
        """Whether it is what the shape expects, within the limits."""
        return self.answer == self.shape.expected and self.seconds <= SECONDS and self.mib <= MIB


def select(names: Sequence[str], short: bool) -> list[tuple[Shape, str]]:
    """The shapes with some names, or all of them, in all settings; or those of the short pass."""
    pairs: Iterable[tuple[Shape, str]] = product(SHAPES, SETTINGS)
    if short:
        pairs = ((shape, setting) for shape, setting in pairs if shape.name in SHORT.get(setting, ()))
    return [
        (shape, setting)
        for shape, setting in pairs
        if not names or {shape.name, f"{shape.name} {setting}"} & set(names)
    ]


def name_loops(pairs: Sequence[tuple[Shape, str]]) -> Iterator[Naming]:
    """Checks shapes in settings, one after the other."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "shape.c"
        for shape, setting in pairs:
            path.write_text(shape.source, encoding="utf-8")
            # The shapes are about loops that go round, also those that wait.
            options = (
                *SETTINGS[setting],
                *MEMORY_LIMIT,
                "--no-spin-assume",
                "--no-dynamic-spin-assume",
                "--workers",
                "1",
                "--json",
                "-",
            )
            run = run_process([*MAZURKA, "check", str(path), *options], quiet=True, most_seconds=KILLED_AFTER)
            answer = _answer(json.loads(run.output)) if run.output else f"killed:{-run.status}"
            yield Naming(shape, setting, answer, run.cpu, run.peak_kib / 1024)


def insist(namings: Sequence[Naming]) -> None:
    """Complains unless all answers are those that the shapes expect."""
    wrong = [one for one in namings if one.answer != one.shape.expected]
    if wrong:
        raise WrongAnswerError(
            "; ".join(f"{one.name}: expected {one.shape.expected}, found {one.answer}" for one in wrong)
        )


def _answer(said: Mapping[str, Any]) -> str:
    """A verdict, the kind of a violation, or an error and its line, as shapes write it."""
    if "error" in said:
        return Shape.refused(said["error"]["code"], (said["error"]["location"] or {}).get("line"))
    return str(said["violation"]["kind"] if said["violation"] else said["verdict"])
