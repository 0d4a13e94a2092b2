"""What programs say for each kind of event and dependency, and what is refused."""

from __future__ import annotations

from itertools import chain

import pytest
from mazurka.counterexamples import Unrealizable, c_program, difference, dot, litmus_test, svg, word_text
from mazurka.counterexamples.execution import Counterexample
from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover.refuting.completion import Sketch, completions
from mazurka.prover.theory.events import EventKind
from weak_graphs import shown


def example(*kinds: str, edges: str, extra: str = "") -> Counterexample:
    """A graph of classes, whose events are numbered, and edges such as ``0 rf 1``."""
    held = frozenset([extra] if extra else [])
    events = [
        EventKind(CLASSES.index(name), held if number == 0 else frozenset())
        for number, name in enumerate(kinds)
    ]
    words = [edge.split() for edge in edges.split(",")]
    graph = next(completions(Sketch(events, [(int(a), name, int(b)) for a, name, b in words])))
    return shown(graph)


def body(program: str) -> list[str]:
    """The statements of the threads, without what all threads have."""
    threads = program.split("static void *")[1:]
    lines = chain.from_iterable(thread.split("int main")[0].splitlines()[3:-3] for thread in threads)
    return [line.strip() for line in lines if line.strip() not in ("return NULL;", "}", "")]


def test_an_exchange_reads_and_writes() -> None:
    update = example("W.rel.store", "R.acq.rmw", "W.rel.rmw", edges="0 rfe 1, 1 rmw 2")
    assert body(c_program(update)) == [
        "atomic_store_explicit(&x, 1, memory_order_release);",
        "r0 = atomic_exchange_explicit(&x, 2, memory_order_acq_rel);",
    ]
    assert "assert(!(r0 == 1));" in c_program(update)  # which fixes co, too
    assert "int r0 = atomic_exchange_explicit(x, 2, memory_order_acq_rel);" in litmus_test(update, "update")


def test_an_update_that_depends_on_what_it_read() -> None:
    adding = example("W.rlx.store", "R.sc.rmw", "W.sc.rmw", edges="0 rfe 1, 1 rmw 2, 1 data 2")
    assert "r0 = atomic_fetch_add_explicit(&x, 1, memory_order_seq_cst);" in body(c_program(adding))
    comparing = example("W.rlx.store", "R.acq.rmw", "W.rlx.rmw", edges="0 rfe 1, 1 rmw 2, 1 ctrl 2")
    orders = "memory_order_acquire, memory_order_relaxed"
    assert body(c_program(comparing))[-2:] == [
        "r0 = 1;",
        f"atomic_compare_exchange_strong_explicit(&x, &r0, 2, {orders});",
    ]
    with pytest.raises(Unrealizable, match="herd's C has no compare-exchange"):
        litmus_test(comparing, "comparing")


def test_a_failed_update_never_finds_what_it_expects() -> None:
    failed = example("W.rlx.store", "R.sc.failed", edges="0 rfe 1")
    orders = "memory_order_seq_cst, memory_order_seq_cst"
    assert body(c_program(failed))[-2:] == [
        "r0 = -1;",
        f"atomic_compare_exchange_strong_explicit(&x, &r0, 0, {orders});",
    ]
    assert difference(c_program(failed), allowing="rc11", forbidding="power").allowing.happens


def test_dependencies_are_real() -> None:
    kinds = ("R.rlx.load", "R.rlx.load", "W.rlx.store", "W.rlx.store", "W.rlx.store")
    chain_of = example(*kinds, edges="0 addr 1, 0 data 2, 1 data 2, 1 ctrl 3, 2 po 3, 4 rfe 0")
    assert body(c_program(chain_of)) == [
        "r0 = atomic_load_explicit(&x, memory_order_relaxed);",
        "r1 = atomic_load_explicit(&y + (r0 & 128), memory_order_relaxed);",
        "atomic_store_explicit(&z, 1 + ((r0 | r1) & 128), memory_order_relaxed);",
        "if (r1 == 0) {",
        "atomic_store_explicit(&w, 1, memory_order_relaxed);",
        "atomic_store_explicit(&x, 1, memory_order_relaxed);",
    ]
    assert {"addr", "data", "ctrl"} <= set(dot(chain_of).replace('"', " ").split())


def test_fences_and_plain_accesses() -> None:
    fenced = example("W.na.store", "F.acqrel", "R.na.load", edges="0 po 1, 1 po 2, 0 rfi 2")
    assert body(c_program(fenced)) == [
        "*(int *)&x = 1;",
        "atomic_thread_fence(memory_order_acq_rel);",
        "r0 = *(int *)&x;",
    ]
    assert "    *x = 1;\n" in litmus_test(fenced, "plain")
    assert word_text(fenced) == "[W.na]"


def test_three_writes_need_an_observer() -> None:
    three = example("W.rlx.store", "W.rlx.store", "W.rlx.store", edges="0 coe 1, 1 coe 2")
    program = c_program(three)
    assert program.count("static void *thread") == 4
    assert "assert(!(r0 == 1 && r1 == 2 && r2 == 3));" in program
    assert "the last reads of x see its values in the order of the writes" in program
    assert difference(program, allowing="sc", forbidding="power").allowing.happens


def test_writes_of_one_thread_need_nothing() -> None:
    two = example("W.rlx.store", "W.rlx.store", "R.rlx.load", edges="0 po 1, 0 co 1, 1 rfe 2")
    assert "assert(!(r0 == 2));" in c_program(two)


def test_initial_writes_are_drawn_only_in_the_word() -> None:
    first = example("INIT", "R.rlx.load", "W.rlx.store", edges="0 rf 1, 1 po 2")
    assert "init x = 0" in svg(first)
    assert "init" not in svg(Counterexample((), False, (1,), first.graph)).replace("initially", "")


def test_relations_that_follow_from_others_need_nothing() -> None:
    kinds = ("R.rlx.load", "W.rlx.store", "R.rlx.load")
    different_writes = example(*kinds, edges="0 fre 1, 1 rfe 2, 0 rdw 2, 0 po 2")
    assert "assert(!(r0 == 0 && r1 == 1));" in c_program(different_writes)
    with pytest.raises(Unrealizable, match="the relation rdw"):  # both read from one write
        c_program(example(*kinds, edges="1 rfe 0, 1 rfe 2, 0 rdw 2, 0 po 2"))


@pytest.mark.parametrize(
    ("kinds", "edges", "extra", "missing"),
    [
        (("W.rlx.store", "R.rlx.load"), "0 rf 1", "LKMM", "the predicate LKMM"),
        (("R.rlx.load", "W.rlx.store"), "0 ctrl-isync 1, 0 po 1", "", "the relation ctrl-isync"),
        (("W.rlx.store", "R.acq.rmw", "W.sc.rmw"), "0 rf 1, 1 rmw 2", "", "whose halves are acq and sc"),
        (("CREATE", "R.rlx.load"), "0 po 1", "", "of the kind CREATE"),
        (("R.rlx.load", "F.sc"), "0 addr 1", "", "no fence with an address"),
        (("W.rlx.store", "R.na.failed"), "0 rf 1", "", "no non-atomic compare-exchange"),
    ],
)
def test_what_c_cannot_say_is_refused(kinds: tuple[str, ...], edges: str, extra: str, missing: str) -> None:
    with pytest.raises(Unrealizable, match=missing):
        c_program(example(*kinds, edges=edges, extra=extra))
