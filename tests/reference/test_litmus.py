"""The papers' examples and GenMC's table: both references count what is known, and find the same graphs."""

from __future__ import annotations

import pytest
from litmus_table import litmus_rows
from mazurka.program import Program
from mazurka.reference import Machine, enumerate_executions, verify
from mazurka.testing import parse_litmus, to_program


def check(program: Program, count: int) -> None:
    """Both references find ``count`` complete executions, and the same ones."""
    machine = Machine(program)
    visited = [machine.canonical(graph) for graph in verify(program).complete]
    assert len(visited) == count
    assert set(visited) == enumerate_executions(program).complete
    assert len(set(visited)) == count


@pytest.mark.parametrize(
    ("source", "count"),
    [
        pytest.param("Rrlx x || Wrlx x 1 || Wrlx x 2", 6, id="R+W+W, TruSt fig. 8"),
        pytest.param("Wrlx x 1 || Wrlx y 1 || Rrlx x; Rrlx y", 4, id="W+W+RR, TruSt fig. 6"),
        pytest.param("Rrlx x || Wrlx x 1; Wrlx x 2", 3, id="R+WW, TruSt fig. 9"),
        pytest.param("Arlx x || Arlx x", 2, id="FAI/2, thesis fig. 5.8"),
        pytest.param("Wrlx x 1; Wrlx y 1 || Rrlx y; Rrlx x", 3, id="MP, thesis fig. 2.1"),
        pytest.param("Rrlx x; Rrlx y || Wrlx y 1 || Wrlx x 1", 4, id="RR+W+W, thesis fig. 6.1"),
        pytest.param("Wrlx x 1 || Wrlx x 2", 2, id="W+W, thesis fig. 5.11"),
    ],
)
def test_examples_of_the_papers(source: str, count: int) -> None:
    check(to_program(parse_litmus(source)), count)


def test_table_of_sc_counts() -> None:
    rows = litmus_rows()
    assert len(rows) == 43
    for row in rows:
        check(to_program(parse_litmus(row.program)), row.sc)
