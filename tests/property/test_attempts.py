"""Attempts that add to a counter and take it back: leaving out those that fail loses no final state.

What a failure of each loop can end in must be found when threads stop instead, and whatever is found then
must be possible with a few failures.
"""

from __future__ import annotations

from functools import cache

import pytest
from attempt_programs import texts
from batches import Batch
from comparison import plan_of
from loop_outcomes import is_causal
from mazurka import _engine
from mazurka._engine import Explored
from mazurka.program import Op, Program
from profiles import amount
from wait_loops import final_states

MODELS = ("sc", "tso", "ra", "rc11")
BATCH = 20
FAILED = 2  # the x of a ROUND where an attempt has failed
OFF = ("spin-assume", "dynamic-spin-assume")


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
        zero_net_effect=reduced,
        causal=reduced and is_causal(program, model),
        step_limit=100_000,
        time_limit=5.0,
    )


def compare(plain: Program, changed: Program, model: str) -> str | None:
    """What is wrong, if anything is; programs that take too long are left out."""
    before = explored(plain, model, 1)
    after = explored(changed, model, 1, reduced=True)
    if "interrupted" in (before.status, after.status):
        return None
    if (before.status, after.status) != ("finished", "finished"):
        return None if before.status == after.status else f"{before.status} became {after.status}"
    lost, new = final_states(before) - final_states(after), final_states(after) - final_states(before)
    if lost:
        return f"lost {lost}"
    if new:
        more = explored(plain, model, 3)
        new = set() if more.status == "interrupted" else new - final_states(more)
    return f"invented {new}" if new else None


@pytest.mark.parametrize("first", range(0, amount(ci=160, slow=4000), BATCH))
def test_the_same_final_states(first: int) -> None:
    seeds = range(first, first + BATCH)
    batch = Batch(texts(seeds))
    found = 0
    for seed in seeds:
        plain = batch.program(f"p{seed}_", without=OFF)
        changed = batch.program(f"p{seed}_")
        found += any(i.op == Op.ROUND and i.x == FAILED for f in changed.functions for i in f.code)
        model = MODELS[seed % len(MODELS)]
        assert compare(plain, changed, model) is None, (seed, model)
    assert found > BATCH // 2, "programs without attempts show nothing"
