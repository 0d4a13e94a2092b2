"""What Mixer in the reference must say about a program: what brute force says, each execution once."""

from __future__ import annotations

from mazurka.program import Program
from mazurka.reference import Canonical, Executions, Machine
from mazurka.reference.trust import Exploration


def assert_same(program: Program, result: Exploration, expected: Executions) -> int:
    """Compares Mixer with brute force; returns how many executions are complete."""
    machine = Machine(program)
    assert result.findings == expected.findings
    if expected.findings:
        return 0
    for graphs, forms in (
        (result.complete, expected.complete),
        (result.blocked, expected.blocked),
        (result.early, expected.early),
    ):
        visited: list[Canonical] = [machine.canonical(graph) for graph in graphs]
        assert len(visited) == len(set(visited))
        assert set(visited) == forms
    return len(expected.complete)
