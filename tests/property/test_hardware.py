"""Models of machines: the engine agrees with brute force on programs with dependencies.

Brute force gets the model without its ppo, and so all that the axioms allow, if no value comes from nowhere.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from comparison import SEEDS, assert_same, explore, plan_of
from hypothesis import given
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.kat.meaning.plan import Matrix, Plan
from mazurka.kat.meaning.terms import Model
from mazurka.models.registry import machine_models
from mazurka.program import Mode
from mazurka.reference import enumerate_executions
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.operations import CompareExchange, Exchange, Load, Register, Store
from profiles import examples

MODELS = tuple(machine_models())
RLX = Mode.RLX


@cache
def planned(name: str) -> tuple[Model, Plan]:
    model = named_model(name)
    plan = plan_model(model)
    assert isinstance(plan.preserved, Matrix) or model.ppo is None
    return replace(model, ppo=None), plan


def check(test: Test, name: str, seed: int | None) -> int:
    model, plan = planned(name)
    program = to_program(test)
    found = explore(program, plan, seed=seed)
    assert_same(found, enumerate_executions(program, model), early=True)
    return found.complete


@pytest.mark.parametrize("name", MODELS)
@examples(ci=60, slow=3_000)
@given(dependency_tests(), SEEDS)
def test_engine_agrees_with_brute_force(name: str, test: Test, seed: int | None) -> None:
    check(test, name, seed)


@examples(ci=120, slow=3_000)
@given(dependency_tests())
def test_x86_with_its_mapping_is_tso(test: Test) -> None:
    program = to_program(test)
    mapped = apply_mapping(program, named_model("x86").mapping)
    assert explore(mapped, plan_of("x86")).complete == explore(program, plan_of("tso")).complete


# Load buffering in which a thread reads its own store before that is visible to others.
FORWARDED = parse_litmus("Rrlx y; Wrel x 1; Rrlx x; Wrlx z =r1 || Rrlx z; Wrlx y =r0")
OVERTAKEN = parse_litmus("Rrlx x; Wrlx x 1; Rrlx x; Wrlx y =r1 || Rrlx y; Wrlx x =r0")
# What a read-modify-write writes depends on a read, and what it has read decides about another write.
HALVES = Test(
    (
        (Load(RLX, "y"), Exchange(RLX, "x", Register(0)), Store(RLX, "z", Register(1))),
        (Load(RLX, "z"), Store(RLX, "y", Register(0))),
        (Exchange(RLX, "x", 2),),
    ),
    (("x", 0), ("y", 0), ("z", 0)),
)
# A compare-exchange orders what follows it only if it fails.
OUTCOMES = Test(
    (
        (Load(RLX, "y"), Store(RLX, "x", 1)),
        (CompareExchange(RLX, "x", 0, 1, Mode.ACQ), Store(RLX, "y", 1)),
    ),
    (("x", 0), ("y", 0)),
)
TESTS = {"forwarded": FORWARDED, "overtaken": OVERTAKEN, "halves": HALVES, "outcomes": OUTCOMES}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_cycles_of_po_and_rf(name: str, test: Test) -> None:
    """Whatever the schedule, all executions are found, and each of them once."""
    for seed in (None, *range(8)):
        check(test, name, seed)
