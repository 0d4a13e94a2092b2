"""Synchronisation objects that exist only as a description: the engine does what brute force does.

A counting semaphore, a latch and a gate are described here, with the words of ``mazurka.program.sync``; no
other file knows them. ``docs/howto/extend.md`` walks through the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, plan_of, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka import check
from mazurka.frontend.library.functions import LIBRARY
from mazurka.frontend.library.locks import synchronise
from mazurka.program import CONST, Function, Global, Instr, Mode, Op, Program, Region, address
from mazurka.program.plain_data import plain, program_of
from mazurka.program.sync import (
    OLD,
    OPERAND,
    Call,
    Operation,
    SyncObject,
    becomes,
    misuse,
    number,
    stays,
    waits,
)
from mazurka.program.sync_objects import FUNCTIONS
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import Equivalence
from mazurka.report.text import as_text
from profiles import examples
from shipped_models import NAMES

SEMAPHORE = SyncObject("semaphore", size=4, kind="semaphore", title="a semaphore is misused")
FULL = 3
INIT = Operation(SEMAPHORE, "init semaphore", reads=None, writes=Mode.RLX, cases=(becomes(OPERAND),))
WAIT = Operation(
    SEMAPHORE,
    "wait for",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(becomes(OLD - 1, when=number(0) < OLD), waits()),
    unchanged="waits",
    stuck="this thread waits for a semaphore that nobody will post",
    stuck_alone="this thread waits for a semaphore that it emptied itself",
)
TRY_WAIT = Operation(
    SEMAPHORE,
    "try",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(becomes(OLD - 1, when=number(0) < OLD, result=0), stays(11)),
)
POST = Operation(
    SEMAPHORE,
    "post",
    reads=Mode.RLX,
    writes=Mode.REL,
    cases=(misuse("post of a semaphore that is full", when=number(FULL) <= OLD), becomes(OLD + 1)),
)
ADD = Operation(SEMAPHORE, "add to", reads=Mode.RLX, writes=Mode.REL, cases=(becomes(OLD + OPERAND),))

LATCH = SyncObject("latch", size=8, kind="latch", title="a latch is misused")
COUNT_DOWN = Operation(
    LATCH,
    "count down",
    reads=Mode.RLX,
    writes=Mode.REL,
    cases=(misuse("count of a latch that is open", when=OLD.equals(0)), becomes(OLD - 1)),
)
AWAIT = Operation(
    LATCH,
    "await",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(stays(when=OLD.equals(0)), waits()),
    stuck="this thread waits for a latch that is never opened",
    stuck_alone="this thread waits for a latch that it alone counted",
)
# A gate that its own thread opens and closes: what a write may do depends on the thread's last write.
GATE = SyncObject("gate", size=2, kind="gate", title="a gate is misused")
CLOSE = Operation(
    GATE,
    "close",
    reads=None,
    writes=Mode.REL,
    cases=(becomes(2, when=OLD.equals(0)), misuse("a gate is closed twice by one thread")),
    overwrites=(misuse("a gate is closed that another thread has closed", when=OLD.equals(2)),),
)

OPERATIONS = (INIT, WAIT, TRY_WAIT, POST, ADD, COUNT_DOWN, AWAIT, CLOSE)
SEM, LAT, GAT, X = (address(Region.GLOBAL, 4096 + 16 * i) for i in range(4))
PLACES = {SEMAPHORE: SEM, LATCH: LAT, GATE: GAT}
CONSTANTS = (0, 1, 2, 3, SEM, LAT, GAT, X, *(address(Region.CODE, 16 * (1 + i)) for i in range(4)))
STORE = Instr(Op.STORE, a=CONST | CONSTANTS.index(X), b=CONST | 1, width=32, mode=Mode.RLX)
LOAD = Instr(Op.LOAD, dst=1, a=STORE.a, width=32, mode=Mode.RLX)

Thread = Sequence[Operation | Instr]


def use(operation: Operation, operand: int = 1) -> Instr:
    """The instruction of an operation; results go to register 1."""
    place = CONST | CONSTANTS.index(PLACES[operation.object])
    number, results = OPERATIONS.index(operation), int(operation.has_result)
    return Instr(Op.SYNC, dst=1, a=place, b=CONST | CONSTANTS.index(operand), c=number, x=results)


def program(*threads: Thread, before: Thread = (), semaphore: int = 0, latch: int = 0) -> Program:
    """Main does something, starts the threads and joins them."""
    bodies = [
        [use(step) if isinstance(step, Operation) else step for step in body] for body in (before, *threads)
    ]
    create = [
        Instr(Op.CREATE, dst=1 + i, a=CONST | CONSTANTS.index(address(Region.CODE, 16 * (1 + i))), b=CONST)
        for i in range(len(threads))
    ]
    join = [Instr(Op.JOIN, dst=0, a=1 + i) for i in range(len(threads))]
    bodies[0] += create + join
    functions = [
        Function(f"f{i}", int(i > 0), 6, 0, (), (*body, Instr(Op.RET))) for i, body in enumerate(bodies)
    ]
    words = ((SEM, 4, semaphore), (LAT, 8, latch), (GAT, 2, 0), (X, 4, 0))
    return Program(
        tuple(functions),
        0,
        tuple(
            Global(hex(at), at, size, ((0, bytes((value,))),) if value else (), False)
            for at, size, value in words
        ),
        CONSTANTS,
        ((CONST,),),
        operations=OPERATIONS,
    )


def counts(subject: Program, model: str = "sc", liveness: bool = False) -> tuple[int, int]:
    """Complete and blocked executions, which are brute force's too."""
    found = explore(subject, plan_of(model), liveness=liveness)
    expected = enumerate_executions(subject, shipped(model))
    assert_same(found, expected, "co")
    return found.complete, found.blocked


@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
def test_counts_that_are_known(model: str) -> None:
    critical: Thread = [WAIT, LOAD, STORE, POST]
    assert counts(program(critical, critical, semaphore=1), model) == (2, 0)
    assert counts(program(critical, critical, critical, semaphore=1), model) == (6, 0)
    # The thread that waits first gets the one unit that is posted; the other one waits forever.
    assert counts(program([WAIT], [WAIT], [POST]), model) == (0, 2)
    # The attempt comes before the post, or after it.
    assert counts(program([TRY_WAIT], [POST]), model) == (2, 0)
    # Two orders of the counts; only after both does the third go on.
    assert counts(program([COUNT_DOWN], [COUNT_DOWN], [AWAIT, LOAD], latch=2), model) == (2, 0)
    assert counts(program([COUNT_DOWN], [AWAIT], latch=2), model) == (0, 1)
    # What main does before the first thread makes no events.
    assert counts(program([WAIT], before=[use(INIT, 2), WAIT]), model) == (1, 0)
    # Three operations in all orders but those in which the wait comes first.
    assert counts(program([use(ADD, 3)], [use(ADD, 2)], [WAIT]), model) == (4, 0)


def test_what_is_waited_for_orders_what_was_done_before() -> None:
    """A post is a release and a wait an acquire: the load sees the store."""
    plain_store = Instr(Op.STORE, a=STORE.a, b=CONST | 1, width=32, mode=Mode.NA)
    plain_load = Instr(Op.LOAD, dst=1, a=STORE.a, width=32, mode=Mode.NA)
    assert counts(program([plain_store, POST], [WAIT, plain_load]), "rc11") == (1, 0)
    racy = explore(program([plain_store, POST], [TRY_WAIT, plain_load]), plan_of("rc11"))
    assert racy.kind == "race"


@pytest.mark.parametrize(
    ("subject", "kind", "message"),
    [
        (program([POST], semaphore=3), "semaphore", "post of a semaphore that is full"),
        (program([COUNT_DOWN], [COUNT_DOWN], latch=1), "latch", "count of a latch that is open"),
        (program([], before=[POST, POST, POST, POST]), "semaphore", "post of a semaphore that is full"),
        (program([CLOSE, CLOSE]), "gate", "a gate is closed twice by one thread"),
        (program([CLOSE], [CLOSE]), "gate", "a gate is closed that another thread has closed"),
        (program([CLOSE], before=[CLOSE, CLOSE]), "gate", "a gate is closed twice by one thread"),
    ],
)
def test_misuse_is_a_finding_with_its_message(subject: Program, kind: str, message: str) -> None:
    finding = explore(subject, plan_of("sc")).explored.finding
    assert finding is not None
    assert (finding.kind, finding.message) == (kind, message)
    assert enumerate_executions(subject).findings == {kind}


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (program([WAIT], [WAIT], semaphore=1), WAIT.stuck),
        (program([WAIT, WAIT], semaphore=1), WAIT.stuck_alone),
        (program([AWAIT], latch=1), AWAIT.stuck),
        (program([], before=[WAIT]), WAIT.stuck_alone),
    ],
)
def test_who_waits_for_ever_is_told_what_for(subject: Program, message: str) -> None:
    finding = explore(subject, plan_of("sc"), liveness=True).explored.finding
    assert finding is not None
    assert (finding.kind, finding.message) == ("deadlock", message)


STEPS = st.sampled_from([WAIT, TRY_WAIT, POST, COUNT_DOWN, AWAIT, CLOSE, STORE, LOAD])
THREADS = st.lists(st.lists(STEPS, min_size=1, max_size=3), min_size=1, max_size=3).filter(
    lambda threads: sum(map(len, threads)) <= 5
)


@pytest.mark.parametrize("model", NAMES)
@examples(ci=50, slow=3_000)
@given(
    THREADS, st.integers(0, 2), st.integers(0, 2), st.sampled_from(EQUIVALENCES), SEEDS, AUDITS,
)  # fmt: skip
def test_random_programs(
    model: str,
    threads: list[Thread],
    semaphore: int,
    latch: int,
    equivalence: Equivalence,
    seed: int | None,
    audit: bool,
) -> None:
    subject = program(*threads, semaphore=semaphore, latch=latch)
    found = explore(subject, plan_of(model), equivalence=equivalence, seed=seed, audit=audit)
    expected = enumerate_executions(subject, shipped(model))
    assert_same(found, expected, equivalence)


def test_descriptions_are_kept_as_they_are() -> None:
    shipped_operations = tuple(call.operation for calls in FUNCTIONS.values() for call in calls)
    for operations in (OPERATIONS, shipped_operations):
        subject = Program(
            (Function("main", 0, 1, 0, (), (Instr(Op.RET),)),), 0, lists=((),), operations=operations
        )
        assert program_of(plain(subject)) == subject
        assert explore(subject, plan_of("sc")).complete == 1


C_PROGRAM = """
#include <pthread.h>
void give(int *), take(int *);
int s;
void *poster(void *arg) { give(&s); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, poster, 0);
    take(&s);
    %s
    return 0;
}
"""


@pytest.mark.parametrize(
    ("rest", "lines"),
    [
        ("", ["Verified under sc", "1 complete execution, 0 blocked"]),
        ("take(&s);", ["threads wait for each other", WAIT.stuck_alone, "wait for s: waits", "post s"]),
        ("give(&s); give(&s); give(&s); give(&s);", ["a semaphore is misused", "that is full", "post s"]),
    ],
)
def test_c_functions_and_reports(
    rest: str, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIBRARY, "give", synchronise((Call(POST),)))
    monkeypatch.setitem(LIBRARY, "take", synchronise((Call(WAIT),)))
    (tmp_path / "toy.c").write_text(C_PROGRAM % rest, encoding="utf-8")
    report = as_text(check(tmp_path / "toy.c", model="sc"))
    assert [line for line in lines if line not in report] == [], report
