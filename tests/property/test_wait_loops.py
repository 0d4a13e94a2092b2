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
from mazurka.kat.language.load import named_model
from mazurka.program import Op, Program
from mazurka.soundness.requirements import plan_model
from profiles import amount
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
    return plan_model(named_model(model)).encode()


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


@pytest.mark.parametrize("first", range(0, amount(ci=800, slow=5000), BATCH))
def test_the_same_final_states(first: int) -> None:
    seeds = range(first, first + BATCH)
    batch = Batch(texts(seeds))
    spins = 0
    for seed in seeds:
        prefix = f"p{seed}_"
        plain = batch.program(prefix, without=("spin-assume", "dynamic-spin-assume"))
        name = list(SIDES)[seed % len(SIDES)]
        changed = batch.program(prefix, without=SIDES[name])
        spins += any(i.op in (Op.SPIN, Op.ROUND) for f in changed.functions for i in f.code)
        model = MODELS[seed // len(SIDES) % len(MODELS)]
        assert compare(plain, changed, model) is None, (seed, name, model)
    assert spins > BATCH // 3, "programs without wait loops show nothing"
