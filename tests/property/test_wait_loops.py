"""Loops that may wait, with what is done to them and without: the same final states.

Without it loops need a bound, so the two sides are compared by inclusion. Whatever up to N iterations of each
loop can end in must also be found when spins are stopped, with the same bound. Whatever is found then must be
possible with a few iterations more: rotated and merged loops count a little differently.
"""

from __future__ import annotations

from functools import cache

import pytest
from batches import Batch
from mazurka import _engine
from mazurka._engine import Explored
from mazurka.program import Mode, Op, Program
from mazurka.program.passes import run_passes
from mazurka.testing import Test, to_program
from mazurka.testing.operations import FetchAdd, Guard, Load, Register, Repeat, Shape, Store
from profiles import amount
from shipped_models import plan_of
from wait_loops import final_states, texts

MODELS = ("sc", "tso", "ra", "rc11")
CAUSAL = ("sc", "tso", "ra")  # under rc11 this would depend on the program
BATCH = 20
ROUNDS = 2
SIDES = {
    "spin_assume": ("dynamic-spin-assume",),
    "not_reshaped": ("dynamic-spin-assume", "reshape-loops"),
    "dynamic": ("spin-assume",),
    "all": (),
}


@cache
def plan(model: str) -> bytes:
    return plan_of(model).encode()


def explored(program: Program, model: str, rounds: int, *, reduced: bool = False) -> Explored:
    return _engine.explore(
        program.encode(),
        plan(model),
        unroll=rounds,
        collect=True,
        liveness=False,
        load_annotations=reduced,
        causal=reduced and model in CAUSAL,
        step_limit=100_000,
    )


def compare(plain: Program, changed: Program, model: str) -> str | None:
    """What is wrong, if anything is."""
    before = explored(plain, model, ROUNDS)
    after = explored(changed, model, ROUNDS, reduced=True)
    if before.status != "finished" or after.status != "finished":
        return None if before.status == after.status else f"{before.status} became {after.status}"
    lost = final_states(before) - final_states(after)
    if lost:
        return f"lost {lost}"
    new = final_states(after) - final_states(before)
    if new:
        new -= final_states(explored(plain, model, ROUNDS + 2))
    return f"invented {new}" if new else None


def check(batch: Batch, seed: int) -> None:
    """Compares one program under one model."""
    prefix = f"p{seed}_"
    plain = batch.program(prefix, without=("spin-assume", "dynamic-spin-assume"))
    name = list(SIDES)[seed % len(SIDES)]
    changed = batch.program(prefix, without=SIDES[name])
    model = MODELS[seed // len(SIDES) % len(MODELS)]
    assert compare(plain, changed, model) is None, (seed, name, model)


@pytest.mark.parametrize("first", range(0, amount(ci=400, slow=5000), BATCH))
def test_the_same_final_states(first: int) -> None:
    seeds = range(first, first + BATCH)
    batch = Batch(texts(seeds))
    for seed in seeds:
        check(batch, seed)


def test_many_programs_have_loops_that_may_wait() -> None:
    """Of eighty; twenty of them may have few."""
    seeds = range(4 * BATCH)
    batch = Batch(texts(seeds))
    programs = [batch.program(f"p{seed}_", without=list(SIDES.values())[seed % len(SIDES)]) for seed in seeds]
    waits = [any(i.op in (Op.SPIN, Op.ROUND) for f in p.functions for i in f.code) for p in programs]
    assert sum(waits) > len(waits) // 3


# Programs to remember -----------------------------------------------------------------------------------


def test_merged_loops_are_cut() -> None:
    """The loop begins earlier than it did, and one way round leaves that out: both ways count as rounds."""
    check(Batch(texts([1564])), 1564)


def takes_back(mode: Mode, place: str, register: int, shape: Shape) -> Repeat:
    """Adds one to a counter and takes it back, until the counter was zero."""
    back = FetchAdd(mode, place, (1 << 32) - 1)
    guards = tuple(Guard(Register(register), seen, (back,)) for seen in (1, 2))
    return Repeat((FetchAdd(mode, place, 1), *guards), ((Register(register), 0),), None, shape)


@pytest.mark.parametrize("model", CAUSAL)
def test_a_round_that_is_undone_observes_others(model: str) -> None:
    """Thread 2 sees what thread 3 wrote in a round that wrote, although its own round is undone."""
    first = (takes_back(Mode.ACQ_REL, "x", 0, Shape.FOR), Store(Mode.RLX, "a", Register(2)))
    second = (
        FetchAdd(Mode.SC, "x", 1),
        takes_back(Mode.ACQ_REL, "l", 1, Shape.DO_WHILE),
        Store(Mode.RLX, "b", Register(3)),
    )
    waits = Repeat((Store(Mode.RLX, "l", 1), Load(Mode.SC, "l")), ((Register(0), 0),), None, Shape.GOTO)
    third = (waits, Store(Mode.RLX, "c", Register(0)))
    variables = (*((name, 0) for name in "xl"), *((name, 9) for name in "abc"))
    plain = to_program(Test((first, second, third), variables, ()))
    assert compare(plain, run_passes(plain), model) is None
