"""Graphs of more events than a word has bits: orders that are kept as bit rows must widen on the way."""

from __future__ import annotations

import pytest
from mazurka import _engine
from mazurka.testing import parse_litmus, to_program
from shipped_models import plan_of

LONG = [60, 64, 70, 130]


def complete(litmus: str, name: str, *, seed: int | None, reads_from: bool = False) -> int:
    plan = plan_of(name)
    program = to_program(parse_litmus(litmus))
    result = _engine.explore(program.encode(), plan.encode(), schedule_seed=seed, reads_from=reads_from)
    assert result.status == "finished"
    return int(result.complete)


@pytest.mark.parametrize("name", ["sc", "tso", "rc11"])
@pytest.mark.parametrize("writes", LONG)
def test_two_reads_see_any_two_writes_in_order(writes: int, name: str) -> None:
    """The first read sees one of the writes or the initial value, the second the same or a later one."""
    litmus = "; ".join(["Wrlx x 1"] * writes) + " || Rrlx x; Rrlx x"
    for seed in (None, 3):
        assert complete(litmus, name, seed=seed) == (writes + 1) * (writes + 2) // 2


@pytest.mark.parametrize("reads_from", [False, True])
@pytest.mark.parametrize("writes", LONG)
def test_store_buffering_after_many_writes(writes: int, reads_from: bool) -> None:
    before = "; ".join(["Wrlx z 1"] * writes)
    plain = f"{before}; Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x"
    fenced = f"{before}; Wrlx x 1; Fsc; Rrlx y || Wrlx y 1; Fsc; Rrlx x"
    for seed in (None, 1):
        assert complete(plain, "sc", seed=seed, reads_from=reads_from) == 3
        assert complete(plain, "tso", seed=seed, reads_from=reads_from) == 4
        assert complete(fenced, "tso", seed=seed, reads_from=reads_from) == 3
