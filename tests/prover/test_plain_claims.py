"""Random claims and models in the shapes that provers get wrong, judged in plain Python.

What is proved fails in none of some hundred random executions; what is refuted has a well-formed execution
that satisfies the assumptions and violates the claim. The judges (``plain_graphs``, ``plain_terms``) share
nothing with the prover. MAZURKA_PROFILE=slow asks 20 000 claims, else a few hundred.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mazurka.prover import Proved, Refuted, Unknown, decide, load_claims
from mazurka.prover.questions.monotone import is_monotone
from mazurka.prover.questions.topics import is_weaker
from plain_claims import Claim, Drawn, Model
from plain_graphs import Graph, random_graph, with_a_thread_cut, with_a_weaker_mode, without_a_fence
from plain_judge import counterexample, differing, plain, pool, write
from plain_terms import having, rel, seq
from profiles import SLOW, some

IN_A_BATCH = 50
BATCHES = 400 if SLOW else 6
MODEL_BATCHES = 100 if SLOW else 2
COMMON, OWN = (150, 100) if SLOW else (100, 0)
SECONDS = 1.0


def judged(claim: Claim, seed: object, directory: Path) -> str:
    """Asks the prover and looks for a contradiction; what the answer was."""
    files = claim.files()
    (query,) = load_claims(write(files, directory, "claim.kat"))
    answer = decide(query, time_limit=SECONDS, allow_unused=True)
    asked = "\n".join(files.values())
    match answer:
        case Refuted():
            graph = plain(answer.graph)
            assert list(graph.flaws()) == [], asked
            assert differing(answer.graph, graph) == [], asked
            assert claim.fails(graph), asked
            return "refuted"
        case Proved():
            found = counterexample(claim, seed, common=COMMON, own=OWN)
            assert found is None, f"{asked}\nis wrong in {found}"
            return "proved"
        case Unknown():
            return "unknown"


@pytest.mark.parametrize("batch", some(range(BATCHES), every=2))
def test_claims(batch: int, tmp_path: Path) -> None:
    seeds = range(batch * IN_A_BATCH, (batch + 1) * IN_A_BATCH)
    answers = Counter(judged(Drawn(seed).claim(), seed, tmp_path) for seed in seeds)
    assert answers["proved"] >= IN_A_BATCH // 10
    assert answers["refuted"] >= IN_A_BATCH // 10


@pytest.mark.parametrize("batch", some(range(MODEL_BATCHES), every=2))
def test_comparisons(batch: int, tmp_path: Path) -> None:
    answers: Counter[str] = Counter()
    for seed in range(batch * IN_A_BATCH, (batch + 1) * IN_A_BATCH):
        drawn = Drawn(f"models {seed}")
        strong = drawn.model()
        weak = drawn.model(near=strong)
        for name, model in (("strong", strong), ("weak", weak)):
            write(model.files(name), tmp_path, f"{name}.kat")
        topic = is_weaker(str(tmp_path / "weak.kat"), str(tmp_path / "strong.kat"))
        assumed = (*strong.axioms, *strong.assumptions, *weak.assumptions)
        for question, axiom in zip(topic.questions, weak.axioms, strict=True):
            assert question.query is not None
            answer = decide(question.query, time_limit=SECONDS, allow_unused=True)
            claim = Claim(axiom, assumed)
            answers[type(answer).__name__] += 1
            if isinstance(answer, Proved):
                found = counterexample(claim, f"models {seed}", common=COMMON, own=OWN)
                assert found is None, f"{weak}\n{strong}\nis wrong in {found}"
            elif isinstance(answer, Refuted):
                graph = plain(answer.graph)
                assert list(graph.flaws()) == []
                assert claim.fails(graph), f"{weak}\n{strong}"
    assert answers["Proved"] >= IN_A_BATCH // 10
    assert answers["Refuted"] >= IN_A_BATCH // 10


CHANGES: dict[str, Callable[[Graph], Iterator[Graph]]] = {
    "fences": without_a_fence,
    "modes": with_a_weaker_mode,
    "threads": with_a_thread_cut,
}


def not_monotone(model: Model, change: str, graphs: tuple[Graph, ...]) -> tuple[Graph, Graph] | None:
    """An execution that a model allows, and that of the weaker program, which it forbids."""
    for graph in graphs:
        if model.allows(graph):
            for before in CHANGES[change](graph):
                if list(before.flaws()) == [] and not model.allows(before):
                    return graph, before
    return None


@pytest.mark.parametrize("batch", some(range(MODEL_BATCHES), every=2))
def test_monotone_models(batch: int, tmp_path: Path) -> None:
    answers: Counter[str] = Counter()
    for seed in range(batch * IN_A_BATCH, (batch + 1) * IN_A_BATCH):
        model = Drawn(f"monotone {seed}").model(most=1)
        if model.has_relations():
            continue  # of which nothing is known
        path = write(model.files("m"), tmp_path, "m.kat")
        own = random.Random(seed)
        graphs = (*pool(COMMON), *(random_graph(own) for _ in range(OWN)))
        for question in is_monotone(str(path)).questions:
            answers[type(question.answer).__name__] += 1
            if isinstance(question.answer, Proved):
                assert not_monotone(model, question.name, graphs) is None, (question.name, model)
    assert answers["Proved"] >= IN_A_BATCH // 5


# The judge finds what was once wrong ----------------------------------------------------------------------

FENCED = seq(rel("po"), having("F"), rel("po"))
ACCESSES = seq(having("LOC"), rel("po"), having("LOC"))
WRONG_MODELS = {
    "a fence between accesses": ("fences", Model((("empty", ("\\", ACCESSES, FENCED)),))),
    # With a fence in its thread, an event is related to itself.
    "a fence beside an access": (
        "fences",
        Model((("empty", ("\\", having("R"), ("+", rel("same-thread")))),)),
    ),
    "a branch before another thread": ("threads", Model((("empty", ("\\", rel("fr"), rel("ctrl"))),))),
}


@pytest.mark.parametrize(("change", "model"), WRONG_MODELS.values(), ids=WRONG_MODELS)
def test_what_is_not_monotone_is_not_called_so(change: str, model: Model, tmp_path: Path) -> None:
    assert not_monotone(model, change, pool(400)) is not None
    path = write(model.files("m"), tmp_path, "m.kat")
    (question,) = (q for q in is_monotone(str(path)).questions if q.name == change)
    assert isinstance(question.answer, Unknown)
