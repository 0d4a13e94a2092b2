"""Refutations to show: of the claims that a model is weaker than another, and ones made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from claim_table import CLAIMS, PAIRS
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover import Evaluator, PathStep, Query, Refuted, decide, load_claims, weaker
from mazurka.prover.refuting.completion import Sketch, completions
from mazurka.prover.theory.events import EventKind

RUN = ("sc", "tso", "pso", "ra", "rc11-ra", "rc11")


def refuted_pairs() -> list[tuple[str, str]]:
    """The pairs of models that the engine runs such that the first is not weaker than the second."""
    return [
        (pair.weaker, pair.stronger)
        for pair in PAIRS
        if pair.expected == "refuted" and {pair.weaker, pair.stronger} <= set(RUN)
    ]


@cache
def model(name: str) -> terms.Model:
    """A model, one that is run or one for proofs."""
    return named_model(name)


# The axiom that says more than coherence stands last in the models' files, and is the one that is refuted.
@cache
def refutation(weak: str, strong: str) -> tuple[Query, Refuted]:
    """The first refutation of the claim that one model is weaker than another."""
    for query in reversed(weaker(model(weak), model(strong))):
        answer = decide(query, time_limit=120, allow_unused=True)
        if isinstance(answer, Refuted):
            return query, answer
    raise AssertionError(f"that {weak} is weaker than {strong} was not refuted")


def by_hand(
    query: Query, events: Iterable[str], steps: Iterable[tuple[str, bool]], *, cyclic: bool = True
) -> Refuted:
    """A refutation with given events and steps; its graph is a completion that refutes the query."""
    kinds = [EventKind(CLASSES.index(name), frozenset()) for name in events]
    word = []
    edges = []
    for number, (name, inverse) in enumerate(steps):
        first, second = number, (number + 1) % len(kinds)
        word.append(PathStep(name, inverse, kinds[first].predicates, kinds[second].predicates))
        edges.append((second, name, first) if inverse else (first, name, second))
    for graph in completions(Sketch(kinds, edges)):
        evaluator = Evaluator(graph, query.theory.views)
        assumed = (s.claim for s in query.theory.assumptions)
        if not evaluator.holds(query.claim) and all(c is None or evaluator.holds(c) for c in assumed):
            return Refuted(tuple(word), "left", cyclic, graph, 0.0)
    raise AssertionError("no graph with this word refutes the query")


@cache
def figure() -> tuple[Query, Refuted]:
    """The execution that POWER allows and the original C11 forbids (Z6.U)."""
    (query,) = load_claims(CLAIMS / "c11-orig-under-power.kat")
    refuted = decide(query)
    assert isinstance(refuted, Refuted)
    return query, refuted
