"""HMC's tables: rows have the executions that they state, and these have a source that is not the engine.

Numbers that no paper and no formula gives are counted again: as interleavings, where a program's fences and
orders leave nothing else, or with a small parameter by brute force, which knows nothing of the exploration.
"""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from interleavings import count_executions
from litmus_table import LitmusRow, litmus_rows
from mazurka.frontend import compile_program
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.reference import enumerate_executions
from mazurka.testing import parse_litmus, to_c
from profiles import heavy, some

from benchmarks.hardware.rows import FOLDER, HMC_ROWS, MODELS, SHORT, HmcRow
from benchmarks.hardware.tables import Explored, explore, insist, select
from benchmarks.runner import WrongCountError

ROWS = {row.name: row for row in HMC_ROWS}
# Rows that take seconds under the models of machines, and what the benchmarks alone explore.
LONG = {
    *("readers(15)", "nwrites-loc(7)", "nwrites-loc(8)", "peterson(20)", "peterson(30)"),
    *("szymanski(2)", "szymanski(3)", "lamport(3)", "binc(5)", "indexer(12)", "indexer(13)"),
    *("indexer(14)", "indexer(15)", "linuxrwlocks"),
}
EXPLORED = [row for row in HMC_ROWS if row.name not in LONG]


@pytest.mark.parametrize("row", some(EXPLORED, every=6), ids=lambda row: row.name)
def test_the_engine_finds_what_the_row_states(row: HmcRow) -> None:
    insist(row, {model: explore(row, model, None) for model in MODELS})


COUNTED = [row for row in EXPLORED if row.source == "interleavings"]


@pytest.mark.parametrize("row", some(COUNTED, every=3, ci=2), ids=lambda row: row.name)
def test_counts_are_the_interleavings(row: HmcRow) -> None:
    program = compile_program(row.path, cflags=row.flags, without=("spin-assume", "dynamic-spin-assume"))
    assert count_executions(program) == (row.complete, 0)


# A program with a small parameter, and its executions under a model.
SMALL = [
    ("mp", "-DN=3", "imm", 4),
    ("peterson", "-DN=1", "armv8", 14),
    pytest.param("mpmc-queue", "-DBOUND=1", "imm", 22, marks=heavy),
]


@pytest.mark.parametrize(("stem", "flag", "name", "expected"), SMALL)
def test_small_programs_have_the_executions_of_brute_force(
    stem: str, flag: str, name: str, expected: int
) -> None:
    row = HmcRow(0, stem, FOLDER / f"{stem}.c", (flag,), None, None, "same")
    model = named_model(name)
    program = apply_mapping(compile_program(row.path, cflags=row.flags), model.mapping)
    counted = enumerate_executions(program, model)
    assert not counted.findings
    assert (len(counted.complete), len(counted.blocked)) == (expected, 0)
    found = explore(row, name, None)
    assert found is not None
    assert (found.complete, found.blocked) == (expected, 0)


def test_the_weaker_deque_has_as_many_executions() -> None:
    """The paper says so of its two versions of the deque."""
    strong, weak = (ROWS[name].complete for name in ("DQ/211-2-1", "DQ-opt/211-2-1"))
    assert strong == weak


@pytest.mark.parametrize("row", some(litmus_rows(), every=3), ids=lambda row: row.name)
def test_litmus_programs_have_the_executions_of_imm(row: LitmusRow, tmp_path: Path) -> None:
    """From C to the shipped model, as ``mazurka check --model imm`` does it."""
    path = tmp_path / "litmus.c"
    path.write_text(to_c(parse_litmus(row.program)), encoding="utf-8")
    outcome = mazurka.check(path, model="imm")
    assert (outcome.verdict, outcome.complete, outcome.blocked) == ("verified", row.imm, 0)


def test_a_wrong_number_is_noticed() -> None:
    one, two = Explored(31, 0, 0.1), Explored(32, 0, 0.1)
    with pytest.raises(WrongCountError, match="expected 32"):
        insist(ROWS["readers(5)"], {"rc11": two, "armv8": one})
    with pytest.raises(WrongCountError, match="rc11 and imm differ"):
        insist(ROWS["parker(3)"], {"rc11": two, "imm": one})
    insist(ROWS["mpmc-queue"], {"rc11": two, "imm": one})
    insist(ROWS["parker(3)"], {"rc11": two, "imm": None, "armv8": one})


def test_rows_are_found_by_name() -> None:
    assert len(ROWS) == len(HMC_ROWS)
    assert ROWS.keys() >= LONG
    assert [row.name for row in select([], short=True)] == list(SHORT)
    assert [row.name for row in select(["mp"], short=False)] == ["mp(10)", "mp(50)", "mp(100)"]
    assert [row.name for row in select(["DQ/211-2-1"], short=False)] == ["DQ/211-2-1"]
