"""Random small queries: what is proved has no counterexample among small graphs, what is refuted has one.

The graphs are random well-formed ones of up to 5 events beside the initial writes, with random declared
relations; they are made here, not by the prover.
"""

from __future__ import annotations

import random

import pytest
from mazurka.kat.classes import INIT
from mazurka.kat.plan import CLASSES
from mazurka.prover import CandidateGraph, Evaluator, Proved, Query, Refuted, decide
from mazurka.prover.completion import Sketch, completions
from mazurka.prover.events import Kind
from prover_questions import questions

BASES = ("po", "po-loc", "rf", "rfe", "rfi", "co", "coe", "fr", "fri", "r", "s")
TESTS = ("[R]", "[W]", "[F]", "[A]", "[W & REL]", "id")
KINDS = ("R.rlx.load", "R.acq.load", "W.rlx.store", "W.rel.store", "F.sc")
GRAPHS = 150


def term(draw: random.Random, depth: int) -> str:
    """A random expression."""
    if depth == 0 or draw.random() < 0.25:
        return draw.choice(BASES + TESTS)
    shape = draw.choice(("{} ; {}", "{} ; {}", "{} | {}", "{}+", "{}?", "{}^-1", "{} & {}", "{} \\ {}"))
    parts = [term(draw, depth - 1) for _ in range(shape.count("{}"))]
    if shape == "{}^-1":  # of a base relation, as a test has none
        return f"({draw.choice(BASES)}^-1)"
    return "(" + shape.format(*parts) + ")"


def question(seed: int) -> str:
    """A random query, sometimes with assumptions."""
    draw = random.Random(seed)
    text = "relation r relation s predicate A\n"
    for _ in range(draw.choice((0, 0, 1, 2))):
        kind = draw.choice(("irreflexive {}", "acyclic {}", "{} <= {}", "{} = 0"))
        text += "assume " + kind.format(*(term(draw, 1) for _ in range(kind.count("{}")))) + "\n"
    kind = draw.choice(("{} <= {}", "{} = {}", "irreflexive {}", "acyclic {}"))
    return text + "assert " + kind.format(*(term(draw, 2) for _ in range(kind.count("{}")))) + "\n"


def random_graph(draw: random.Random) -> CandidateGraph | None:
    """A random graph of up to 5 events, and initial writes."""
    size = draw.randrange(1, 6)
    kinds = [
        Kind(CLASSES.index(draw.choice(KINDS)), frozenset({"A"}) if draw.random() < 0.5 else frozenset())
        for _ in range(size)
    ]
    edges = [(a, "po", b) for a in range(size) for b in range(a + 1, size) if draw.random() < 0.4]
    accesses = [e for e, kind in enumerate(kinds) if not CLASSES[kind.number].startswith("F")]
    edges += [(a, "loc-overlap", b) for a in accesses for b in accesses if a < b and draw.random() < 0.6]
    edges += [(a, name, b) for name in "rs" for a in range(size) for b in range(size) if draw.random() < 0.25]
    found = list(completions(Sketch(kinds, edges)))
    return draw.choice(found) if found else None


def satisfies(evaluator: Evaluator, query: Query) -> bool:
    """Whether a graph satisfies the assumptions of a query."""
    return all(evaluator.holds(s.claim) for s in query.theory.assumptions if s.claim is not None)


@pytest.fixture(scope="module")
def graphs() -> list[CandidateGraph]:
    draw = random.Random(1)
    made = (random_graph(draw) for _ in range(3 * GRAPHS))
    return [graph for graph in made if graph is not None][:GRAPHS]


def test_the_graphs_are_of_many_shapes(graphs: list[CandidateGraph]) -> None:
    assert len(graphs) == GRAPHS
    assert all(any(INIT >> k.number & 1 for k in g.kinds) or max(g.locations) == -1 for g in graphs)
    for name in ("po", "po-loc", "rfe", "rfi", "coe", "fri", "r"):
        assert any(any(graph.relations[name]) for graph in graphs), name


@pytest.mark.parametrize("batch", range(30))
def test_answers_agree_with_small_graphs(batch: int, graphs: list[CandidateGraph]) -> None:
    decided = 0
    for seed in range(100 * batch, 100 * (batch + 1)):
        (query,) = questions(question(seed))
        answer = decide(query, allow_unused=True, time_limit=5)
        decided += isinstance(answer, Proved | Refuted)
        if isinstance(answer, Refuted):
            evaluator = Evaluator(answer.graph, query.theory.views)
            assert satisfies(evaluator, query)
            assert not evaluator.holds(query.claim)
        elif isinstance(answer, Proved):
            for graph in graphs:
                evaluator = Evaluator(graph, query.theory.views)
                assert not satisfies(evaluator, query) or evaluator.holds(query.claim), question(seed)
    assert decided > 40
