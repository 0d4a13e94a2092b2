"""Meetings of threads: the engine does what brute force does, whatever meets whom and in whatever order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, plan_of, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka._engine import RawGraph
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.program import (
    CONST,
    Function,
    Global,
    Instr,
    Mode,
    Op,
    Program,
    Region,
    RmwOp,
    address,
    pieces_of,
)
from mazurka.program.sync import Operation
from mazurka.program.sync_objects.barriers import (
    BARRIER_DESTROY,
    BARRIER_INIT,
    BARRIER_LOOK,
    BARRIER_MEET,
    BARRIER_PICK,
)
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import Equivalence
from mazurka.reference.consistency import is_consistent
from mazurka.reference.running.labels import EventId, Kind, Label, ReferenceUnsupported
from profiles import examples
from shipped_models import NAMES
from test_gaps import _choices, planned

OPERATIONS = (BARRIER_LOOK, BARRIER_PICK, BARRIER_MEET, BARRIER_INIT, BARRIER_DESTROY)
B, B_PICK, C, C_PICK, X, Y = (address(Region.GLOBAL, 4096 + 16 * i) for i in range(6))
PICKS = {B: B_PICK, C: C_PICK}
CODE = [address(Region.CODE, 16 * (1 + i)) for i in range(4)]
CONSTANTS = (0, 1, 2, 3, B, B_PICK, C, C_PICK, X, Y, *CODE)
RESULT, LEARNT = 1, 2  # registers

Thread = Sequence[Sequence[Instr]]


def const(value: int) -> int:
    return CONST | CONSTANTS.index(value)


def sync(operation: Operation, place: int, operand: int = CONST, dst: int = LEARNT) -> Instr:
    number, results = OPERATIONS.index(operation), int(operation.has_result)
    return Instr(Op.SYNC, dst=dst, a=const(place), b=operand, c=number, x=results)


def wait(barrier: int = B, *, picks: bool = False) -> list[Instr]:
    """What ``pthread_barrier_wait`` does; with ``picks`` its result is used."""
    pick = [sync(BARRIER_PICK, PICKS[barrier], LEARNT, RESULT)] if picks else []
    return [sync(BARRIER_LOOK, barrier), *pick, sync(BARRIER_MEET, barrier, LEARNT)]


def store(place: int, value: int = 1, mode: Mode = Mode.RLX) -> list[Instr]:
    return [Instr(Op.STORE, a=const(place), b=const(value), width=32, mode=mode)]


def load(place: int, mode: Mode = Mode.RLX) -> list[Instr]:
    return [Instr(Op.LOAD, dst=RESULT, a=const(place), width=32, mode=mode)]


def add(place: int) -> list[Instr]:
    return [Instr(Op.RMW, dst=RESULT, a=const(place), b=const(1), width=32, mode=Mode.RLX, x=RmwOp.ADD)]


def if_one(then: list[Instr]) -> list[Instr]:
    """Does something if the last result is 1; targets are set when the thread is put together."""
    return [Instr(Op.BR, a=RESULT), *then]


def init(barrier: int, count: int) -> list[Instr]:
    return [sync(BARRIER_INIT, barrier, const(count))]


def destroy(barrier: int) -> list[Instr]:
    return [sync(BARRIER_DESTROY, barrier)]


def program(
    *threads: Thread, counts: tuple[int, int] = (2, 2), before: Thread = (), after: Thread = ()
) -> Program:
    """Main starts the threads and joins them; ``counts`` are those of two barriers."""
    create = [Instr(Op.CREATE, dst=3 + i, a=const(CODE[i]), b=CONST) for i in range(len(threads))]
    join = [Instr(Op.JOIN, dst=0, a=3 + i) for i in range(len(threads))]
    bodies: list[Thread] = [[*before, create, join], *threads]
    words = {B: counts[0], B_PICK: 0, C: counts[1], C_PICK: 0, X: 0, Y: 0}
    return Program(
        tuple(Function(f"f{i}", int(i > 0), 8, 0, (), _code(body)) for i, body in enumerate(bodies)),
        0,
        tuple(
            Global(hex(at), at, 4, pieces_of(value.to_bytes(4, "little")), False)
            for at, value in words.items()
        ),
        CONSTANTS,
        ((CONST,),),
        operations=OPERATIONS,
    )


def _code(body: Thread) -> tuple[Instr, ...]:
    """The steps one after the other; a branch skips the rest of its step."""
    code: list[Instr] = []
    for step in body:
        end = len(code) + len(step)
        for instr in step:
            here = len(code)
            code.append(Instr(Op.BR, a=instr.a, b=here + 1, c=end) if instr.op is Op.BR else instr)
    return (*code, Instr(Op.RET))


def counts(subject: Program, model: str = "sc") -> tuple[int, int]:
    """Complete and blocked executions, which are brute force's too."""
    found = explore(subject, plan_of(model))
    assert_same(found, enumerate_executions(subject, shipped(model)))
    return found.complete, found.blocked


@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
def test_counts_that_are_known(model: str) -> None:
    three = (3, 2)
    # The order of arrival is not a choice, in any round.
    assert counts(program([wait()], [wait()], [wait()], counts=three), model) == (1, 0)
    twice = [wait(), wait()]
    assert counts(program(twice, twice, twice, counts=three), model) == (1, 0)
    # Too few threads come.
    assert counts(program([wait()], [wait()], counts=three), model) == (0, 1)
    # Who is the serial thread is one choice of three in each round.
    picky = [wait(picks=True)]
    assert counts(program(picky, picky, picky, counts=three), model) == (3, 0)
    assert counts(program(picky * 2, picky * 2), model) == (4, 0)
    # A thread that meets nobody else is always the serial one, and needs no events for it.
    assert counts(program(picky * 2, picky * 2, counts=(1, 2)), model) == (1, 0)
    # A store before the barrier is seen by a load after it; one after it is not seen before it.
    assert counts(program([store(X), wait()], [wait(), load(X)]), model) == (1, 0)
    assert counts(program([wait(), store(X)], [load(X), wait()]), model) == (1, 0)
    assert counts(program([wait(), store(X)], [wait(), load(X)]), model) == (2, 0)
    # Two stores before, in both orders; each load after sees the later one.
    assert counts(program([store(X), wait(), load(X)], [store(X, 2), wait(), load(X)]), model) == (2, 0)


def test_a_barrier_orders_plain_accesses() -> None:
    na = Mode.NA
    assert counts(program([store(X, mode=na), wait()], [wait(), load(X, na)]), "rc11") == (1, 0)
    racy = explore(program([wait(), store(X, mode=na)], [wait(), load(X, na)]), plan_of("rc11"))
    assert racy.kind == "race"


def test_a_message_without_order_is_enough_to_know_that_a_round_is_over() -> None:
    """The third thread comes late because of what it read; nothing else tells the rounds apart."""
    late = [load(X), if_one(wait())]
    subject = program([wait(), wait()], [wait(), store(X)], late)
    assert counts(subject, "rc11") == (1, 1)


@pytest.mark.parametrize("threads", [[[wait()]] * 3, [[wait(), wait()], [wait(), wait()], [wait()]]])
def test_who_meets_whom_is_not_explored(threads: list[Thread]) -> None:
    subject = program(*threads)
    found = explore(subject, plan_of("sc"))
    assert (found.status, found.kind) == ("refused", "unsupported")
    with pytest.raises(ReferenceUnsupported, match="more threads at a barrier"):
        enumerate_executions(subject)


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (program([wait()], counts=(0, 0)), "use of a barrier that was not initialised"),
        (program([destroy(B)], counts=(0, 0)), "use of a barrier that was not initialised"),
        (program([wait()], before=[destroy(B)]), "use of a barrier that was destroyed"),
        (program([wait()], [wait()], [destroy(B)]), "use of a barrier that was destroyed"),
        (
            program([wait()], [load(X)], after=[], before=[init(B, 3)]),
            "initialisation of a barrier that is already in use",
        ),
        (program([init(B, 0)], counts=(0, 0)), "initialisation of a barrier with a count of zero"),
        (program([init(B, 2)], [wait()]), "initialisation of a barrier that is already in use"),
    ],
)
def test_misuse_is_a_finding_with_its_message(subject: Program, message: str) -> None:
    finding = explore(subject, plan_of("sc")).explored.finding
    assert finding is not None
    assert (finding.kind, finding.message) == ("barrier", message)
    assert enumerate_executions(subject).findings == {"barrier"}


def test_a_barrier_may_be_destroyed_as_soon_as_all_have_come() -> None:
    assert counts(program([wait(), destroy(B)], [wait()])) == (1, 0)
    again = program([wait(), destroy(B), init(B, 2), wait(C), wait()], [wait(), wait(C), wait()])
    assert counts(again, "rc11") == (1, 0)


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (program([wait()], [wait()], counts=(3, 2)), BARRIER_MEET.stuck),
        (program([wait()]), BARRIER_MEET.stuck_alone),
        (program([], before=[wait()]), BARRIER_MEET.stuck_alone),
    ],
)
def test_who_waits_for_ever_is_told_what_for(subject: Program, message: str) -> None:
    finding = explore(subject, plan_of("sc"), liveness=True).explored.finding
    assert finding is not None
    assert (finding.kind, finding.message) == ("deadlock", message)


STEPS = st.one_of(
    st.sampled_from([wait(), wait(), wait(), wait(C), wait(picks=True)]),
    st.sampled_from(
        [store(X), store(X, 2), store(Y), load(X), load(Y), add(X), if_one(wait()), if_one(store(Y))]
    ),
)
THREADS = st.lists(st.lists(STEPS, min_size=1, max_size=4), min_size=2, max_size=3).filter(
    lambda threads: sum(map(len, threads)) <= 7
)


def compare(
    subject: Program, model: Model, plan: Plan, equivalence: Equivalence, seed: int | None, audit: bool
) -> None:
    """The engine refuses what the reference refuses, and otherwise finds the same."""
    found = explore(subject, plan, equivalence=equivalence, seed=seed, audit=audit)
    try:
        expected = enumerate_executions(subject, model)
    except ReferenceUnsupported:
        assert (found.status, found.kind) == ("refused", "unsupported")
        return
    assert_same(found, expected, equivalence)


@pytest.mark.parametrize("model", NAMES)
@examples(ci=50, slow=3_000)
@given(THREADS, st.sampled_from([1, 2, 2, 3]), st.sampled_from(EQUIVALENCES), SEEDS, AUDITS)
def test_random_programs(
    model: str, threads: list[Thread], count: int, equivalence: Equivalence, seed: int | None, audit: bool
) -> None:
    subject = program(*threads, counts=(count, 2))
    compare(subject, shipped(model), plan_of(model), equivalence, seed, audit)


# Models whose ppo is smaller than po: a meeting is ordered with all of po all the same ----------------------

Choice = tuple[frozenset[tuple[EventId, EventId | None]], frozenset[tuple[EventId, ...]]]
KINDS = {"R": Kind.READ, "W": Kind.WRITE}
PARTS = st.lists(st.tuples(st.sampled_from("RRW"), st.sampled_from((X, Y))), max_size=2)


def _labels(parts: Sequence[Sequence[tuple[str, int]]]) -> list[Label]:
    """The events of a thread that meets the others between its parts."""
    labels: list[Label] = []
    for number, part in enumerate(parts):
        if number:
            meeting = {"address": B, "value": 2, "other": number - 1}
            labels.append(Label(Kind.READ, Mode.RLX, B, 4))
            labels += [Label(kind, **meeting) for kind in (Kind.ARRIVE, Kind.DEPART)]  # type: ignore[arg-type]
        labels += [Label(KINDS[kind], Mode.RLX, place, 4, 1) for kind, place in part]
    return labels


def _steps(parts: Sequence[Sequence[tuple[str, int]]]) -> Thread:
    steps: list[list[Instr]] = []
    for number, part in enumerate(parts):
        steps += [wait()] if number else []
        steps += [load(place) if kind == "R" else store(place) for kind, place in part]
    return steps


def _choice(graph: RawGraph) -> Choice:
    rf = (
        ((thread, number), entry.rf)
        for thread, body in enumerate(graph.threads)
        for number, entry in enumerate(body.events)
        if entry.kind == "R"
    )
    return frozenset(rf), frozenset(tuple(writes) for _, _, writes in graph.co if writes)


@pytest.mark.parametrize("name", ["locations", "reads", "both"])
@examples(ci=50, slow=3_000)
@given(st.lists(st.lists(PARTS, min_size=2, max_size=2), min_size=2, max_size=2), PARTS, SEEDS)
def test_random_programs_with_gaps(
    name: str, threads: list[list[list[tuple[str, int]]]], alone: list[tuple[str, int]], seed: int | None
) -> None:
    model, plan = planned(name)
    everybody = [*threads, [alone]]
    if sum(len(part) for parts in everybody for part in parts) > 7:
        return
    labels = {
        (thread + 1, number): label
        for thread, parts in enumerate(everybody)
        for number, label in enumerate(_labels(parts))
    }
    possible = (graph for graph in _choices(labels) if is_consistent(graph, model))
    expected = {(frozenset(graph.rf.items()), frozenset(graph.co.values())) for graph in possible}
    found = explore(program(*map(_steps, everybody)), plan, seed=seed)
    assert (found.status, found.blocked) == ("finished", 0), found.kind
    forms = list(map(_choice, found.graphs))
    assert len(forms) == len(set(forms))
    assert set(forms) == expected
