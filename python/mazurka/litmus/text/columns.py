"""Reads the table of an assembly test: one column for each thread, ``|`` between them, ``;`` after a row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mazurka.litmus.text.problems import Source

_HEADER = re.compile(r"P(\d+)(?:@[\w.]+)?(?::.*)?")
_LABEL = re.compile(r"\s*([A-Za-z_.][\w.$]*)\s*:(?!:)")
_TABLE = "write one column per thread:  P0 | P1 ;  and one row for each instruction, ended by ';'"


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a column: a label or an instruction, and its offset in the file."""

    text: str
    at: int
    is_label: bool = False


def read_columns(source: Source, text: str, start: int, end: int) -> list[list[Cell]]:
    """The cells of each thread, from top to bottom."""
    rows = _rows(source, text, start, end)
    if not rows:
        raise source.problem(start, "the test has no threads", hint=_TABLE)
    columns: list[list[Cell]] = [[] for _ in rows[0]]
    for number, cell in enumerate(rows[0]):
        match = _HEADER.fullmatch(cell.text)
        if not match or int(match[1]) != number:
            raise source.problem(
                cell.at,
                f"expected the name of thread {number}, P{number}",
                hint=_TABLE,
                length=len(cell.text) or 1,
            )
    for row in rows[1:]:
        if len(row) > len(columns):
            raise source.problem(
                row[len(columns)].at,
                f"this row has {len(row)} columns, but the number of threads is {len(columns)}",
                hint=_TABLE,
            )
        for column, cell in zip(columns, row, strict=False):
            column += _split_labels(cell)
    return columns


def _rows(source: Source, text: str, start: int, end: int) -> list[list[Cell]]:
    rows, at = [], start
    while text[at:end].strip():
        stop = text.find(";", at, end)
        if stop < 0:
            missing = at + len(text[at:end].rstrip())
            raise source.problem(missing, "this row does not end", hint="end each row of the table with ';'")
        rows.append(_cells(text, at, stop))
        at = stop + 1
    return rows


def _cells(text: str, at: int, stop: int) -> list[Cell]:
    cells = []
    for part in text[at:stop].split("|"):
        stripped = part.strip()
        cells.append(Cell(stripped, at + len(part) - len(part.lstrip()) if stripped else at))
        at += len(part) + 1
    return cells


def _split_labels(cell: Cell) -> list[Cell]:
    found, text, at = [], cell.text, cell.at
    while match := _LABEL.match(text):
        found.append(Cell(match[1], at + match.start(1), is_label=True))
        text, at = text[match.end() :], at + match.end()
    stripped = text.strip()
    if stripped:
        found.append(Cell(stripped, at + len(text) - len(text.lstrip())))
    return found
