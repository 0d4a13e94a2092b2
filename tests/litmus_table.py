"""The tables of counts that others measured (``tests/figures``), read in one place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FIGURES = Path(__file__).resolve().parent / "figures"


class LitmusRow(NamedTuple):
    """A program in litmus notation, and how many complete executions it has under each model."""

    name: str
    sc: int
    tso: int
    ra: int
    rc11: int
    imm: int
    program: str


def cells(name: str) -> list[list[str]]:
    """The rows of a table, cell by cell."""
    lines = (FIGURES / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]


def litmus_rows() -> list[LitmusRow]:
    """The rows of the litmus table."""
    return [_litmus_row(*row) for row in cells("litmus.tsv")]


def _litmus_row(name: str, sc: str, tso: str, ra: str, rc11: str, imm: str, program: str) -> LitmusRow:
    return LitmusRow(name, int(sc), int(tso), int(ra), int(rc11), int(imm), program)
