"""Models in herd's language become what the shipped models are: the same checks, and the same answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from mazurka import check
from mazurka.kat.cat.model import stated_model
from mazurka.kat.language.load import load_model, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rewrite import alternatives
from mazurka.kat.meaning.show import show
from mazurka.kat.planning.planner import tables_of
from mazurka.models.registry import machine_models, runnable_models
from mazurka.reference.consistency import holds, model_errors
from mazurka.reference.relations import Relations
from profiles import amount, some
from random_graphs import random_graph

FILES = Path(__file__).resolve().parent / "cat"
# In tso.kat, fences are tests beside po. In tso.cat, they are steps of their own, so there is no closure.
SAME_CHECKS = sorted({*runnable_models()} - {"tso"})
PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
static void *writer(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_ORDER);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = atomic_load_explicit(&flag, memory_order_acquire) ? data : 0;
    pthread_join(thread, 0);
    return seen;
}
"""


def test_each_shipped_model_has_its_file() -> None:
    assert {*runnable_models(), *machine_models()} <= {path.stem for path in FILES.glob("*.cat")}


@pytest.mark.parametrize("name", SAME_CHECKS)
def test_the_engine_runs_the_same_checks(name: str) -> None:
    own, shipped = tables_of(load_model(FILES / f"{name}.cat")), tables_of(named_model(name))
    assert [axiom.check for axiom in own.axioms] == [axiom.check for axiom in shipped.axioms]
    assert {(rule.kind, rule.first, rule.second) for rule in own.errors} <= {
        pair
        for rule in shipped.errors
        for pair in ((rule.kind, rule.first, rule.second), (rule.kind, rule.second, rule.first))
    }
    assert bool(own.errors) == bool(shipped.errors)


@pytest.mark.parametrize(("order", "violation"), [("release", None), ("relaxed", "race")])
@pytest.mark.parametrize("name", ["rc11", "rc11-ra"])
def test_flags_are_violations(name: str, order: str, violation: str | None, tmp_path: Path) -> None:
    """With release, the acquire load that sees the flag is ordered behind the write of the data."""
    path = tmp_path / "message.c"
    path.write_text(PROGRAM.replace("ORDER", order), encoding="utf-8")
    own = check(path, model=str(FILES / f"{name}.cat"))
    assert (own.violation.kind if own.violation else None) == violation
    assert own.complete == check(path, model=name).complete


# The kernel's .cat file has recursion that only the reference solves.
@pytest.mark.parametrize("name", some([name for name in machine_models() if name != "lkmm"], every=9))
def test_programs_under_models_of_machines(name: str, tmp_path: Path) -> None:
    """With the causal order that is derived, and the fences that compilers put in."""
    path = tmp_path / "message.c"
    path.write_text(PROGRAM.replace("ORDER", "seq_cst"), encoding="utf-8")
    own, shipped = check(path, model=str(FILES / f"{name}.cat")), check(path, model=name)
    assert (own.complete, own.blocked) == (shipped.complete, shipped.blocked)


def stated(name: str) -> terms.Model:
    """A model without the forms that ``kat.cat.idioms`` looks for."""

    def find(included: str, span: object, path: Path, text: str) -> tuple[Path, str]:
        return path.parent / included, (path.parent / included).read_text(encoding="utf-8")

    path = FILES / f"{name}.cat"
    return stated_model(path.read_text(encoding="utf-8"), path, find)


@pytest.mark.parametrize("name", ["ra", "rc11", "rc11-cpp11", "rc11-genmc", "c11-herd"])
def test_a_model_means_the_same_in_the_forms_that_the_engine_knows(name: str) -> None:
    """``kat.cat.idioms`` I1."""
    plain, own = stated(name), load_model(FILES / f"{name}.cat")
    assert plain != own
    found: Counter[object] = Counter()
    for seed in range(amount(600, 1_200)):
        graph = random_graph(seed)
        one, two = (
            all(holds(Relations(graph, model.views), axiom) for axiom in model.axioms)
            for model in (plain, own)
        )
        assert one == two, seed
        if one:
            assert model_errors(graph, plain) == model_errors(graph, own), seed
        found[one] += 1
    assert found.keys() == {True, False}


OBSERVED = """
acyclic po-loc | com
let own = addr | data | (ctrl | addr ; po) ; [W] | po-loc ; [W]
DEFINITIONS
irreflexive ob
"""
APART = "let rec lob = own | lob ; lob  let rec ob = rfe | coe | fre | lob | ob ; ob"
TOGETHER = "let rec ob = rfe | coe | fre | lob | ob ; ob and lob = own | lob ; lob"


def test_definitions_that_recur_together_have_the_causal_order_of_those_that_recur_apart(
    tmp_path: Path,
) -> None:
    orders = []
    for number, definitions in enumerate((APART, TOGETHER)):
        path = tmp_path / f"model{number}.cat"
        path.write_text(OBSERVED.replace("DEFINITIONS", definitions), encoding="utf-8")
        ppo = load_model(path).ppo
        assert ppo is not None
        orders.append({show(part) for part in alternatives(ppo)})
    assert orders[0] == orders[1]
    assert "data" in orders[0]
