"""Plans made for one program: smaller, and the same on all graphs that the program can have."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from mazurka.frontend import compile_text
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import classes_where
from mazurka.kat.meaning.plan import (
    CAUSAL,
    CLASSES,
    EVERY_CLASS,
    Closure,
    Coherence,
    GuardedEdge,
    LifetimeOrder,
    Plan,
    Symbol,
)
from mazurka.kat.planning.explain import explain
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import SEQUENTIAL, simplify
from mazurka.models.registry import runnable_models
from mazurka.program import CONST, Function, Instr, Mode, Op, Program, Region, address
from mazurka.program.sync_objects import LOCK, UNLOCK
from mazurka.reference.consistency import holds, model_errors
from mazurka.reference.relations import Relations
from mazurka.reference.trust import verify
from mazurka.soundness.requirements import plan_model, plan_program
from mazurka.testing.build import MUTEX_OPERATIONS, sync_instr, to_program
from mazurka.testing.notation import parse_litmus
from plan_interpreter import Interpreter, class_of
from profiles import some
from random_graphs import random_graph

SHIPPED = runnable_models()
WHOLE = {GuardedEdge(Symbol.PO), GuardedEdge(Symbol.RF), GuardedEdge(Symbol.CO), GuardedEdge(Symbol.FR)}
MIXES = {
    "sc": (Mode.SC,),
    "relaxed": (Mode.RLX,),
    "release": (Mode.RLX, Mode.ACQ, Mode.REL, Mode.ACQ_REL),
    "plain": (Mode.NA, Mode.RLX, Mode.ACQ, Mode.REL),
    "sc and relaxed": (Mode.RLX, Mode.SC),
}


def classes(*prefixes: str) -> int:
    return classes_where(lambda name: name.startswith(prefixes))


def of_modes(modes: tuple[Mode, ...]) -> int:
    """All classes of accesses and fences with some modes, and those of threads."""
    names = {mode.name.lower().replace("_", "") for mode in modes}
    return classes_where(lambda name: name.split(".")[1:2] in [[n] for n in names]) | classes(
        "CREATE", "JOIN"
    )


@cache
def model(name: str) -> terms.Model:
    return named_model(name)


@cache
def simplified(name: str, used: int) -> Plan:
    return simplify(model(name), used)


@pytest.mark.parametrize(("name", "mix"), some([(name, mix) for name in SHIPPED for mix in MIXES], every=3))
def test_a_simplified_plan_allows_the_same_graphs(name: str, mix: str) -> None:
    used = of_modes(MIXES[mix])
    plan = simplified(name, used)
    answers: Counter[bool] = Counter()
    for seed in range(120):
        graph = random_graph(seed, MIXES[mix], bare=True)
        relations = Relations(graph, model(name).views)
        events = relations.events[: len(graph.order)]
        assert all(used >> class_of(graph, event) & 1 for event in events), (
            "the test's graphs fit the classes"
        )
        expected = all(holds(relations, axiom) for axiom in model(name).axioms)
        tables = Interpreter(plan, graph)
        assert all(tables.holds(axiom) for axiom in plan.axioms) == expected, (plan.axioms, graph)
        assert all(tables.matrix(axiom.meaning) for axiom in plan.axioms) == expected
        assert tables.errors() == model_errors(graph, model(name)), graph
        answers[expected] += 1
    assert answers[True] >= 5
    assert answers[False] >= 5


@pytest.mark.parametrize("name", ["rc11", "rc11-cpp11", "rc11-genmc", "tso", "pso"])
def test_programs_with_sc_accesses_only_are_checked_by_one_closure(name: str) -> None:
    plan = simplify(model(name), classes("R.sc", "W.sc", "F.", "CREATE", "JOIN"))
    (axiom,) = plan.axioms
    assert axiom.name == SEQUENTIAL
    assert isinstance(axiom.check, Closure)
    assert set(axiom.check.edges) == WHOLE
    assert "simplified" in axiom.reason
    assert plan.views == ()
    assert {stated for stated, _ in plan.dropped} == {stated.name for stated in model(name).axioms}


@pytest.mark.parametrize("name", ["ra", "rc11-ra"])
def test_models_that_sc_accesses_do_not_make_sequential_are_not(name: str) -> None:
    plan = simplify(model(name), classes("R.sc", "W.sc", "CREATE", "JOIN"))
    assert [type(axiom.check) for axiom in plan.axioms] == [Coherence]


@pytest.mark.parametrize("other", ["R.rlx.load", "W.rel.store", "R.na", "R.acq.rmw", "R.acq.failed"])
def test_one_weaker_access_is_enough_to_keep_rc11(other: str) -> None:
    used = classes("R.sc", "W.sc", "CREATE", "JOIN", other)
    assert [axiom.name for axiom in simplify(model("rc11"), used).axioms] == ["coherence", "sc-order"]


@pytest.mark.parametrize("name", ["rc11", "rc11-cpp11"])
def test_without_sc_events_there_is_no_order_of_them(name: str) -> None:
    plan = simplify(model(name), classes("R.acq", "R.rlx", "W.rlx", "W.rel", "CREATE", "JOIN"))
    assert [axiom.name for axiom in plan.axioms] == ["coherence"]
    assert "sc-order" in dict(plan.dropped)
    assert plan.errors == ()


def test_fewer_modes_need_fewer_clocks() -> None:
    everything = plan_model(model("rc11")).views[0].states
    without_fences = simplify(model("rc11"), classes("R.", "W.", "CREATE", "JOIN")).views[0].states
    relaxed = simplify(model("rc11"), classes("R.rlx", "W.rlx", "CREATE", "JOIN")).views[0].states
    assert relaxed == 1 < without_fences < everything


def test_views_stay_for_rules_and_for_the_ends_of_objects() -> None:
    accesses = classes("R.sc", "W.sc", "CREATE", "JOIN")
    plan = simplify(model("rc11"), accesses | classes("ALLOC", "FREE"))
    assert [axiom.name for axiom in plan.axioms] == [SEQUENTIAL]
    assert plan.happens_before == (LifetimeOrder.VIEW, 0)
    assert [view.name for view in plan.views] == ["hb"]
    # The order of the sc model is that of its axiom, which is kept as it is.
    assert simplify(model("sc"), accesses | classes("FREE")) == plan_model(model("sc"))
    # That of tso is po and rf, whatever the simplified axiom is.
    assert simplify(model("tso"), accesses | classes("FREE")).happens_before == CAUSAL


@pytest.mark.parametrize("name", ["sc", "tso", "pso", "rc11-ra", "rc11"])
def test_every_class_changes_nothing(name: str) -> None:
    assert simplify(model(name), EVERY_CLASS) == plan_model(model(name))


def test_what_is_one_closure_already_stays_as_it_is() -> None:
    plan = simplify(model("sc"), classes("R.sc", "W.sc", "CREATE"))
    assert plan.axioms == plan_model(model("sc")).axioms
    assert plan.dropped == ()


def test_an_axiom_that_another_implies_is_dropped() -> None:
    text = 'model t "t"\nacyclic po | rf | co | fr as all\nacyclic [SC] ; po ; [SC] | co as some'
    stated = load_text(text, "t.kat")
    plan = simplify(stated, classes("R.", "W.", "CREATE"))
    assert len(plan.axioms) == 1


def test_axioms_of_one_line_are_told_apart() -> None:
    """Two axioms without a name on one line: only the one that another implies is dropped."""
    text = (
        "acyclic [R] ; po | [W] ; po ; [W] | rf | co | fr acyclic po | rf | co\nacyclic po | rf | co as weak"
    )
    stated = load_text(text, "t.kat")
    plan = simplify(stated, classes("R.rlx", "W.rlx", "CREATE", "JOIN"))
    assert 0 in {axiom.stated for axiom in plan.axioms}
    assert len(plan.axioms) == 2


def test_checks_are_told_apart_by_number_not_by_name() -> None:
    """Even if names repeat, which the loader prevents, no axiom is taken for another."""
    most = "acyclic [R] ; po | [W] ; po ; [W] | rf | co | fr as a"
    model = load_text(f"{most} acyclic po | rf as b acyclic po | rf | co as c", "t.kat")
    first, second, third = model.axioms
    same = replace(model, axioms=(replace(first, name="same"), replace(second, name="same"), third))
    for used in (classes("R.rlx", "W.rlx", "CREATE", "JOIN"), classes("R.sc", "W.sc")):
        expected, found = simplify(model, used), simplify(same, used)
        assert [axiom.check for axiom in found.axioms] == [axiom.check for axiom in expected.axioms]
    shown = explain(plan_model(same), same)
    assert shown.count("not checked") == len(plan_model(model).dropped)


# What programs can do -----------------------------------------------------------------------------------


def names(mask: int) -> set[str]:
    return {name for index, name in enumerate(CLASSES) if mask >> index & 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wrlx x 1; Racq y || Wrel y 1", {"W.rlx.store", "R.acq.load", "W.rel.store"}),
        ("Wsc x 1; Fsc || Rsc x; Facqrel", {"W.sc.store", "R.sc.load", "F.sc", "F.acqrel"}),
        ("Arel x || Aacq x", {"R.rlx.rmw", "W.rel.rmw", "R.acq.rmw", "W.rlx.rmw"}),
        ("Xacqrel x 1 || Frel", {"R.acq.rmw", "W.rel.rmw", "F.rel"}),
    ],
)
def test_classes_of_small_programs(text: str, expected: set[str]) -> None:
    found = names(classes_of(to_program(parse_litmus(text))))
    assert found == expected | {"CREATE", "JOIN"}


def test_a_compare_exchange_may_fail_with_another_mode() -> None:
    cas = Instr(Op.CAS, dst=1, a=CONST, b=CONST, c=CONST, width=32, mode=Mode.ACQ_REL, x=Mode.RLX)
    found = names(classes_of(program_of([cas])))
    assert found == {"R.acq.rmw", "W.rel.rmw", "R.rlx.failed", "CREATE"}


def test_locks_are_acquire_and_release() -> None:
    found = names(classes_of(program_of([sync_instr(LOCK, CONST), sync_instr(UNLOCK, CONST)])))
    assert found == {"R.acq.rmw", "W.rlx.rmw", "R.acq.failed", "W.rel.store", "CREATE"}


@pytest.mark.parametrize(
    "text",
    [
        "Wrlx x 1; Racq y || Wrel y 1; Rrlx x",
        "Cacqrel x 0 1; Wsc y 1 || Crel x 0 2; Fsc; Rsc y || Asc x",
        "Xacq x 1; Frel; Wrlx y 1 || Rrlx y; Facq; Csc x 1 2",
        "Rrlx x; if r0==0 Wsc x 1 || Arlx x; Facqrel",
    ],
)
def test_every_event_is_of_a_class_that_was_foreseen(text: str) -> None:
    program = to_program(parse_litmus(text))
    foreseen = classes_of(program)
    explored = verify(program, model("rc11"))
    seen = {
        class_of(graph, event) for graph in [*explored.complete, *explored.blocked] for event in graph.order
    }
    assert names(foreseen) >= {CLASSES[number] for number in seen}
    assert len(seen) >= 4


def program_of(thread: list[Instr], before: tuple[Instr, ...] = (), after: tuple[Instr, ...] = ()) -> Program:
    """Main runs something, creates a thread of function 1 and runs something else."""
    constants = (address(Region.GLOBAL, 4096), address(Region.CODE, 16))
    create = Instr(Op.CREATE, dst=1, a=CONST | 1, b=CONST)
    end = Instr(Op.RET)
    main = Function("main", 0, 4, 16, (), (*before, create, *after, end))
    child = Function("child", 1, 4, 16, (), (*thread, end))
    helper = Function("helper", 0, 4, 16, (), (Instr(Op.STORE, a=CONST, b=CONST, width=32), end))
    return Program((main, child, helper), 0, constants=constants, lists=((),), operations=MUTEX_OPERATIONS)


def test_what_main_does_before_the_first_thread_makes_no_events() -> None:
    store = Instr(Op.STORE, a=CONST, b=CONST, width=32, mode=Mode.NA)
    call = Instr(Op.CALL, a=2)
    load = [Instr(Op.LOAD, dst=1, a=CONST, width=32, mode=Mode.SC)]
    assert names(classes_of(program_of(load, before=(store, call)))) == {"R.sc.load", "CREATE"}
    assert names(classes_of(program_of(load, after=(store,)))) == {"R.sc.load", "W.na.store", "CREATE"}
    assert names(classes_of(program_of(load, after=(call,)))) == {"R.sc.load", "W.na.store", "CREATE"}
    assert names(classes_of(program_of([call], before=(call,)))) == {"W.na.store", "CREATE"}


def test_a_loop_around_creation_runs_its_start_again() -> None:
    store = Instr(Op.STORE, a=CONST, b=CONST, width=32, mode=Mode.NA)
    back = Instr(Op.BR, a=1, b=0, c=3)
    assert names(classes_of(program_of([], before=(store,), after=(back,)))) == {"W.na.store", "CREATE"}


def test_private_memory_makes_no_events() -> None:
    frame = Instr(Op.FRAMEADDR, dst=2, a=8)
    store = Instr(Op.STORE, a=2, b=CONST, width=32, mode=Mode.NA)
    assert names(classes_of(program_of([frame, store]))) == {"CREATE"}
    # The register may also hold something else.
    unknown = Instr(Op.LOAD, dst=2, a=CONST, width=64, mode=Mode.SC)
    assert names(classes_of(program_of([frame, unknown, store]))) == {"R.sc.load", "W.na.store", "CREATE"}
    # Before that, it holds the address of private memory.
    assert names(classes_of(program_of([frame, store, unknown]))) == {"R.sc.load", "CREATE"}


def test_what_a_register_holds_is_followed_within_a_block_only() -> None:
    frame = Instr(Op.FRAMEADDR, dst=2, a=8)
    step = Instr(Op.STEP, dst=3, a=2, b=CONST, c=8)
    store = Instr(Op.STORE, a=3, b=CONST, width=32, mode=Mode.NA)
    other = Instr(Op.LOAD, dst=2, a=CONST, width=64, mode=Mode.SC)
    assert names(classes_of(program_of([frame, step, other, store, other]))) == {"R.sc.load", "CREATE"}
    found = names(classes_of(program_of([frame, Instr(Op.JMP, a=2), step, store, other])))
    assert found == {"R.sc.load", "W.na.store", "CREATE"}


def test_a_c_program_with_sc_accesses_only_is_planned_as_sequential() -> None:
    source = """
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_int x, y;
    int a;
    static void *one(void *unused) { x = 1; a = y; return 0; }
    static void *two(void *unused) { y = 1; return (void *)(long)atomic_load(&x); }
    int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
        return 0;
    }
    """
    plain = compile_text(source)
    assert "W.na.store" in names(classes_of(plain))
    assert [axiom.name for axiom in plan_program(model("rc11"), plain).axioms] == ["coherence", "sc-order"]
    atomic = compile_text(source.replace("int a;", "").replace("a = y;", "return (void *)(long)y;"))
    assert names(classes_of(atomic)) == {"W.sc.store", "R.sc.load", "CREATE"}
    assert [axiom.name for axiom in plan_program(model("rc11"), atomic).axioms] == [SEQUENTIAL]
