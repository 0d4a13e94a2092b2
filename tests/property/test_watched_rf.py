"""Plans for fewer graphs (``watched_rf``, ``causality``) find what brute force finds, and notice others.

Random programs pass plain data through accesses and fences of all modes. In some of them the data race, or
plain and atomic accesses are of one location: then the engine starts again with a Plan for more graphs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from comparison import AUDITS, SEEDS, assert_same, explore
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.plan import Matrix, MatrixOp, Plan, PlanAxiom, Verdict
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify
from mazurka.program import Mode, Program
from mazurka.reference import Executions, enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.modes import Palette
from mazurka.testing.operations import Fence, Guard, Load, Register, Store
from mazurka.testing.strategies import Budget, Chunk, assemble, operations, weighted
from profiles import examples, heavy

DATA, FLAGS = "x", ("y", "z")
NA, RLX, ACQ, REL, SC = Mode.NA, Mode.RLX, Mode.ACQ, Mode.REL, Mode.SC
# Relaxed accesses between SC fences, with SC accesses and others that synchronise.
FENCED = (
    Palette((RLX, SC), (RLX, SC), (RLX, SC), (SC,)),
    Palette((RLX, ACQ), (RLX, REL), (RLX, Mode.ACQ_REL), (SC, SC, ACQ, REL)),
    Palette((RLX, ACQ, SC), (RLX, REL, SC), (RLX, SC), (SC,)),
    Palette((RLX,), (RLX,), (RLX, SC), (SC, SC, Mode.ACQ_REL)),
)
PLAIN = (
    Palette((NA, SC), (NA, SC), (SC,), (SC,)),
    Palette((NA, ACQ), (NA, REL), (Mode.ACQ_REL, SC), (SC, ACQ, REL)),
    Palette((NA, RLX, ACQ), (NA, RLX, REL), (RLX, SC), (SC, SC, ACQ, REL)),
)
SYNCHRONISING = (
    Palette((SC,), (SC,), (SC,), (SC,)),
    Palette((ACQ,), (REL,), (Mode.ACQ_REL,), (SC,)),
    Palette((ACQ, SC), (REL, SC), (SC,), (SC,)),
    Palette((RLX, ACQ), (RLX, REL), (RLX, SC), (SC, ACQ, REL)),
)


@st.composite
def publications(draw: st.DrawFn) -> Test:
    """Two or three threads with one plain variable, which mostly who saw a flag reads or writes."""
    palette = draw(st.sampled_from(SYNCHRONISING))
    budget = Budget((DATA, *FLAGS), 10, 600)
    threads = []
    for _ in range(draw(st.sampled_from([2, 2, 3]))):
        chunks = [draw(_part(palette)) for _ in range(draw(st.integers(2, 4)))]
        threads.append(assemble(chunks, 5, budget))
    return Test(tuple(threads), tuple((name, 0) for name in (DATA, *FLAGS)))


@cache
def _part(palette: Palette) -> st.SearchStrategy[Chunk]:
    flag, values = st.sampled_from(FLAGS), st.integers(1, 2)
    plain: st.SearchStrategy[Load | Store] = st.one_of(
        st.builds(Load, st.just(NA), st.just(DATA)), st.builds(Store, st.just(NA), st.just(DATA), values)
    )
    stores, loads = st.sampled_from(palette.stores), st.sampled_from(palette.loads)
    give = st.tuples(plain, st.builds(Store, stores, flag, st.just(1)))
    take = st.tuples(
        st.builds(Load, loads, flag),
        st.builds(lambda body: Guard(Register(0), 1, (body,)), plain),
    )
    fence: st.SearchStrategy[Chunk] = st.builds(Fence, st.sampled_from(palette.fences)).map(lambda f: (f,))
    any_flag = operations(FLAGS, values, palette).map(lambda one: (one,))
    any_place = operations((DATA, *FLAGS), values, palette).map(lambda one: (one,))
    return weighted(give, give, take, take, fence, any_flag, any_flag, any_place)


def planned(program: Program) -> Plan:
    return simplify(named_model("imm"), classes_of(program))


def expected(program: Program) -> Executions:
    return enumerate_executions(program, replace(named_model("imm"), ppo=None))


TESTS = weighted(
    publications(),
    publications(),
    dependency_tests(modes=st.sampled_from(FENCED)),
    dependency_tests(modes=st.sampled_from(PLAIN)),
)


@examples(ci=120, slow=6_000)
@given(TESTS, SEEDS, AUDITS)
def test_engine_agrees_with_brute_force(test: Test, seed: int | None, audit: bool) -> None:
    program = to_program(test)
    found = explore(program, planned(program), seed=seed, audit=audit)
    assert_same(found, expected(program), early=True)


def impossible(plan: Plan) -> Plan:
    """The Plan with an axiom that no graph satisfies."""
    never = Matrix((int(MatrixOp.IDENTITY),), Verdict.IRREFLEXIVE)
    return replace(plan, axioms=tuple(PlanAxiom(a.name, never, never, "", a.stated) for a in plan.axioms))


def decided_by(program: Program, plan: Plan) -> str:
    """The Plan that the engine ends with: it finds something, though no graph satisfies the later ones."""
    fewer = plan.unbuffered
    if fewer is not None and fewer.unbuffered is not None:
        last = replace(impossible(plan), unbuffered=impossible(fewer))
        if explore(program, last).complete:
            return "fewest"
    return "fewer" if fewer is not None and explore(program, impossible(plan)).complete else "whole"


@heavy
def test_all_plans_are_drawn() -> None:
    """Programs for which the first Plan is enough, and others for which the second or the last is."""
    seen: Counter[tuple[str, bool]] = Counter()

    @examples(ci=120)
    @given(TESTS)
    def count(test: Test) -> None:
        program = to_program(test)
        plan = planned(program)
        is_plain = plan.unbuffered is not None and plan.unbuffered.unbuffered is not None
        seen[decided_by(program, plan), is_plain] += 1

    count()
    wanted = [("fewest", True), ("fewer", True), ("fewer", False), ("whole", True), ("whole", False)]
    assert min(seen[kind] for kind in wanted) > 0, seen


GIVEN = "Wna x 1; {} y 1 || {} y; if r0==1 Rna x"


@pytest.mark.parametrize(("store", "load"), [("Wrel", "Racq"), ("Wsc", "Rsc")])
def test_data_that_are_given_in_order_take_the_first_plan(store: str, load: str) -> None:
    program = to_program(parse_litmus(GIVEN.format(store, load)))
    assert decided_by(program, planned(program)) == "fewest"
    fewest = planned(program).unbuffered
    assert fewest is not None
    assert fewest.unbuffered is not None
    assert [view.states for view in fewest.unbuffered.views] == [1]
    assert_same(explore(program, planned(program)), expected(program), early=True)


# A race; and a release sequence that goes on with a plain write, which an acquire read sees.
RACES = ("Wna x 1; Wrel y 1 || Racq y; Rna x", "Wrel y 1; Wna y 2; Wrel x 1 || Racq y; Racq x; Rna y")


@pytest.mark.parametrize("text", RACES)
def test_races_take_another_plan(text: str) -> None:
    program = to_program(parse_litmus(text))
    assert decided_by(program, planned(program)) == "fewer"
    assert_same(explore(program, planned(program)), expected(program), early=True)


def test_causes_show_that_a_load_cannot_see_a_later_store() -> None:
    """Happens-before does not lead through the relaxed load, but modes forbid the cycle."""
    program = to_program(parse_litmus("Racq x; Wrel y 1 || Rrlx y; Wrel x 1; Wrlx z 1"))
    plan = planned(program)
    assert plan.unbuffered is not None
    assert decided_by(program, plan) == "fewer"
    without = replace(plan, unbuffered=replace(plan.unbuffered, causality=None))
    assert decided_by(program, without) == "whole"
    for one in (plan, without):
        assert_same(explore(program, one), expected(program), early=True)


def test_what_the_first_plan_forbids_counts_for_the_axioms_of_the_model() -> None:
    """Two loads that both miss the other's store, and a load of data that misses what it is ordered after."""
    program = to_program(parse_litmus("Wna x 1; Wsc y 1; Rsc z || Wsc z 1; Rsc y; if r0==1 Rna x"))
    plan = planned(program)
    assert decided_by(program, plan) == "fewest"
    found = explore(program, plan)
    counts = zip((axiom.name for axiom in plan.axioms), found.explored.forbidden, strict=True)
    assert {name for name, count in counts if count} == {"imm-coherence", "imm-sc-order"}
    assert found.complete == 3
