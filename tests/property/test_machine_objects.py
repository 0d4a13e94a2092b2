"""Synchronisation objects under models of machines, where a thread's accesses may overtake its operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest
from comparison import EQUIVALENCES, SEEDS, assert_same, explore
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.program import CONST, Instr, Mode, Op
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import Equivalence
from profiles import examples
from test_hardware import MODELS, planned
from test_sync_objects import (
    AWAIT,
    CONSTANTS,
    COUNT_DOWN,
    GAT,
    LOAD,
    POST,
    STORE,
    TRY_WAIT,
    WAIT,
    Thread,
    program,
)

# A second variable, in place of the gate.
OTHER = CONST | CONSTANTS.index(GAT)
LOAD_OTHER, STORE_OTHER = replace(LOAD, a=OTHER, width=16), replace(STORE, a=OTHER, width=16)
# What is stored is what was read last, or what the operation before returned.
COPY, COPY_OTHER = replace(STORE, b=1), replace(STORE_OTHER, b=1)
STEPS: Thread = [
    WAIT,
    TRY_WAIT,
    POST,
    COUNT_DOWN,
    AWAIT,
    STORE,
    LOAD,
    COPY,
    LOAD_OTHER,
    STORE_OTHER,
    COPY_OTHER,
]


def plain(step: Instr) -> Instr:
    return replace(step, mode=Mode.NA)


# What a lock protects: a thread that sees the first store must see the second, or it divides by zero.
PUBLISH: Thread = [plain(STORE), plain(STORE_OTHER)]
INSPECT: Thread = [
    replace(plain(LOAD), dst=2),
    plain(LOAD_OTHER),
    Instr(Op.ULE, dst=3, a=2, b=1, width=32),
    Instr(Op.UDIV, dst=3, a=CONST | 1, b=3, width=32),
]


def threads_of(steps: Sequence[Thread]) -> st.SearchStrategy[list[Thread]]:
    """Up to three threads of some steps, six in all."""
    bodies = st.lists(st.lists(st.sampled_from(steps), min_size=1, max_size=4), min_size=1, max_size=3)
    few = bodies.filter(lambda threads: sum(map(len, threads)) <= 6)
    return few.map(lambda threads: [list(chain.from_iterable(body)) for body in threads])


THREADS = threads_of([[step] for step in STEPS])
PROTECTED = threads_of([[WAIT], [WAIT], [POST], [POST], PUBLISH, INSPECT, [STORE], [LOAD]])


def check(
    threads: list[Thread],
    name: str,
    semaphore: int,
    latch: int,
    seed: int | None,
    equivalence: Equivalence = "co",
) -> int:
    model, plan = planned(name)
    subject = apply_mapping(program(*threads, semaphore=semaphore, latch=latch), model.mapping)
    found = explore(subject, plan, equivalence=equivalence, seed=seed)
    assert_same(found, enumerate_executions(subject, model), equivalence, early=True)
    return found.complete


@pytest.mark.parametrize("name", MODELS)
@examples(ci=120, slow=3_000)
@given(THREADS, st.integers(0, 2), st.integers(0, 2), SEEDS, st.sampled_from(EQUIVALENCES))
def test_random_programs(
    name: str, threads: list[Thread], semaphore: int, latch: int, seed: int | None, equivalence: Equivalence
) -> None:
    check(threads, name, semaphore, latch, seed, equivalence)


@pytest.mark.parametrize("name", MODELS)
@examples(ci=120, slow=3_000)
@given(PROTECTED, st.integers(0, 2), SEEDS, st.sampled_from(EQUIVALENCES))
def test_findings_behind_locks(
    name: str, threads: list[Thread], semaphore: int, seed: int | None, equivalence: Equivalence
) -> None:
    check(threads, name, semaphore, 0, seed, equivalence)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", MODELS)
def test_what_a_lock_protects_is_not_seen_by_halves(name: str, first: int) -> None:
    threads: list[Thread] = [[WAIT, *INSPECT, POST], [WAIT, *PUBLISH, POST]]
    for seed in (None, *range(8)):
        assert check(threads[::-1] if first else threads, name, 1, 0, seed) == 2


def test_a_wait_does_not_order_what_is_before_it() -> None:
    """The store behind the wait may be seen by whom the load sees, unless the wait has a full fence."""
    threads: list[Thread] = [[LOAD, WAIT, STORE_OTHER], [LOAD_OTHER, COPY]]
    counted = {name: check(threads, name, 1, 0, None) for name in MODELS}
    assert {name for name, count in counted.items() if count == 4} == {"armv8", "imm", "lkmm", "riscv"}
    assert {name for name, count in counted.items() if count == 3} == {"armv7", "power", "riscv-tso", "x86"}
