"""Every row has the numbers of executions that it states, and these have a source that is not the engine.

Numbers of papers and formulas are checked by running the rows. Those that no paper has are counted here once
more: under sc by interleavings, under other models by the reference, with the row's own parameter where
Python is fast enough. And every program agrees with one of the two for a small parameter, under each model.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mazurka
import pytest
from interleavings import Count, count_executions
from litmus_table import LitmusRow, litmus_rows
from mazurka.frontend import compile_program
from mazurka.kat.language.load import load_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.reference import enumerate_executions, verify
from mazurka.reference.canonical import Equivalence
from mazurka.testing import parse_litmus, to_c
from profiles import heavy, some

from benchmarks.rows import COMPARISONS, ROWS, SHORT, Row
from benchmarks.runner import encode, explore, peak_memory

SMALL, LARGE = "exp-mem(7)", "exp-mem(9)"
MOST_EXPLORED = 3_000_000  # executions that a test explores; the full run of the benchmarks has more
MOST_ON_MACHINES = 2_000  # the same, where an execution takes much longer
MOST_INTERLEAVED = 2000  # executions that interleavings count within seconds
# Parameters for which the reference needs seconds; they are 1 where nothing is said.
SMALL_PARAMETERS = {
    **{"ainc": 3, "binc": 2, "exp-mem": 3, "fib_bench": 2, "lastzero": 3, "long": 11, "mcs-lock": 2},
    **{
        "mpmc-queue": 2,
        "N-writers": 2,
        "nwrites-loc": 3,
        "readers": 3,
        "rmw-chain": 3,
        "ring-buffer": 2,
        "ticket-lock": 3,
    },
    **{"treiber-stack": 2, "ttas-lock": 2, "barrier": 3, "barrier2": 2, "barrier3": 2, "barrier-toy": 2},
    **{"barrier-det": 1, "barrier-lock": 2, "barrier-count": 2},
}


# The same for brute force.
SMALL_ON_MACHINES = {"lastzero": 3, "readers": 3, "binc": 2, "nwrites-loc": 3}


# exp-mem(9) is counted by the memory test, which explores it anyway.
EXPLORED = [
    row
    for row in ROWS
    if (row.complete or 0) <= (MOST_ON_MACHINES if row.is_for_machine else MOST_EXPLORED)
    and row.name != LARGE
]


@pytest.mark.parametrize("row", some(EXPLORED, every=8), ids=lambda row: row.name)
def test_the_engine_finds_what_the_row_states(row: Row) -> None:
    explore(row, encode(row))


def executions(row: Row) -> int:
    assert row.complete is not None, "its source is none"
    return row.complete + row.blocked


def interleavings(row: Row) -> Count:
    return count_executions(compile_program(row.path, cflags=row.cflags))


def reference(row: Row) -> Count:
    model = load_model(row.model_path)
    program = apply_mapping(compile_program(row.path, cflags=row.cflags), model.mapping)
    equivalence: Equivalence = "rf" if row.reads_from else "co"
    count = enumerate_executions if row.is_for_machine else verify
    found = count(program, model, equivalence=equivalence)
    assert not found.findings
    return Count(len(found.complete), len(found.blocked))


INTERLEAVED = [row for row in ROWS if "interleavings" in row.source and row.model == "sc"]


@pytest.mark.parametrize(
    "row",
    some([row for row in INTERLEAVED if executions(row) <= MOST_INTERLEAVED], every=8),
    ids=lambda row: row.name,
)
def test_count_is_the_interleavings(row: Row) -> None:
    assert interleavings(row) == (row.complete, row.blocked)


@pytest.mark.parametrize(
    "row", some([row for row in ROWS if "reference" in row.source], every=8), ids=lambda row: row.name
)
def test_count_is_the_references(row: Row) -> None:
    assert reference(row) == (row.complete, row.blocked)


# One row for each program under each model, and equivalence.
KINDS = {(row.program, row.model, row.reads_from): row for row in ROWS if "reference" not in row.source}
SECONDS = {"barrier-det"}  # the reference needs several, even with the smallest parameter


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=f"{row.program} {row.name.partition(' ')[2]}",
            marks=heavy if row.program in SECONDS else (),
        )
        for row in some(list(KINDS.values()), every=12)
    ],
)
def test_smaller_count(row: Row) -> None:
    parameters = SMALL_ON_MACHINES if row.is_for_machine else SMALL_PARAMETERS
    small = replace(row, n=parameters.get(row.program, 1))
    # Brute force under a model of a machine takes minutes, and these programs have no others than sc has.
    is_counted = row.model == "sc" or (row.is_for_machine and "interleavings" in row.source)
    expected = interleavings(small) if is_counted and not row.reads_from else reference(small)
    assert expected.complete
    explore(replace(small, complete=expected.complete, blocked=expected.blocked), encode(small))


def test_every_row_has_a_source() -> None:
    unknown = [row.name for row in ROWS if row.complete is None]
    assert unknown == [row.name for row in ROWS if row.source == "none"] == ["fib_bench(5) tso-no-forwarding"]
    # What is counted by interleavings under sc and not counted again under rc11 has the same number there.
    for row in ROWS:
        if "interleavings" in row.source and row.model != "sc":
            assert replace(row, model="sc") in ROWS
            assert row.program in {pair.row.partition("(")[0] for pair in COMPARISONS if pair.same}


def test_rows_that_are_named_exist() -> None:
    names = {row.name for row in ROWS}
    assert len(names) == len(ROWS)
    assert names >= SHORT
    assert {name for pair in COMPARISONS for name in (pair.row, pair.base)} <= names


def test_the_short_pass_has_every_program() -> None:
    assert {row.program for row in ROWS if row.name in SHORT} == {row.program for row in ROWS}


@pytest.mark.parametrize("row", some(litmus_rows()), ids=lambda row: row.name)
def test_litmus_count(row: LitmusRow, tmp_path: Path) -> None:
    path = tmp_path / "litmus.c"
    path.write_text(to_c(parse_litmus(row.program)), encoding="utf-8")
    outcome = mazurka.check(path, model="sc")
    assert (outcome.verdict, outcome.complete, outcome.blocked) == ("verified", row.sc, 0)


def test_memory_does_not_grow_with_the_number_of_executions() -> None:
    """TruSt's point: an exponential work list would show in exp-mem."""
    small, large = (peak_memory(row, encode(row)) for row in ROWS if row.name in (SMALL, LARGE))
    assert large.peak_kib <= 1.05 * small.peak_kib
