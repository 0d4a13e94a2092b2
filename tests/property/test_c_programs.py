"""The C programs of ``tests/programs``, compiled: the engine and the reference find the same graphs.

Left out: programs with a violation, programs too large for Python, and what the reference does not
interpret; half must remain, fewer where races are violations.
"""

from __future__ import annotations

import re
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest
from comparison import plan_of, shipped
from engine_graphs import canonical_from_engine
from mazurka import _engine, compile_program
from mazurka.program import Op, Program, Rounds
from mazurka.program.instructions import compared_loops
from mazurka.reference import Machine, ReferenceUnsupported, verify
from profiles import heavy, some

ALL = sorted((Path(__file__).parents[1] / "programs").glob("*.c"))
PROGRAMS = some(ALL, every=12)
COMPARED = some(ALL, every=12, ci=2)  # with the reference, which takes long
MOST_EXECUTIONS, MOST_BLOCKED, MOST_EVENTS = 50, 150, 60


@pytest.mark.parametrize(
    ("model", "share"),
    [pytest.param("sc", 1 / 2, marks=heavy), pytest.param("tso", 1 / 2, marks=heavy), ("rc11", 1 / 4)],
)
def test_engine_agrees_with_the_reference(model: str, share: float) -> None:
    verdicts = {path.stem: compare(path, model) for path in COMPARED}
    assert [name for name, verdict in verdicts.items() if verdict == "different"] == []
    assert list(verdicts.values()).count("same") > len(COMPARED) * share


@cache
def compiled(path: Path) -> Program:
    return compile_program(path)


@heavy
def test_a_bound_changes_nothing_if_all_loops_are_constant() -> None:
    looping = 0
    for path in PROGRAMS:
        program = compiled(path)
        marks = {i.x for function in program.functions for i in function.code if i.op == Op.LOOP}
        if marks - {Rounds.CONSTANT}:
            continue
        looping += bool(marks)
        arguments = program.encode(), plan_of("sc").encode()
        free, bounded = (_engine.explore(*arguments, unroll=bound) for bound in (None, 1))
        if any(loop is None for loop, *_ in bounded.cuts):
            continue  # The bound also cuts recursion, which is not a loop.
        assert not bounded.cuts, path
        counts = attrgetter("status", "complete", "blocked", "events")
        assert counts(free) == counts(bounded), path
    assert looping > 12


def compare(path: Path, model: str) -> str:
    """Runs a program in both; a word for what came out."""
    bound = re.search(r"--unroll (\d+)", path.read_text())
    unroll = int(bound[1]) if bound else None
    program = compiled(path)
    if compared_loops(program):
        return "left out"  # test_loop_outcomes compares loops whose rounds the engine compares
    plan = plan_of(model).encode()
    found = _engine.explore(program.encode(), plan, unroll=unroll, collect=True, liveness=False)
    events = max((sum(len(t.events) for t in g.threads) for g in found.graphs), default=0)
    if found.status != "finished" or found.complete > MOST_EXECUTIONS or events > MOST_EVENTS:
        return "left out"
    # The reference knows no way around executions that come to nothing.
    whole = _engine.explore(
        program.encode(),
        plan,
        unroll=unroll,
        liveness=False,
        load_annotations=False,
        postpones=False,
        time_limit=10,
    )
    if whole.status != "finished" or whole.blocked > MOST_BLOCKED:
        return "left out"
    try:
        machine = Machine(program, unroll)
        expected = [
            machine.canonical(graph) for graph in verify(program, shipped(model), unroll=unroll).complete
        ]
    except ReferenceUnsupported:
        return "not interpreted"
    forms = [canonical_from_engine(graph) for graph in found.graphs]
    return "same" if set(forms) == set(expected) and len(forms) == len(expected) else "different"
