"""Exchangeable threads: one execution of each class is explored, and stands for the right number of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from comparison import SEEDS, plan_of, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine, check
from mazurka.checking.outcome import Outcome
from mazurka.program import CONST, Function, Global, Instr, Mode, Op, Program, Region, RmwOp, address
from mazurka.program.sync_objects import LOCK, UNLOCK
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import Canonical, CanonicalEvent, Parts, Runs
from mazurka.report.as_json import as_json
from mazurka.report.text import as_text
from profiles import examples, heavy
from shipped_models import NAMES

X, Y, M = PLACES = [address(Region.GLOBAL, 4096 + 16 * i) for i in range(3)]
CODE = [address(Region.CODE, 16 * (1 + i)) for i in range(2)]
CONSTANTS = (0, 1, 2, *PLACES, *CODE)
OPERATIONS = (LOCK, UNLOCK)
REGISTER, FLAG = 1, 2
QUICK = ("sc", "tso", "rc11")  # brute force takes long under some of the others

Step = Sequence[Instr]


def const(value: int) -> int:
    return CONST | CONSTANTS.index(value)


def store(place: int, value: int, mode: Mode = Mode.RLX) -> Step:
    return [Instr(Op.STORE, a=const(place), b=const(value), width=32, mode=mode)]


def load(place: int, mode: Mode = Mode.RLX) -> Step:
    return [Instr(Op.LOAD, dst=REGISTER, a=const(place), width=32, mode=mode)]


def add(place: int, mode: Mode = Mode.RLX) -> Step:
    return [Instr(Op.RMW, dst=REGISTER, a=const(place), b=const(1), width=32, mode=mode, x=RmwOp.ADD)]


def swap(place: int, old: int, new: int) -> Step:
    numbers = {"b": const(old), "c": const(new), "mode": Mode.ACQ_REL, "x": Mode.RLX}
    return [Instr(Op.CAS, dst=REGISTER, a=const(place), width=32, **numbers)]  # type: ignore[arg-type]


def choose(last: int) -> Step:
    return [Instr(Op.CHOOSE, dst=REGISTER, a=const(0), b=const(last), width=32)]


def lock(place: int = M) -> Step:
    return [Instr(Op.SYNC, a=const(place), b=CONST, c=0)]


def unlock(place: int = M) -> Step:
    return [Instr(Op.SYNC, a=const(place), b=CONST, c=1)]


def assume_zero() -> Step:
    return [Instr(Op.EQ, dst=FLAG, a=REGISTER, b=CONST, width=32), Instr(Op.ASSUME, a=FLAG)]


def if_set(then: Step) -> Step:
    """Does something unless the last result is 0."""
    return [Instr(Op.BR, a=REGISTER), *then]


def program(count: int, body: Sequence[Step], alone: Sequence[Step] = (), *, unused: int = 1) -> Program:
    """Main starts threads that all do the same, and perhaps one that does something else, and joins them."""
    started = [0] * count + [1] * bool(alone)
    create = [Instr(Op.CREATE, dst=3 + i, a=const(CODE[f]), b=CONST) for i, f in enumerate(started)]
    join = [Instr(Op.JOIN, dst=0, a=3 + i, x=unused) for i in range(len(started))]
    bodies = [[create, join], body, alone]
    return Program(
        tuple(Function(f"f{i}", int(i > 0), 16, 0, (), _code(steps)) for i, steps in enumerate(bodies)),
        0,
        tuple(Global(hex(at), at, 4, (), False) for at in PLACES),
        CONSTANTS,
        ((CONST,),),
        operations=OPERATIONS,
    )


def _code(steps: Sequence[Step]) -> tuple[Instr, ...]:
    code: list[Instr] = []
    for step in steps:
        end = len(code) + len(step)
        for instr in step:
            here = len(code)
            code.append(Instr(Op.BR, a=instr.a, b=here + 1, c=end) if instr.op is Op.BR else instr)
    return (*code, Instr(Op.RET))


def explore(
    subject: Program, model: str, *, symmetry: bool = True, seed: int | None = None, workers: int = 1
) -> _engine.Explored:
    plan = plan_of(model).encode()
    eager = workers > 1
    return _engine.explore(
        *(subject.encode(), plan),
        symmetry=symmetry,
        schedule_seed=seed,
        liveness=False,
        workers=workers,
        eager=eager,
    )


def classes(forms: set[Canonical], count: int) -> int:
    """How many executions there are up to an exchange of the threads 1 to ``count``."""
    left, found = {_nameless(form) for form in forms}, 0
    assert len(left) == len(forms)
    while left:
        form = next(iter(left))
        left -= {_exchanged(form, (0, *names)) for names in permutations(range(1, count + 1))}
        found += 1
    return found


def _nameless(form: Canonical) -> Canonical:
    """Who holds the mutex follows from the rest; so does how far main came with joining blocked threads."""

    def event(e: CanonicalEvent) -> CanonicalEvent:
        return (*e[:4], min(e[4], 1), *e[5:]) if e[2] == M else e

    return tuple(tuple(event(e) for e in thread if e[0] != "JOIN") for thread in form[0]), form[1]


def _exchanged(form: Canonical, names: tuple[int, ...]) -> Canonical:
    """The execution in which threads have other names; those of main and of later threads stay."""

    def name(thread: int) -> int:
        return names[thread] if thread < len(names) else thread

    def event(e: CanonicalEvent) -> CanonicalEvent:
        assert not isinstance(e[6], Runs | Parts), "accesses have one size"
        return (*e[:6], None if e[6] is None else (name(e[6][0]), e[6][1]), e[7])

    threads = {name(t): tuple(map(event, thread)) for t, thread in enumerate(form[0])}
    co = tuple((at, tuple((name(t), i) for t, i in writes)) for at, writes in form[1])
    return tuple(threads.get(t, ()) for t in range(max(threads) + 1)), co


@pytest.mark.parametrize(
    ("subject", "explored", "complete"),
    [
        (program(4, [add(X, Mode.SC)]), 1, 24),
        (program(3, [store(X, 1)]), 1, 6),
        # How many of the readers see the store.
        (program(4, [load(X)], [store(X, 1)]), 5, 16),
        (program(3, [lock(), load(X), store(X, 1), unlock()]), 1, 6),
        (program(3, [[]]), 1, 1),
        # How many of the threads choose 1.
        (program(3, [choose(1)]), 4, 8),
        # What the threads return is used.
        (program(3, [store(X, 1)], unused=0), 6, 6),
    ],
)
def test_counts_that_are_known(subject: Program, explored: int, complete: int) -> None:
    found = explore(subject, "sc")
    assert (found.explored_complete, found.complete) == (explored, complete)
    assert explore(subject, "sc", symmetry=False).explored_complete == complete


STEPS = st.sampled_from(
    [
        *(store(X, 1), store(X, 2), store(Y, 1), load(X), load(Y), add(X), add(X, Mode.SC), swap(X, 0, 1)),
        *(store(Y, 1, Mode.REL), load(Y, Mode.ACQ), load(X, Mode.SC), store(X, 1, Mode.SC)),
        *(choose(1), choose(2)),
        *(if_set(store(Y, 2)), if_set(add(Y)), assume_zero(), [*lock(), *add(Y), *unlock()]),
    ]
)


@pytest.mark.parametrize(
    "model", [name if name in QUICK else pytest.param(name, marks=heavy) for name in NAMES]
)
@examples(ci=20, slow=4_000)
@given(st.lists(STEPS, min_size=1, max_size=3), st.lists(STEPS, max_size=2), st.integers(2, 3), SEEDS)
def test_random_programs(
    model: str, body: list[Step], alone: list[Step], count: int, seed: int | None
) -> None:
    if count * sum(map(len, body)) + sum(map(len, alone)) > 8:
        return
    subject = program(count, body, alone)
    found = explore(subject, model, seed=seed)
    expected = enumerate_executions(subject, shipped(model))
    assert found.status == "finished"
    assert found.complete == len(expected.complete)
    assert found.explored_complete == classes(expected.complete, count)
    assert found.blocked == len(expected.blocked)
    assert found.explored_blocked == classes(expected.blocked, count)


@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
@examples(ci=30, slow=3_000)
@given(st.lists(STEPS, min_size=1, max_size=4), st.lists(STEPS, max_size=3), st.integers(2, 4), SEEDS)
def test_larger_programs(
    model: str, body: list[Step], alone: list[Step], count: int, seed: int | None
) -> None:
    """Too large for brute force: the engine with all executions is the oracle."""
    if count * len(body) + len(alone) > 11:
        return
    subject = program(count, body, alone)
    found, every = (explore(subject, model, symmetry=symmetry, seed=seed) for symmetry in (True, False))
    assert (found.complete, found.blocked) == (every.complete, every.blocked)
    assert found.explored_complete <= every.explored_complete
    together = explore(subject, model, workers=2)
    explored = (together.explored_complete, together.explored_blocked)
    assert (together.complete, *explored) == (found.complete, found.explored_complete, found.explored_blocked)


# C programs: what makes threads exchangeable -------------------------------------------------------------

C_PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_long x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void twice(void) { x++; }
void *run(void *arg) { BODY; return 0; }
int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run, ARGUMENT);
    BETWEEN;
    for (int i = 0; i < JOINED; i++)
        pthread_join(t[i], RESULT);
    assert(x < 100);
    return 0;
}
"""
SETTINGS = {"BODY": "x++", "ARGUMENT": "NULL", "BETWEEN": "", "JOINED": "3", "RESULT": "NULL"}


def checked(folder: Path, **settings: str) -> Outcome:
    source = C_PROGRAM
    for name, text in (SETTINGS | settings).items():
        source = source.replace(name, text)
    path = folder / "threads.c"
    path.write_text(source, encoding="utf-8")
    return check(path, model="sc")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"BODY": "twice()"},
        {"BODY": "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m)"},
        {"ARGUMENT": "(void *)&x", "BODY": "++*(atomic_long *)arg"},
    ],
)
def test_threads_that_are_exchangeable(settings: dict[str, str], tmp_path: Path) -> None:
    found = checked(tmp_path, **settings)
    assert (found.verdict, found.complete, found.explored) == ("verified", 6, (1, 0))
    assert "(6 complete executions, 0 blocked, 1 explored; " in as_text(found)
    assert json.loads(as_json(found))["executions"]["explored"] == {"complete": 1, "blocked": 0}


@pytest.mark.parametrize(
    "settings",
    [
        {"ARGUMENT": "(void *)i"},
        {"BODY": "if (pthread_self() != 77) x++"},
        {"BODY": "int *p = malloc(4); x += (long)p ? 1 : 0; atomic_exchange(&x, (long)p & 3); free(p)"},
        {"BODY": "void (*f)(void) = arg ? abort : twice; f()"},
        {"BETWEEN": "x = 5"},
        {"JOINED": "2"},
        {"BETWEEN": "void *result", "RESULT": "&result"},
    ],
)
def test_threads_that_something_tells_apart(settings: dict[str, str], tmp_path: Path) -> None:
    found = checked(tmp_path, **settings)
    assert found.verdict == "verified"
    assert found.explored is None
    assert "explored;" not in as_text(found)


def test_a_violation_is_found_whichever_thread_it_is(tmp_path: Path) -> None:
    found = checked(tmp_path, BODY="assert(x++ < 2)")
    assert found.violation is not None
    assert found.violation.kind == "assertion"
