"""The three tables: programs of one size explored byte by byte, lockref, and Mixer against single bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

from benchmarks.rows import Row
from benchmarks.sizes import forced, lockref, naive
from benchmarks.sizes.forced import Forced
from benchmarks.sizes.lockref import Lockref
from benchmarks.sizes.naive import ByteShape, Waste

FORCED_HEADER = ("byte by byte", "executions", "default s", "plain s", "forced s", "forced/plain")
LOCKREF_HEADER = ("several sizes", "complete", "paper", "seconds", "paper s")
NAIVE_HEADER = ("Mixer against single bytes", "Mixer", "seconds", "bytes", "seconds", "gain")


@dataclass(frozen=True)
class Chosen:
    """What is measured."""

    rows: Sequence[Row]
    lockrefs: Sequence[Lockref]
    shapes: Sequence[ByteShape]

    def __bool__(self) -> bool:
        return bool(self.rows or self.lockrefs or self.shapes)


@dataclass(frozen=True)
class SizeFigures:
    """What was measured."""

    forced: Sequence[Forced] = ()
    lockrefs: Sequence[Lockref] = ()
    wastes: Sequence[Waste] = ()


NO_SIZES = SizeFigures()


def select(names: Sequence[str], *, short: bool) -> Chosen:
    """The rows of some names, or all."""
    return Chosen(forced.select(names, short), lockref.select(names, short), naive.select(names, short))


def everything() -> list[Row | Lockref | ByteShape]:
    """All rows."""
    return [*forced.FORCED, *lockref.EXPECTED, *naive.SHAPES]


def forced_cells(one: Forced) -> tuple[str, ...]:
    """A line under ``FORCED_HEADER``."""
    seconds = (one.default, one.plain, one.forced)
    return (one.row.name, f"{one.executions}", *(f"{s:.4f}" for s in seconds), f"{one.ratio:.2f}")


def mean_cells(found: Sequence[Forced]) -> tuple[str, ...]:
    """The last line under ``FORCED_HEADER``."""
    return ("geometric mean", "", "", "", "", f"{geometric_mean(one.ratio for one in found):.2f}")


def lockref_cells(one: Lockref) -> tuple[str, ...]:
    """A line under ``LOCKREF_HEADER``."""
    return (one.name, f"{one.complete}", f"{one.paper}", f"{one.seconds:.3f}", f"{one.paper_seconds:.2f}")


def naive_cells(one: Waste) -> tuple[str, ...]:
    """A line under ``NAIVE_HEADER``."""
    mixer = (f"{one.mixer.executions}", f"{one.mixer.seconds:.4f}")
    if one.naive is None:
        return (one.shape.name, *mixer, "-", f"> {naive.PATIENCE:g}", "-")
    gain = one.naive.executions / one.mixer.executions
    return (one.shape.name, *mixer, f"{one.naive.executions}", f"{one.naive.seconds:.4f}", f"{gain:.0f}")


def as_json(found: SizeFigures) -> dict[str, Any]:
    """For other programs."""
    return {
        "forced": [
            {
                "name": one.row.name,
                "executions": one.executions,
                "default_seconds": one.default,
                "plain_seconds": one.plain,
                "forced_seconds": one.forced,
                "ratio": one.ratio,
            }
            for one in found.forced
        ],
        "lockref": [
            {"name": one.name, "complete": one.complete, "paper": one.paper, "seconds": one.seconds}
            for one in found.lockrefs
        ],
        "single_bytes": [
            {
                "name": one.shape.name,
                "mixer": one.mixer.executions,
                "mixer_seconds": one.mixer.seconds,
                "bytes": one.naive and one.naive.executions,
                "bytes_seconds": one.naive and one.naive.seconds,
            }
            for one in found.wastes
        ],
    }


def measure(chosen: Chosen, repetitions: int, show: Callable[[Sequence[str]], None]) -> SizeFigures:
    """Measures what is chosen; each line is shown when it is known."""
    slower, lockrefs, wastes = [], [], []
    if chosen.rows:
        show(FORCED_HEADER)
        for one in forced.force(chosen.rows, repetitions):
            slower.append(one)
            show(forced_cells(one))
        show(mean_cells(slower))
    if chosen.lockrefs:
        show(LOCKREF_HEADER)
        for ref in lockref.explore(chosen.lockrefs):
            lockrefs.append(ref)
            show(lockref_cells(ref))
    if chosen.shapes:
        show(NAIVE_HEADER)
        for waste in naive.compare(chosen.shapes):
            wastes.append(waste)
            show(naive_cells(waste))
    return SizeFigures(slower, lockrefs, wastes)
