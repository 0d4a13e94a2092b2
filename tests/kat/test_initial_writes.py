"""Initial writes: the predicate INIT, and the relations that have or leave out initial writes.

On graphs of the reference, and in plans and the engine; the prover is asked in tests/prover.
"""

from __future__ import annotations

import pytest
from mazurka import _engine
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.terms import Base, Guard, Primitive
from mazurka.reference import enumerate_executions
from mazurka.reference.bases import accesses, cells, initial_write, is_initial
from mazurka.reference.relations import Relations
from mazurka.soundness.requirements import plan_model
from mazurka.testing import parse_litmus, to_program
from random_graphs import random_graph

# Relations that have initial writes at their first end, and none at their second.
FROM_INITIAL_WRITES = {"rf", "rfe", "co", "coe"}
WITHOUT_INITIAL_WRITES = (
    *("po", "po-loc", "po-imm", "same-thread", "loc-overlap", "rmw", "rfi", "coi"),
    *("fr", "fre", "fri", "tc", "tj", "alloc", "free"),
)


@pytest.mark.parametrize("seed", range(20))
def test_the_reference_knows_initial_writes(seed: int) -> None:
    graph = random_graph(seed)
    relations = Relations(graph, {})
    initial = {initial_write(cell) for cell in cells(graph)}
    assert relations.pairs(Guard(Primitive("INIT"))) == {(event, event) for event in initial}
    for name in FROM_INITIAL_WRITES:
        assert not any(is_initial(after) for _, after in relations.pairs(Base(name)))
    for name in WITHOUT_INITIAL_WRITES:
        assert not any(is_initial(event) for pair in relations.pairs(Base(name)) for event in pair)
    found = accesses(graph)
    assert relations.pairs(Base("loc-overlap")) == {
        (a, b) for a in found for b in found if a != b and graph.labels[a].address == graph.labels[b].address
    }


MODELS = {
    "old values by way of the initial write": "acyclic po | rf | co | rf^-1 ; [INIT] ; co",
    "or of a release write": "acyclic po | rf | co | rf^-1 ; [INIT | REL] ; co",
    "reads of initial writes only": r"irreflexive po ; rf^-1 ; [[] \ INIT] ; co",
    "nobody reads initial values late": "empty [INIT] ; rf ; [ACQ]",
}
PROGRAMS = [
    "Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x",
    "Wrlx x 1; Wrel y 1 || Racq y; Rrlx x",
    "Wrel x 1; Wrlx x 2; Rrlx y || Wrlx y 1; Racq x; Rrlx x",
]


@pytest.mark.parametrize("axiom", MODELS.values(), ids=MODELS.keys())
@pytest.mark.parametrize("litmus", PROGRAMS)
def test_the_engine_knows_initial_writes(axiom: str, litmus: str) -> None:
    """Such axioms walk rf backwards, so these models run only with --unchecked-model."""
    model = load_text(f"acyclic po | rf\ncoherence po\n{axiom}", "initial.kat")
    plan = plan_model(model, unchecked=True)
    program = to_program(parse_litmus(litmus))
    result = _engine.explore(program.encode(), plan.encode(), audit=True)
    assert result.status == "finished"
    expected = enumerate_executions(program, model=model).complete
    assert result.complete == len(expected)
