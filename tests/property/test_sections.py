"""Atomic sections: the engine finds what brute force finds, each execution once, under every model."""

from __future__ import annotations

import pytest
from comparison import assert_same, explore, mixed_plan_of, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka.program import Program
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.section_strategies import section_tests
from profiles import examples, some

MODELS = ("sc", "tso", "rc11-ra", "rc11")
WORKERS = st.sampled_from([1, 1, 3])


def compare(program: Program, model: str, *, audit: bool = False, workers: int = 1) -> None:
    """The engine and brute force."""
    plan = mixed_plan_of(model)
    found = explore(program, plan, mixed_sizes=True, load_annotations=False, audit=audit, workers=workers)
    assert_same(found, enumerate_executions(program, shipped(model)), early=True)


@pytest.mark.parametrize("model", some(MODELS, 2))
@examples(ci=80, slow=2_000)
@given(section_tests(), st.sampled_from([False, False, False, True]), WORKERS)
def test_random_programs(model: str, test: Test, audit: bool, workers: int) -> None:
    compare(to_program(test), model, audit=audit, workers=workers)


# Sections of two threads or more that take from each other, and what random tests have found.
REMEMBERED = (
    "{Wrlx z 1}; {Rrlx x} || {Rrlx z; if r0==0 Rrlx y; if r0==0 if r1==0 Wrlx x 1} || {Wrlx y 1}",
    "{Wrlx x 2}; {Rrlx z} || {Arlx x; Arlx y; Arlx z} || {Wrlx y 1}; {Wrlx z 1}",
    "{Wrlx x[0] 2}; {Rrlx x[2]} || {Arlx x[0:1]; Arlx x[2:3]} || {Wrlx x[1] 1}; {Wrlx x[2] 1}",
    "{Rrlx x; Rrlx y} || {Wrlx x 1} || {Wrlx y 1}",
    "{Rrlx x; Wrlx x =r0} || {Rrlx x; Wrlx x =r0} || Arlx x",
    "Arlx y || Wrlx x 1; Rrlx y || {Wrlx x 1; Rrlx y}",
)


@pytest.mark.parametrize("source", REMEMBERED)
@pytest.mark.parametrize("model", ["sc", "rc11"])
def test_known_programs(model: str, source: str) -> None:
    compare(to_program(parse_litmus(source)), model)
