"""A finding can be replayed: its route leads to the same execution and to nothing else.

So it is in every model, in both equivalences, in every order of exploration, for every number of workers, and
in each of the ways to explore where the causal order is smaller than po (``Route.attempt``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from comparison import EQUIVALENCES, SEEDS, mixed_plan_of, plan_of, shipped
from drawing import assert_drawn
from engine_graphs import plain
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.checking.execution import Route
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify
from mazurka.models.registry import machine_models
from mazurka.program import Program
from mazurka.reference.canonical import Equivalence
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.cycle_strategies import varied_tests
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.mixed_strategies import mixed_tests
from mazurka.testing.operations import Guard, Operation, Refute, Register, count_registers
from profiles import examples, heavy, some
from shipped_models import NAMES

MACHINES = tuple(machine_models())
WITH_SIZES = (*NAMES, *(name for name in MACHINES if shipped(name).pieces))  # others refuse several sizes
UNBUFFERED, IN_ORDER, GAPS = range(3)


@cache
def plan_for(name: str, classes: int) -> Plan:
    """As for a check: without what programs of these classes cannot violate."""
    return simplify(shipped(name), classes)


def refuting(test: Test, thread: int, values: tuple[int, ...]) -> Test:
    """The test with an assertion at the end of a thread: its last registers do not have these values."""
    thread %= len(test.threads)
    body = test.threads[thread]
    count = count_registers(body)
    if count == 0:
        return test
    wanted = [(Register(count - back), value) for back, value in enumerate(values[:count], 1)]
    end: Operation = Refute(*wanted[0])
    for register, value in wanted[1:]:
        end = Guard(register, value, (end,))
    return replace(test, threads=(*test.threads[:thread], (*body, end), *test.threads[thread + 1 :]))


def refutable(tests: st.SearchStrategy[Test]) -> st.SearchStrategy[Program]:
    """Programs that may violate an assertion."""
    values = st.lists(st.integers(0, 2), min_size=1, max_size=2).map(tuple)
    return st.builds(refuting, tests, st.integers(0, 3), values).map(to_program)


def replay(program: Program, plan: Plan, **options: Any) -> Route | None:
    """The route to what is found, if anything is: several workers find the same, and it leads there."""
    code, tables = program.encode(), plan.encode()
    found = _engine.explore(code, tables, **options)
    if found.status != "violation":
        return None
    shared = _engine.explore(code, tables, workers=3, eager=True, **options)
    assert shared.route == found.route
    again = _engine.explore(code, tables, workers=3, eager=True, route=found.route, **options)
    assert again.status == "violation"
    for what in ("finding", "graph", "route"):
        assert plain(getattr(again, what)) == plain(getattr(found, what)), what
    assert again.complete == again.blocked == 0
    return Route.of(found)


@pytest.mark.parametrize("name", some(NAMES, every=4))
@examples(ci=25, slow=5_000)
@given(refutable(varied_tests(max_candidates=2_000, non_atomic=True)), st.sampled_from(EQUIVALENCES), SEEDS)
def test_programs(name: str, program: Program, equivalence: Equivalence, seed: int | None) -> None:
    replay(program, plan_of(name), reads_from=equivalence == "rf", schedule_seed=seed)


@pytest.mark.parametrize("name", some(MACHINES, every=4))
@examples(ci=25, slow=5_000)
@given(refutable(dependency_tests()), st.sampled_from(EQUIVALENCES), SEEDS)
def test_load_buffering(name: str, program: Program, equivalence: Equivalence, seed: int | None) -> None:
    replay(program, plan_of(name), reads_from=equivalence == "rf", schedule_seed=seed)


@examples(ci=25, slow=5_000)
@given(refutable(dependency_tests()), SEEDS)
def test_load_buffering_that_is_found_late(program: Program, seed: int | None) -> None:
    """Dependencies are not tracked until some read may see a later write; then all starts again."""
    replay(program, plan_for("imm", classes_of(program)), schedule_seed=seed)


@pytest.mark.parametrize("name", some(WITH_SIZES, every=5))
@examples(ci=15, slow=3_000)
@given(refutable(mixed_tests(sizes=(1, 2, 4, 8), max_candidates=200, max_events=6)), SEEDS)
def test_accesses_of_several_sizes(name: str, program: Program, seed: int | None) -> None:
    replay(program, mixed_plan_of(name), mixed_sizes=True, schedule_seed=seed)


MESSAGE = "Wrlx x 1; Wrlx y 1 || Rrlx y; Rrlx x"
BUFFERED = "Rrlx x; Wrlx y 1 || Rrlx y; Wrlx x 2 || Rrlx x; Wrlx y 2"


@pytest.mark.parametrize(
    ("name", "source", "values", "attempt"),
    [
        ("imm", MESSAGE, (0, 1), UNBUFFERED),
        ("armv8", MESSAGE, (0, 1), IN_ORDER),
        ("imm", BUFFERED, (2,), GAPS),
        ("armv8", BUFFERED, (2,), GAPS),
    ],
)
def test_each_way_to_explore(name: str, source: str, values: tuple[int, ...], attempt: int) -> None:
    program = to_program(refuting(parse_litmus(source), 1, values))
    for seed in (None, 1, 2, 3):
        route = replay(program, plan_for(name, classes_of(program)), schedule_seed=seed)
        assert route is not None
        assert route.attempt == attempt


@heavy
@pytest.mark.parametrize("name", some([*NAMES, *MACHINES], ci=4))
def test_findings_behind_choices_are_drawn(name: str) -> None:
    def is_behind_choices(program: Program) -> bool:
        route = replay(program, plan_of(name))
        return route is not None and len(route.choices) > 3 and max(route.choices) > 1

    assert_drawn(refutable(varied_tests(max_candidates=2_000)), is_behind_choices, "a finding behind choices")
