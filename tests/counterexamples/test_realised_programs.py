"""Programs of random graphs: the outcome happens under models that allow the graph, and under no others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from mazurka.counterexamples import c_program, difference, litmus_test
from mazurka.counterexamples.realise import Unrealizable
from mazurka.litmus import parse_litmus_file
from mazurka.litmus.running.run import run_test
from mazurka.prover import CandidateGraph
from profiles import heavy
from refutations import RUN
from weak_graphs import allows, shown, weak_graph


def disputed(seed: int, *, dependencies: bool) -> Iterator[tuple[CandidateGraph, str, str]]:
    """Graphs on which models disagree, with one that allows it and one that does not."""
    rng = random.Random(seed)
    while True:
        graph = weak_graph(rng, dependencies=dependencies)
        allowing = [name for name in RUN if allows(name, graph)]
        forbidding = [name for name in RUN if name not in allowing]
        if allowing and forbidding:
            yield graph, rng.choice(allowing), rng.choice(forbidding)


@pytest.mark.parametrize("dependencies", [False, True], ids=["plain", "dependencies"])
def test_the_outcome_is_the_graph(dependencies: bool) -> None:
    for graph, allowing, forbidding in islice(disputed(5, dependencies=dependencies), 5):
        program = c_program(shown(graph))
        seen = difference(program, allowing=allowing, forbidding=forbidding)
        assert seen.shown, f"{seen}\n{program}"


@heavy
def test_litmus_tests_have_the_outcome() -> None:
    """Run as it is, the litmus test says what the program says; what herd's C lacks is refused."""
    refused, count = 0, 20
    for graph, allowing, forbidding in islice(disputed(6, dependencies=True), count):
        try:
            text = litmus_test(shown(graph), "random")
        except Unrealizable:
            refused += 1
            continue
        test = parse_litmus_file(text, "random.litmus")
        assert run_test(test, model=allowing).is_ok, f"{allowing}\n{text}"
        assert not run_test(test, model=forbidding).is_ok, f"{forbidding}\n{text}"
    assert refused < count // 2
