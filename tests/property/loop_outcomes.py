"""Programs that wait, in the engine and in the reference: what both must say about one program.

The reference runs the program as it was drawn. It drops executions in which a thread spins, and cuts every
loop after a number of rounds. What counts is the set of outcomes, the final memory of the complete
executions, and whether something goes wrong: how many executions lead to an outcome is up to the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from comparison import plan_of, shipped
from engine_graphs import canonical_from_engine
from mazurka import _engine
from mazurka.kat.planning.program_classes import rounds_of
from mazurka.program import Program
from mazurka.program.passes import passes_without, run_passes
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import final_memory
from mazurka.soundness.stale_reads import forbids_stale_reads

MODELS = ("sc", "tso", "ra", "rc11")
ROUNDS = 2
MOST_GRAPHS = 400


class Side(NamedTuple):
    """What is switched off."""

    without: tuple[str, ...] = ()
    zero_net_effect: bool = True
    load_annotations: bool = True
    postpones: bool = True


SIDES = {
    "all": Side(),
    "no-spin-assume": Side(("spin-assume",)),
    "no-reshape-loops": Side(("reshape-loops",)),
    "no-dynamic-spin-assume": Side(("dynamic-spin-assume",)),
    "no-zero-net-effect": Side(zero_net_effect=False),
    "no-load-annotations": Side(load_annotations=False),
    "no-postponing": Side(postpones=False),
    "none": Side(("spin-assume", "dynamic-spin-assume"), False, False, False),
}


@dataclass
class Outcomes:
    """What a program can do: its final memories, what goes wrong, and whether threads wait in vain."""

    memories: set[frozenset[tuple[int, int]]]
    kinds: set[str] = field(default_factory=set)
    waits_in_vain: bool = False


def expected(program: Program, model: str, rounds: int = ROUNDS) -> Outcomes:
    """What the reference says, with loops cut after some rounds."""
    found = enumerate_executions(
        program, shipped(model), unroll=rounds, stop_spins=True, most_graphs=MOST_GRAPHS
    )
    assert bool(found.stuck) <= bool(found.vain), "whoever sees the same for ever goes round for ever"
    return Outcomes(set(map(final_memory, found.complete)), found.findings, bool(found.vain))


def explored(
    program: Program, model: str, side: Side, *, unroll: int | None = None, liveness: bool = False
) -> tuple[str, Outcomes]:
    """What the engine says about a program as it was drawn, and its status."""
    plan = plan_of(model)
    changed = run_passes(program, passes_without(side.without))
    result = _engine.explore(
        changed.encode(),
        plan.encode(),
        collect=True,
        unroll=unroll,
        liveness=liveness,
        load_annotations=side.load_annotations,
        postpones=side.postpones,
        zero_net_effect=side.zero_net_effect,
        causal=is_causal(changed, model),
    )
    finding = result.finding
    kinds = set()
    if finding is not None:
        kinds = {finding.kind if finding.rule is None else plan.errors[finding.rule].name}
    memories = {final_memory(canonical_from_engine(graph)) for graph in result.graphs}
    return result.status, Outcomes(memories, kinds)


def is_causal(program: Program, model: str) -> bool:
    """Whether rounds may take back what they wrote, as a check decides it."""
    rounds = rounds_of(program)
    if rounds in ("", "meeting"):
        return False
    return _forbids_stale_reads(model, False) or (rounds == "ordered" and _forbids_stale_reads(model, True))


@cache
def _forbids_stale_reads(model: str, ordered: bool) -> bool:
    return forbids_stale_reads(shipped(model), ordered=ordered)
