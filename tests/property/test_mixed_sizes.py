"""Accesses of several sizes: the engine finds what brute force finds, each execution once, under every model.

Programs whose accesses all have one size are explored in the same way when asked to, and nothing changes.
"""

from __future__ import annotations

import pytest
from comparison import assert_same, explore, mixed_plan_of, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka.program import Mode, Program
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.mixed_strategies import mixed_tests
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    Guard,
    Load,
    Part,
    Register,
    Store,
)
from mazurka.testing.strategies import litmus_tests
from profiles import examples, some

MODELS = ("sc", "tso", "pso", "ra", "rc11-ra", "rc11", "rc11-cpp11")
AUDITS = st.sampled_from([False, False, False, True])
WORKERS = st.sampled_from([1, 1, 3])


def compare(program: Program, model: str, *, audit: bool = False, workers: int = 1) -> None:
    """The engine, which tells accesses of several sizes apart, and brute force."""
    plan = mixed_plan_of(model)
    found = explore(program, plan, mixed_sizes=True, load_annotations=False, audit=audit, workers=workers)
    assert_same(found, enumerate_executions(program, shipped(model)), early=True)


@pytest.mark.parametrize("model", some(MODELS, 2))
@examples(ci=100, slow=5_000)
@given(mixed_tests(assumes=True, non_atomic=True), AUDITS, WORKERS)
def test_random_programs(model: str, test: Test, audit: bool, workers: int) -> None:
    compare(to_program(test), model, audit=audit, workers=workers)


@pytest.mark.parametrize("model", some(["tso", "sc", "rc11"], 3))
@examples(ci=50, slow=2_000)
@given(mixed_tests(aligned=False, max_footprints=5))
def test_accesses_that_are_not_aligned(model: str, test: Test) -> None:
    compare(to_program(test), model)


@pytest.mark.parametrize("model", some(["rc11-ra", "sc", "tso", "rc11"], 4))
@examples(ci=50, slow=2_000)
@given(mixed_tests(sizes=(2, 8, 16), max_footprints=3, assumes=True, non_atomic=True), AUDITS, WORKERS)
def test_accesses_of_16_bytes(model: str, test: Test, audit: bool, workers: int) -> None:
    compare(to_program(test), model, audit=audit, workers=workers)


@pytest.mark.parametrize("model", some(MODELS, 2))
@examples(ci=30, slow=2_000)
@given(litmus_tests(mutexes=True, assumes=True, non_atomic=True), WORKERS)
def test_programs_of_one_size(model: str, test: Test, workers: int) -> None:
    compare(to_program(test), model, workers=workers)


REMEMBERED = (
    "Arlx x[0:3] || Wrlx x[0] 1 || Wrlx x[1] 1 || Wrlx x[2:3] 0x101",
    "Rrlx x[0:3]; Rrlx x[0] || Arlx x[0:1] || Arlx x[2:3] || Wrlx x[0:3] 7",
    "Crlx x[0:15] 0x10000000000000001 2 || Wrlx x[0:7] 1 || Wrlx x[8:15] 1; Rrlx x[0:15]",
)


@pytest.mark.parametrize("source", REMEMBERED)
@pytest.mark.parametrize("model", ["sc", "rc11-ra"])
def test_revisits_by_several_writes(model: str, source: str) -> None:
    compare(to_program(parse_litmus(source)), model)


def test_a_worker_that_meets_an_access_inside_another_lets_all_start_again() -> None:
    """Only in an execution that another worker explores, a store cuts what others access as a whole."""
    store = Guard(Register(0), 1, (Store(Mode.SC, Part("x", 2, 1), 1),))
    threads = (
        (Store(Mode.SC, Part("x", 3, 1), 1),),
        (Exchange(Mode.SC, Part("x", 0, 4), 2), Fence(Mode.ACQ_REL), store),
        (CompareExchange(Mode.ACQ, Part("x", 3, 1), 1, 2, Mode.SC),),
        (Load(Mode.SC, Part("x", 8, 8)),),
    )
    compare(to_program(Test(threads, (("x", 1),))), "sc", workers=3)
