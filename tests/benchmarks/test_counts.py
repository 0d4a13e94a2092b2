"""The papers' programs have the papers' numbers of executions, and the litmus table its SC column.

Rows whose number no paper has agree with the reference for a smaller parameter.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mazurka
import pytest
from litmus_table import LitmusRow, litmus_rows
from mazurka.frontend import compile_program
from mazurka.kat.load import load_model
from mazurka.reference import verify
from mazurka.testing import parse_litmus, to_c

from benchmarks.rows import COMPARISONS, ROWS, SHORT, Row
from benchmarks.runner import encode, explore, peak_memory

SMALL, LARGE = "exp-mem(7)", "exp-mem(9)"


# exp-mem(9) is counted by the memory test, which explores it anyway.
@pytest.mark.parametrize("row", [row for row in ROWS if row.name != LARGE], ids=lambda row: row.name)
def test_count_is_the_papers(row: Row) -> None:
    explore(row, encode(row))


UNKNOWN = [row for row in ROWS if row.complete is None]


@pytest.mark.parametrize("row", UNKNOWN, ids=lambda row: row.name)
def test_smaller_count_is_the_references(row: Row) -> None:
    small = replace(row, n=2 if row.program == "fib_bench" else 1)
    program = compile_program(small.path, cflags=[f"-DN={small.n}"])
    expected = verify(program, load_model(small.model_path))
    assert expected.complete
    assert not expected.findings
    explore(replace(small, complete=len(expected.complete)), encode(small))


def test_rows_that_are_named_exist() -> None:
    names = {row.name for row in ROWS}
    assert len(names) == len(ROWS)
    assert names >= SHORT
    assert {name for pair in COMPARISONS for name in (pair.row, pair.base)} <= names


@pytest.mark.parametrize("row", litmus_rows(), ids=lambda row: row.name)
def test_litmus_count(row: LitmusRow, tmp_path: Path) -> None:
    path = tmp_path / "litmus.c"
    path.write_text(to_c(parse_litmus(row.program)), encoding="utf-8")
    outcome = mazurka.check(path, model="sc")
    assert (outcome.verdict, outcome.complete, outcome.blocked) == ("verified", row.sc, 0)


def test_memory_does_not_grow_with_the_number_of_executions() -> None:
    """TruSt's point: an exponential work list would show in exp-mem."""
    small, large = (row for row in ROWS if row.name in (SMALL, LARGE))
    assert peak_memory(large, encode(large)) <= 1.05 * peak_memory(small, encode(small))
