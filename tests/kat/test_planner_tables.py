"""What the planner puts in a Plan's tables means what the model says, on random graphs."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.planning import engine_automaton
from mazurka.models.registry import runnable_models
from mazurka.reference.consistency import holds, model_errors
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Relations
from mazurka.soundness.requirements import plan_model
from plan_interpreter import Interpreter
from profiles import some
from random_graphs import TermMaker, random_graph
from shipped_models import plan_of

SHIPPED = runnable_models()
GRAPHS = 150
SPAN = terms.Span("random.kat", 1, 1)


@cache
def planned(name: str) -> tuple[terms.Model, Plan]:
    model = named_model(name)
    return model, plan_of(name)


def compare(model: terms.Model, plan: Plan, graph: Graph) -> Counter[str]:
    """Checks the tables on one graph; counts what it forbids, so that a test can ask that something is."""
    relations = Relations(graph, model.views)
    tables = Interpreter(plan, graph)
    forbidden: Counter[str] = Counter()
    for view in plan.views:
        if view.name in model.views:
            assert tables.view(view) == relations.rows(terms.View(view.name)), (view.name, graph)
    dropped = dict(plan.dropped)
    for axiom in model.axioms:
        expected = holds(relations, axiom)
        if axiom.name in dropped:
            assert expected or "atomic" in dropped[axiom.name], (axiom, dropped[axiom.name], graph)
            continue
        parts = [a for a in plan.axioms if a.name == axiom.name]
        for part in parts:
            assert tables.holds(part) == tables.matrix(part.meaning), (part, graph)
        assert all(tables.holds(part) for part in parts) == expected, (axiom, parts, graph)
        forbidden[axiom.name] += not expected
    return forbidden


@pytest.mark.parametrize("name", ["tso", "ra", "rc11"])
@pytest.mark.parametrize("work", some([0, 40, 1_000], every=3))
def test_machines_that_stay_large_mean_the_same(
    name: str, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shrinking may end at any time: what is too large to be made small is run as it is."""
    monkeypatch.setattr(engine_automaton, "MOST_WORK", work)
    model = named_model(name)
    plan = plan_model(model)
    for seed in range(GRAPHS // 3):
        compare(model, plan, random_graph(seed))


@pytest.mark.parametrize("name", some(SHIPPED, every=2))
def test_shipped_models_mean_what_they_say(name: str) -> None:
    model, plan = planned(name)
    forbidden: Counter[str] = Counter()
    for seed in range(GRAPHS):
        forbidden += compare(model, plan, random_graph(seed))
    assert set(forbidden) >= {axiom.name for axiom in plan.axioms}, (
        "no graph violates some axiom: a weak test"
    )


@pytest.mark.parametrize("name", [name for name in SHIPPED if name.startswith("rc11")])
def test_error_rules_find_what_the_model_calls_an_error(name: str) -> None:
    model, plan = planned(name)
    found = 0
    for seed in range(GRAPHS):
        graph = random_graph(seed)
        expected = model_errors(graph, model)
        assert Interpreter(plan, graph).errors() == expected, seed
        found += bool(expected)
    assert 0 < found < GRAPHS


# Each stands near something that the planner uses: a fact, a split, a spelling.
TEXTS = (
    "acyclic po | coi",
    "acyclic po | fri | rf",
    "acyclic po-loc | rf | coe | fre",
    "acyclic po-loc | rfe | co | fr",
    "acyclic [W] ; po ; [W] | coi | rfe",
    "acyclic po | rf ; fr | co",
    "acyclic co ; rf? ; po | fr ; rf? ; po",
    "acyclic [W] ; po ; [F] ; po ; [R] | fr | rfe | co",
    "acyclic [W] ; po ; [F] ; po ; [R] | po ; [F] | fr | rfe | co",
    "acyclic [W] ; po ; [W & REL] ; po ; [W] | rfe | co | fr | [R] ; po",
    "acyclic [R] ; po ; [R] ; po ; [W] | rfe | co | fr",
    "acyclic [SC] ; (po | rf | co | fr)+ ; [SC]",
    "acyclic po-imm ; fr ; po-imm | co",
    r"acyclic po \ ([W] ; po ; [R]) | rfe | co | fr",
    r"acyclic (po \ po-loc) | fr | co",
    "acyclic po & loc-overlap | rf | co | fr",
    "acyclic [UR | UW] ; po | po ; [UX] | rf | fr | coe",
    "view hb = (po | rf ; rmw ; po | [REL] ; rfe)+\nacyclic hb ; fr | co | [SC] ; hb ; [SC]",
    "view hb = (po | [W & REL] ; (rf ; rmw)* ; rf ; [R & ACQ])+\nirreflexive hb ; (rf | co | fr)+",
    "view hb = (po | [W & REL] ; po-loc ; [W] ; rf ; [R & ACQ])+\ncoherence hb",
    "view hb = (po | rfe ; [ACQ] | rf ; po ; [F & ACQ])+\nirreflexive (rf | (co | fr) ; rf?) ; hb",
    "view hb = (po | rfe ; [ACQ] | rf ; po ; [F & ACQ])+\nacyclic hb | co",
    "view v = (po | rfe ; po)+\ncoherence v",
    "view v = (po | po ; (po-imm | rf)?)+\ncoherence v",
    "view v = (po | rf ; po)+\nacyclic v | co | fr",
    *(
        f"view hb = (po | [W & REL] ; rf ; [R & ACQ])+\nacyclic {relation}"
        for relation in (
            r"(po \ po-loc) ; hb ; (po \ po-loc) | fr",
            r"(po \ po-loc) ; hb | fr | [SC] ; co",
            r"hb ; (po \ po-loc) ; [R] | fr",
            r"(([W] ; po) \ po-loc) ; hb | fr",
            r"(po \ ([W] ; po-loc)) ; hb | fr",
            "[SC] ; (hb & loc-overlap) ; [SC] | [SC] ; (po | co | fr) ; [SC]",
            "(hb & loc-overlap) ; po | fr",
            "[SC] ; po ; hb ; po ; [SC] | [SC] ; (po | rf | co | fr) ; [SC]",
        )
    ),
    "irreflexive fr ; rf ; po | co ; po",
    "irreflexive (co | fr ; po)+",
    "acyclic tc ; [R] ; fr ; po | po ; tj | co",
    "acyclic po | co | rf^-1 ; co",
    "acyclic po^-1 | rf",
    "irreflexive rf^-1 ; po ; rf ; po",
    "empty [UR] ; fr ; [UW] ; co",
)


@pytest.mark.parametrize("text", some(TEXTS, every=4))
def test_written_models_mean_what_they_say(text: str) -> None:
    model = load_text(text, "text.kat")
    plan = plan_model(model, unchecked=True)
    forbidden: Counter[str] = Counter()
    for seed in range(GRAPHS):
        forbidden += compare(model, plan, random_graph(seed))
    assert plan.axioms
    assert forbidden, "no graph violates an axiom: a weak test"


def random_model(seed: int) -> terms.Model:
    """One or two random axioms, sometimes with a view; half of them of the shape that models have."""
    rng = random.Random(seed)
    views: dict[str, terms.Relation] = {}
    if rng.random() < 0.5:
        body = TermMaker(rng, plain=True).past(rng.randint(1, 3))
        views["v"] = terms.Plus(terms.Union(terms.Base("po"), body))
    maker = TermMaker(rng, plain=rng.random() < 0.6, views=tuple(views))
    axioms = []
    for number in range(rng.randint(1, 2)):
        kind = rng.choice(("acyclic", "acyclic", "irreflexive", "coherence"))
        if kind == "coherence" and views:
            relation: terms.Relation = terms.View("v")
        elif rng.random() < 0.5:
            relation = maker.usual()
        else:
            relation = maker.term(rng.randint(1, 3))
        axioms.append(terms.Axiom(kind, relation, f"axiom {number}", SPAN))
    return terms.Model("random", "random", Path("random.kat"), tuple(axioms), views)


@pytest.mark.parametrize("block", some(range(24), every=8))
def test_random_models_mean_what_they_say(block: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(block * 5, block * 5 + 5):
        model = random_model(seed)
        try:
            plan = plan_model(model, unchecked=True)
        except ModelError:
            continue
        kinds.update(type(axiom.check).__name__ for axiom in plan.axioms)
        kinds["dropped"] += len(plan.dropped)
        for graph in range(30):
            compare(model, plan, random_graph(1000 * seed + graph))
    assert kinds, "every model was refused"
