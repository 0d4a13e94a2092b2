"""Programs that wait, in the engine and in the reference: what both must say about one program.

The reference runs the program as it was drawn. It drops executions in which a thread spins, and cuts every
loop after a number of rounds. What counts is the set of outcomes, the final memory of the complete
executions, and whether something goes wrong: how many executions lead to an outcome is up to the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from comparison import plan_of, shipped
from engine_graphs import canonical_from_engine
from mazurka import _engine
from mazurka.program import Program
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import final_memory

MODELS = ("sc", "tso", "ra", "rc11")
ROUNDS = 2
MOST_GRAPHS = 400


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
    program: Program, model: str, *, unroll: int | None = None, liveness: bool = False
) -> tuple[str, Outcomes]:
    """What the engine says, and its status."""
    plan = plan_of(model)
    result = _engine.explore(program.encode(), plan.encode(), collect=True, unroll=unroll, liveness=liveness)
    finding = result.finding
    kinds = set()
    if finding is not None:
        kinds = {finding.kind if finding.rule is None else plan.errors[finding.rule].name}
    memories = {final_memory(canonical_from_engine(graph)) for graph in result.graphs}
    return result.status, Outcomes(memories, kinds)
