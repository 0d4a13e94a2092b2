"""HMC's tables: the executions of each row under several models, and the seconds that exploring them takes.

A program that does not wait is explored as it is, without reductions, so that the numbers under all models
can be compared. One that waits has its loops cut short. Under the models of machines less is cut, because an
event may be kept while earlier ones of its thread are removed, so there the numbers differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any, NamedTuple

from mazurka import _engine
from mazurka.frontend import compile_program
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.soundness.requirements import plan_program

from benchmarks.hardware.rows import HMC_ROWS, MODELS, SHORT, HmcRow
from benchmarks.runner import WrongCountError

HEADER = ("HMC", *(cell for model in MODELS for cell in (model, "seconds")), "GenMC s", "HMC s")
# Seconds that an exploration may take.
PATIENCE = 30.0
_STOP_SPINS = ("spin-assume", "dynamic-spin-assume")


class Explored(NamedTuple):
    """The executions under one model, and the seconds of exploring them."""

    complete: int
    blocked: int
    seconds: float

    @property
    def seconds_each(self) -> float:
        """The seconds of one execution."""
        return self.seconds / (self.complete + self.blocked)


@dataclass(frozen=True)
class HmcFigure:
    """A row with what was found under each model; None: it took too long."""

    row: HmcRow
    found: Mapping[str, Explored | None]


def select(names: Sequence[str], *, short: bool) -> list[HmcRow]:
    """The rows of some names, or all."""
    rows = [row for row in HMC_ROWS if not short or row.name in SHORT]
    return [row for row in rows if not names or {row.name, row.name.partition("(")[0]} & set(names)]


def explore(row: HmcRow, model: str, time_limit: float | None = PATIENCE) -> Explored | None:
    """A row under one model; its seconds are CPU time."""
    meaning = named_model(model)
    compiled = compile_program(row.path, cflags=row.flags, without=() if row.waits else _STOP_SPINS)
    program = apply_mapping(compiled, meaning.mapping)
    plan = plan_program(meaning, program)
    reductions: dict[str, Any] = dict.fromkeys(("load_annotations", "confirmations"), row.waits)
    start = process_time()
    found = _engine.explore(program.encode(), plan.encode(), time_limit=time_limit, **reductions)
    seconds = process_time() - start
    if found.status == "interrupted":
        return None
    if found.status != "finished":
        raise WrongCountError(f"{row.name} {model}: {found.status}")
    return Explored(found.complete, found.blocked, seconds)


def insist(row: HmcRow, found: Mapping[str, Explored | None]) -> None:
    """Complains about numbers that are not those of the row."""
    known = {model: one.complete for model, one in found.items() if one is not None}
    if row.complete is not None and set(known.values()) - {row.complete}:
        raise WrongCountError(f"{row.name}: expected {row.complete}, found {known}")
    compared = {known[model] for model in ("rc11", "imm") if model in known}
    if not row.waits and len(compared) > 1:
        raise WrongCountError(f"{row.name}: rc11 and imm differ: {known}")


def measure(
    rows: Sequence[HmcRow], repetitions: int, show: Callable[[Sequence[str]], None]
) -> list[HmcFigure]:
    """Measures rows, table by table; each line is shown when it is known."""
    figures: list[HmcFigure] = []
    for row in rows:
        if not figures or figures[-1].row.table != row.table:
            show((f"HMC, table {row.table}", *HEADER[1:]))
        found = {model: _best(row, model, repetitions) for model in MODELS}
        insist(row, found)
        figures.append(HmcFigure(row, found))
        show(_cells(figures[-1]))
    return figures


def _best(row: HmcRow, model: str, repetitions: int) -> Explored | None:
    """The quickest of some explorations; one that takes seconds is not repeated."""
    best: Explored | None = None
    for _ in range(repetitions):
        one = explore(row, model)
        if one is None or one.seconds > 1:
            return one
        best = min(best or one, one, key=lambda explored: explored.seconds)
    return best


def _cells(figure: HmcFigure) -> tuple[str, ...]:
    """A line under ``HEADER``."""
    cells: list[str] = []
    for model in MODELS:
        one = figure.found[model]
        counts = f"{one.complete}" + (f"+{one.blocked}" if one.blocked else "") if one else "-"
        cells += [counts, f"{one.seconds:.4f}" if one else f"> {PATIENCE:g}"]
    theirs = ("-" if seconds is None else f"{seconds:.2f}" for seconds in (figure.row.genmc, figure.row.hmc))
    return (figure.row.name, *cells, *theirs)


def as_json(figures: Sequence[HmcFigure]) -> list[dict[str, Any]]:
    """For other programs."""
    return [
        {
            "table": figure.row.table,
            "name": figure.row.name,
            "source": figure.row.source,
            "expected": figure.row.complete,
            "models": {model: one and one._asdict() for model, one in figure.found.items()},
            "genmc_seconds": figure.row.genmc,
            "hmc_seconds": figure.row.hmc,
        }
        for figure in figures
    ]
