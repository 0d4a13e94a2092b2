"""Shows figures: tables for people, JSON for programs (``README.md`` documents its fields)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mazurka

from benchmarks.endless import Naming
from benchmarks.genmc import Rivalry
from benchmarks.hardware import tables as hardware
from benchmarks.hardware.tables import HmcFigure
from benchmarks.limits import Limit
from benchmarks.prover import Proof
from benchmarks.runner import Measurement
from benchmarks.sizes import tables
from benchmarks.sizes.tables import NO_SIZES, SizeFigures
from benchmarks.waiting import Waited
from benchmarks.workers import SpeedUp

ROWS_HEADER = (
    *("program", "complete", "blocked", "seconds", "exec/s", "ns/exec", "events/s"),
    *("peak MiB", "growth MiB", "x yardstick"),
)
WORKERS_HEADER = ("program", "executions", "one s", "two s", "speed-up")
GENMC_HEADER = ("program", "executions", "GenMC s", "ours s", "ratio", "explore s", "ratio")
PROVER_HEADER = ("row of thesis table 10.1", "claims", "result", "Kater s", "ours s", "ratio")
WAITING_HEADER = ("waiting", "without", "blocked", "with", "blocked", "gain", "thesis", "seconds")
ENDLESS_HEADER = ("endless loop", "seconds", "peak MiB", "answer")


@dataclass(frozen=True)
class Figures:
    """What a run measured; what it left out is empty."""

    rows: Sequence[Measurement] = ()
    genmc: Sequence[Rivalry] = ()
    workers: Sequence[SpeedUp] = ()
    prover: Sequence[Proof] = ()
    endless: Sequence[Naming] = ()
    waiting: Sequence[Waited] = ()
    sizes: SizeFigures = NO_SIZES
    hardware: Sequence[HmcFigure] = ()


def line(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"{cells[0]:<31}" + "".join(f"{cell:>12}" for cell in cells[1:])


def row_cells(m: Measurement) -> tuple[str, ...]:
    """A row's line, under ``ROWS_HEADER``."""
    return (
        m.row.name,
        f"{m.complete}",
        f"{m.blocked}",
        f"{m.seconds:.3f}",
        f"{m.executions / m.seconds:.0f}",
        f"{m.ns_per_execution:.0f}",
        f"{m.events / m.seconds:.0f}",
        f"{m.memory.peak_kib / 1024:.1f}",
        f"{m.memory.growth_kib / 1024:.1f}",
        f"{m.ratio:.2f}" if m.ratio else "-",
    )


def genmc_cells(rival: Rivalry) -> tuple[str, ...]:
    """A line of the comparison with GenMC, under ``GENMC_HEADER``."""
    return (
        rival.row.name,
        f"{rival.row.complete}",
        f"{rival.genmc:.2f}",
        f"{rival.ours:.3f}",
        f"{rival.ratio:.1f}",
        f"{rival.explore:.3f}",
        f"{rival.explore_ratio:.1f}",
    )


def workers_cells(one: SpeedUp) -> tuple[str, ...]:
    """A line of the comparison of numbers of workers, under ``WORKERS_HEADER``."""
    return (
        one.row.name,
        f"{one.row.complete}",
        f"{one.one:.3f}",
        f"{one.several:.3f}",
        f"{one.ratio:.2f}",
    )


def prover_cells(proof: Proof) -> tuple[str, ...]:
    """A line of the thesis's table, under ``PROVER_HEADER``."""
    kater = proof.row.kater
    return (
        proof.row.name,
        f"{proof.claims}",
        proof.row.expected,
        "-" if kater is None else f"{kater:.2f}",
        f"{proof.seconds:.3f}",
        "-" if kater is None else f"{kater / proof.seconds:.1f}",
    )


def endless_cells(naming: Naming) -> tuple[str, ...]:
    """A line of endless loops, under ``ENDLESS_HEADER``."""
    missed = "" if naming.kept else "  MISSED"
    return (naming.name, f"{naming.seconds:.2f}", f"{naming.mib:.0f}", f"  {naming.answer}{missed}")


def waiting_cells(waited: Waited) -> tuple[str, ...]:
    """A line of programs that wait, under ``WAITING_HEADER``."""
    without = [str(count) for count in waited.plain or ()] or ["-", "-"]
    gains = [f"{gain:.1f}" if gain else "-" for gain in (waited.gain, waited.row.gain)]
    return (waited.row.name, *without, *map(str, waited.reduced), *gains, f"{waited.seconds:.3f}")


def waiting_json(waited: Waited) -> dict[str, Any]:
    """A line of programs that wait for other programs."""
    return {
        "name": waited.row.name,
        "without": waited.plain,
        "with": waited.reduced,
        "thesis": waited.row.thesis,
        "seconds": waited.seconds,
    }


def row_json(m: Measurement) -> dict[str, Any]:
    """A row's figures for other programs."""
    return {
        "name": m.row.name,
        "complete": m.complete,
        "blocked": m.blocked,
        "source": m.row.source,
        "seconds": m.seconds,
        "ns_per_execution": m.ns_per_execution,
        "events": m.events,
        "start_kib": m.memory.start_kib,
        "peak_kib": m.memory.peak_kib,
        "yardstick_ns": m.yardstick_ns,
        "ratio": m.ratio,
    }


def genmc_json(rival: Rivalry) -> dict[str, Any]:
    """A line of the comparison with GenMC for other programs."""
    return {
        "name": rival.row.name,
        "genmc_seconds": rival.genmc,
        "scale": rival.scale,
        "cpu_seconds": rival.ours,
        "explore_seconds": rival.explore,
        "ratio": rival.ratio,
        "explore_ratio": rival.explore_ratio,
    }


def workers_json(one: SpeedUp) -> dict[str, Any]:
    """A line of the comparison of numbers of workers for other programs."""
    return {
        "name": one.row.name,
        "one_seconds": one.one,
        "two_seconds": one.several,
        "ratio": one.ratio,
    }


def prover_json(proof: Proof) -> dict[str, Any]:
    """A line of the thesis's table for other programs."""
    return {
        "name": proof.row.name,
        "claims": proof.claims,
        "result": proof.row.expected,
        "seconds": proof.seconds,
        "kater_seconds": proof.row.kater,
    }


def endless_json(naming: Naming) -> dict[str, Any]:
    """A line of endless loops for other programs."""
    return {"name": naming.name, "answer": naming.answer, "seconds": naming.seconds, "peak_mib": naming.mib}


def limit_json(limit: Limit) -> dict[str, Any]:
    """A promise for other programs."""
    side = "at least" if limit.at_least else "at most"
    return {"what": limit.what, "value": limit.value, "side": side, "limit": limit.limit, "kept": limit.kept}


def as_json(figures: Figures, limits: Sequence[Limit]) -> dict[str, Any]:
    """All of a run."""
    return {
        "version": mazurka.__version__,
        "rows": [row_json(m) for m in figures.rows],
        "genmc": [genmc_json(rival) for rival in figures.genmc],
        "workers": [workers_json(one) for one in figures.workers],
        "prover": [prover_json(proof) for proof in figures.prover],
        "waiting": [waiting_json(waited) for waited in figures.waiting],
        "endless": [endless_json(naming) for naming in figures.endless],
        **tables.as_json(figures.sizes),
        "hardware": hardware.as_json(figures.hardware),
        "limits": [limit_json(limit) for limit in limits],
    }
