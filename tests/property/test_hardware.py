"""Models of machines: the engine agrees with brute force on programs with dependencies.

Brute force gets the model without its ppo, and so all that the axioms allow, if no value comes from nowhere.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache, partial

import pytest
from comparison import AUDITS, SEEDS, Found, assert_between, assert_same, explore, plan_of
from hypothesis import given
from hypothesis import strategies as st
from known_gap import GAPS, model_with_gap
from mazurka import _engine
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.kat.meaning.plan import Matrix, Plan
from mazurka.kat.meaning.terms import Model
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify
from mazurka.models.registry import machine_models
from mazurka.program import Mode
from mazurka.reference import Executions, enumerate_executions
from mazurka.reference.canonical import Equivalence
from mazurka.soundness.requirements import plan_program
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Operation,
    Register,
    Store,
)
from profiles import examples, some

MODELS = tuple(machine_models())
RLX = Mode.RLX


@cache
def planned(name: str) -> tuple[Model, Plan]:
    model = named_model(name)
    plan = plan_of(name)
    assert isinstance(plan.preserved, Matrix) or model.ppo is None
    return replace(model, ppo=None), plan


@lru_cache(maxsize=1)  # for several schedules of one test
def expected(test: Test, name: str) -> Executions:
    """What brute force finds."""
    return enumerate_executions(to_program(test), planned(name)[0])


def compare(found: Found, test: Test, name: str, equivalence: Equivalence = "co") -> None:
    """The engine found what brute force finds, but for what it is known to miss."""
    if name in GAPS:
        least = partial(enumerate_executions, to_program(test), model_with_gap(name))
        assert_between(found, least, expected(test, name), equivalence)
    else:
        assert_same(found, expected(test, name), equivalence, early=True)


def check(test: Test, name: str, seed: int | None, *, audit: bool = False) -> int:
    """``audit`` compares each answer of the engine's rows with what the axioms mean."""
    program, plan = to_program(test), planned(name)[1]
    found = explore(program, plan, seed=seed, audit=audit)
    compare(found, test, name)
    # Where graphs are not collected, the last joins are no events.
    counted = _engine.explore(program.encode(), plan.encode(), schedule_seed=seed)
    assert counted.complete == found.complete
    return found.complete


@pytest.mark.parametrize("name", MODELS)
@examples(ci=60, slow=3_000)
@given(dependency_tests(), SEEDS, AUDITS)
def test_engine_agrees_with_brute_force(name: str, test: Test, seed: int | None, audit: bool) -> None:
    check(test, name, seed, audit=audit)


def strengthened(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of a thread in which every read acquires, and every write releases."""
    strong = {Load: Mode.ACQ, Store: Mode.REL}
    found: list[Operation] = []
    for operation in operations:
        if isinstance(operation, Guard):
            operation = replace(operation, body=strengthened(operation.body))
        elif isinstance(operation, Load | Store | FetchAdd | Exchange | CompareExchange):
            if operation.mode is not Mode.SC:
                operation = replace(operation, mode=strong.get(type(operation), Mode.ACQ_REL))
            if isinstance(operation, CompareExchange):
                operation = replace(operation, failure=Mode.ACQ)
        found.append(operation)
    return tuple(found)


# For lkmm see test_kernel_model.py. Each program is planned, which takes long.
@pytest.mark.parametrize("name", some([name for name in MODELS if name != "lkmm"], every=4))
@examples(ci=24, slow=3_000)
@given(dependency_tests(), SEEDS, AUDITS, st.booleans())
def test_plans_for_one_program(
    name: str, test: Test, seed: int | None, audit: bool, is_strengthened: bool
) -> None:
    """Where no access is relaxed, load buffering is impossible, and all of po is followed."""
    if is_strengthened:
        test = replace(test, threads=tuple(map(strengthened, test.threads)))
    program = to_program(test)
    found = explore(program, simplify(named_model(name), classes_of(program)), seed=seed, audit=audit)
    compare(found, test, name)


def test_programs_without_load_buffering_are_followed_along_po() -> None:
    program = to_program(parse_litmus("Racq x; Wrel y =r0; Racq y; Wrel x 1 || Racq y; Wrel x =r0"))
    for name in ("imm", "armv8"):
        assert plan_program(named_model(name), program).preserved is None
    relaxed = to_program(parse_litmus("Rrlx x; Wrlx y =r0 || Racq y; Wrel x =r0"))
    for name in ("imm", "armv8"):
        assert plan_program(named_model(name), relaxed).preserved is not None


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
# The same, but it fails because of the other thread's last event, and succeeds before that.
OUTCOMES_OF_LAST = replace(OUTCOMES, threads=((Load(RLX, "y"), FetchAdd(RLX, "x", 1)), OUTCOMES.threads[1]))
# A compare-exchange that fails, removed by a revisit that keeps a later read of its location.
FAILED = Test(
    (
        (
            CompareExchange(RLX, "y", 1, 2, RLX),
            Load(RLX, "y"),
            Guard(Register(1), 1, (Store(RLX, "x", 1),)),
        ),
        (Load(RLX, "x"), Store(RLX, "y", 1)),
    ),
    (("x", 0), ("y", 0)),
)
# A compare-exchange succeeds by a write that comes after a read of what it writes itself, read early.
OF_ITS_OWN = Test(
    (
        (CompareExchange(RLX, "y", 2, 1), Load(RLX, "y"), Store(RLX, "x", Register(1))),
        (Load(RLX, "x"), Fence(Mode.ACQ), Store(RLX, "y", 2)),
    ),
    (("x", 0), ("y", 0)),
)


def test_a_success_by_what_its_own_thread_has_read_early_is_missed() -> None:
    """LIMITS.md says so; if it is found, this and the gap of armv8 can go."""
    program = to_program(OF_ITS_OWN)
    least = enumerate_executions(program, model_with_gap("armv8"))
    assert_same(explore(program, planned("armv8")[1]), least, early=True)
    assert len(expected(OF_ITS_OWN, "armv8").complete) == len(least.complete) + 1


# An exchange reads what depends on its own write, which its thread has read early.
OWN_WRITE = parse_litmus("Xrlx y 1; Rrlx y; Wrlx x =r0 || Racq x; Wrlx y =r0")
# Two reads of one thread are ordered if they see different writes.
SEEN_TWICE = parse_litmus("Rrlx y; Wrlx x 1 || Rrlx x; Rrlx x; Wrlx y =r1")
# A store that is forwarded is kept without the compare-exchange that it is ordered after, whatever that sees.
BEHIND_EXCHANGE = parse_litmus("Crlx y 1 2; Wrel x 1; Rrlx x; Wrlx z =r0 || Rrlx z; Wrlx y =r0")
# The halves of a read-modify-write are kept by different revisits, which lead to one execution.
READ_BY_ADDRESS = Test(
    (
        (FetchAdd(RLX, "y", 1), Store(RLX, "x", 1)),
        (Load(RLX, "x"), Load(RLX, Indexed(Register(0), 1)), Store(RLX, "y", 1)),
    ),
    (("x", 0), ("y", 0)),
)
# Two compare-exchanges that order a store only if they succeed may both fail.
BOTH_FAIL = Test(
    (
        (
            CompareExchange(Mode.ACQ, "z", 0, 1, RLX),
            CompareExchange(Mode.ACQ, "y", 0, 1, RLX),
            Store(RLX, "x", 1),
        ),
        (Load(RLX, "x"), Store(RLX, Indexed(Register(0), 0, first=2), 2)),
        (Store(RLX, "y", 1),),
    ),
    (("x", 0), ("y", 0), ("z", 0)),
)
# The same, but what one of them sees is the write of a read-modify-write.
BOTH_FAIL_BY_UPDATE = replace(BOTH_FAIL, threads=(*BOTH_FAIL.threads[:2], (FetchAdd(RLX, "y", 1),)))
# All threads come to compare-exchanges before their stores, so one of them is added first.
ALL_COMPARE = replace(
    BOTH_FAIL,
    threads=(
        BOTH_FAIL.threads[0],
        (CompareExchange(RLX, "x", 2, 1, RLX), *BOTH_FAIL.threads[1][1:]),
        (CompareExchange(RLX, "x", 2, 1, RLX), FetchAdd(RLX, "y", 1)),
    ),
)
# What a fetch-and-add writes depends on what it reads, and so does what its thread computes from that early.
OWN_SUM = parse_litmus("Rrlx y; Fsc; Wrlx x 1 || Arlx x; Rrlx x; if r0==1 Frlx; Wrlx y 1")
# The second store comes after what the first one depends on, even while the first one is missing.
LATER_STORE = parse_litmus("Rrlx y; Wrlx x =r0; Wrlx x 1; Wrlx y 1 || Rrlx x; Xrlx y =r0")
# Reads and exchanges make a cycle of po and rf, round which clocks might go for ever.
ROUND = parse_litmus("Rrlx x; Xrlx y 1 || Xrlx y 2; Wrlx x 1 || Rrlx x; Wrlx y 3; Wrlx z =r0")
TESTS = {
    "forwarded": FORWARDED,
    "overtaken": OVERTAKEN,
    "halves": HALVES,
    "outcomes": OUTCOMES,
    "failed": FAILED,
    "own write": OWN_WRITE,
    "seen twice": SEEN_TWICE,
    "behind exchange": BEHIND_EXCHANGE,
    "read by address": READ_BY_ADDRESS,
    "own sum": OWN_SUM,
    "both fail": BOTH_FAIL,
    "both fail by update": BOTH_FAIL_BY_UPDATE,
    "all compare": ALL_COMPARE,
    "later store": LATER_STORE,
    "round": ROUND,
}


# A compare-exchange orders what follows it only if it succeeds.
SUCCESSES = Test(
    (
        (CompareExchange(Mode.ACQ, "y", 0, 1, RLX), Store(RLX, "x", 1)),
        (Load(RLX, "x"), Guard(Register(0), 1, (Store(RLX, "y", 1),))),
    ),
    (("x", 0), ("y", 0)),
)


@pytest.mark.parametrize("name", MODELS)
def test_compare_exchanges_that_order_only_if_they_fail(name: str) -> None:
    for seed in (None, *range(8)):
        check(OUTCOMES_OF_LAST, name, seed)


@pytest.mark.parametrize("name", MODELS)
def test_compare_exchanges_that_order_only_if_they_succeed(name: str) -> None:
    for seed in (None, *range(8)):
        check(SUCCESSES, name, seed)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_cycles_of_po_and_rf(name: str, test: Test) -> None:
    """Whatever the schedule, all executions are found, and each of them once."""
    for seed in (None, *range(8)):
        check(test, name, seed)


# The first thread's second compare-exchange fails by the write of the other thread's second one, which a
# revisit by the last store has removed. Both leave gaps, and the first can only be closed after the other.
GAP_BEHIND_GAP = Test(
    (
        (
            CompareExchange(Mode.SC, "y", 0, 2, RLX),
            CompareExchange(Mode.SC, "u", 0, 1, RLX),
            Store(RLX, "z", 1),
        ),
        (
            CompareExchange(Mode.ACQ_REL, "z", 1, 1, RLX),
            CompareExchange(RLX, "u", 0, 1, RLX),
            Store(RLX, "x", 2),
        ),
        (Load(RLX, "x"), Load(RLX, "y"), Guard(Register(1), 2, (Store(RLX, "y", 2),))),
    ),
    (("x", 0), ("y", 0), ("z", 0), ("u", 0)),
)
# A compare-exchange that succeeds orders a store by a fence behind it.
FENCED_SUCCESS = Test(
    (
        (CompareExchange(Mode.ACQ, "y", 0, 1, RLX), Fence(Mode.ACQ), Store(RLX, "x", 2)),
        (
            Load(RLX, "x"),
            CompareExchange(Mode.ACQ_REL, "x", 0, 2, RLX),
            CompareExchange(RLX, "y", 0, 1, Mode.ACQ),
        ),
    ),
    (("x", 0), ("y", 0)),
)
# A compare-exchange succeeds by what depends on a store that it would order if it failed.
ONE_SUCCEEDS = Test(
    (
        (
            CompareExchange(RLX, "z", 2, 1, RLX),
            CompareExchange(Mode.REL, "y", 2, 1, Mode.ACQ),
            Store(RLX, "x", 2),
            Store(Mode.REL, "z", 1),
        ),
        (Load(RLX, "x"), CompareExchange(RLX, "x", 2, 2, RLX), Store(RLX, "y", 2)),
    ),
    (("x", 0), ("y", 0), ("z", 0)),
)


@pytest.mark.parametrize("name", ["armv8", "lkmm", "power", "riscv"])
@pytest.mark.parametrize("test", [GAP_BEHIND_GAP, FENCED_SUCCESS, ONE_SUCCEEDS])
def test_outcomes_that_are_left_open(name: str, test: Test) -> None:
    for seed in (None, 0):
        check(test, name, seed)


@pytest.mark.parametrize(
    ("name", "count"), [("armv8", 5), ("lkmm", 5), ("riscv", 4), ("imm", 4), ("power", 4)]
)
def test_exchanges_that_see_what_depends_on_their_own_write(name: str, count: int) -> None:
    assert check(OWN_WRITE, name, None) == count


@pytest.mark.parametrize("name", ["armv8", "lkmm"])
def test_what_is_computed_from_a_read_depends_on_it_within_one_instruction(name: str) -> None:
    """An exchange writes what it was given, so others may see what follows from that before it has read."""
    assert check(OWN_SUM, name, None) == 4
    first, (_, *rest) = OWN_SUM.threads
    exchanged = replace(OWN_SUM, threads=(first, (Exchange(RLX, "x", 1), *rest)))
    assert check(exchanged, name, None) == 5


def test_no_compare_exchange_succeeds_only_because_others_saw_that_it_did() -> None:
    test = parse_litmus("Crlx y 1 2; Rrlx y; Wrlx x =r0 || Racq x; if r0==2 Wrlx y 1")
    assert check(test, "armv8", None) == 2
