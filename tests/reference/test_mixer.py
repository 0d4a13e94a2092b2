"""Mixer's Algorithm 1 finds the executions of programs with accesses of several sizes, none twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from mazurka.kat.language.load import named_model
from mazurka.program import Program
from mazurka.reference import Canonical, Machine, enumerate_executions
from mazurka.reference.mixer import verify_mixed
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.mixed_strategies import mixed_tests
from mazurka.testing.strategies import litmus_tests
from profiles import examples

MODELS = {name: named_model(name) for name in ("sc", "tso", "rc11-ra", "rc11")}

# The programs of the paper, with the number of orders of conflicting accesses, which are executions under sc.
PAPER = [
    pytest.param(
        "Wrlx x[0] 2; Rrlx x[1] || Wrlx x[0:1] 0x101",
        3,  # before the first thread, between its accesses, or after it
        id="2.3",
    ),
    pytest.param(
        "Wrlx x[0] 2; Rrlx x[2] || Arlx x[0:3] || Wrlx x[1] 1; Wrlx x[2] 1",
        # 3 places for the addition among the accesses of each other thread: if they say which access of x[2]
        # in these threads comes first (1 * 2 + 2 * 1), then once, and otherwise (2 * 2 + 1 * 1) twice.
        4 + 2 * 5,
        id="2.4",
    ),
    pytest.param("Rrlx x[0:1] || Wrlx x[0] 1 || Wrlx x[1] 1", 2 * 2, id="3.1, 3.3"),  # each byte old or new
    pytest.param("Rrlx x[0:1] || Wrlx x[0] 1; Wrlx x[1] 1", 3, id="3.2"),  # not the second byte alone
    pytest.param(
        "Wrlx x[0] 2 || Rrlx x[0:3] || Wrlx x[0:1] 0x101 || Wrlx x[2:3] 0x101",
        6 * 2,  # the orders of those that access x[0], and the last write before or after the read
        id="3.4",
    ),
    pytest.param("Arlx x || Arlx x", 2, id="4.1"),
]


def check(program: Program, name: str) -> int:
    """Compares Mixer with brute force; returns how many executions are complete."""
    machine = Machine(program)
    expected = enumerate_executions(program, MODELS[name])
    result = verify_mixed(program, MODELS[name])
    assert result.findings == expected.findings
    if expected.findings:
        return 0
    for graphs, forms in (
        (result.complete, expected.complete),
        (result.blocked, expected.blocked),
        (result.early, expected.early),
    ):
        visited: list[Canonical] = [machine.canonical(graph) for graph in graphs]
        assert len(visited) == len(set(visited))
        assert set(visited) == forms
    return len(expected.complete)


@pytest.mark.parametrize(("source", "count"), PAPER)
@pytest.mark.parametrize("name", ["sc", "rc11-ra"])
def test_examples_of_the_paper(name: str, source: str, count: int) -> None:
    assert check(to_program(parse_litmus(source)), name) == count


def test_a_byte_waits_in_the_store_buffer() -> None:
    """Example 2.3 under tso: the read does not overlap with the write before it, and may overtake it."""
    assert check(to_program(parse_litmus("Wrlx x[0] 2; Rrlx x[1] || Wrlx x[0:1] 0x101")), "tso") == 4


@pytest.mark.parametrize("name", MODELS)
@examples(ci=100, slow=5_000)
@given(mixed_tests(assumes=True, non_atomic=True))
def test_random_programs(name: str, test: Test) -> None:
    check(to_program(test), name)


@pytest.mark.parametrize("name", MODELS)
@examples(ci=50, slow=1_250)
@given(mixed_tests(aligned=False, max_threads=3))
def test_footprints_that_overlap_in_part(name: str, test: Test) -> None:
    check(to_program(test), name)


@examples(ci=50, slow=1_250)
@given(litmus_tests(max_candidates=300))
def test_one_size(test: Test) -> None:
    """With accesses of one size, this is TruSt; mutexes are among them."""
    check(to_program(test), "rc11-ra")
