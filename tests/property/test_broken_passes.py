"""The random programs notice a pass that is wrong: each of its conditions is broken on purpose.

A comparison that finds nothing says something only if it would find something. The programs are the first of
those that ``test_wait_loops`` compares.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from batches import Batch
from mazurka.program.passes.spinning import unpublished
from mazurka.program.passes.spinning.code import Code
from mazurka.program.passes.spinning.walking import Walk
from profiles import heavy
from test_wait_loops import SIDES, compare
from wait_loops import texts

PROGRAMS = 100  # as many as the quick profile compares


def ignore_stores(patch: pytest.MonkeyPatch) -> None:
    """Stores are no effects."""
    patch.setattr(Walk, "_is_temporary", lambda *_: True)


def ignore_live_registers(patch: pytest.MonkeyPatch) -> None:
    """No value matters in the next round."""
    patch.setattr(Code, "live", lambda *_: 0)


def ignore_inner_loops(patch: pytest.MonkeyPatch) -> None:
    """A loop within the round has no effects."""
    patch.setattr(Code, "is_harmless", lambda *_: True)


def ignore_publication(patch: pytest.MonkeyPatch) -> None:
    """Nobody else knows the objects that a thread has allocated."""
    patch.setattr(unpublished, "_is_harmless", lambda *_: True)


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch(texts(range(PROGRAMS)))


@heavy
@pytest.mark.parametrize(
    "break_it", [ignore_stores, ignore_live_registers, ignore_inner_loops, ignore_publication]
)
def test_a_broken_pass_is_noticed(
    break_it: Callable[[pytest.MonkeyPatch], None], batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch)
    assert any(map(partial(loses_states, batch), range(PROGRAMS)))


def loses_states(batch: Batch, seed: int) -> bool:
    """Whether final states of a program are missing if its spins are stopped."""
    plain = batch.program(f"p{seed}_", without=("spin-assume", "dynamic-spin-assume"))
    changed = batch.program(f"p{seed}_", without=SIDES["spin_assume"])
    return (compare(plain, changed, "sc") or "").startswith("lost")
