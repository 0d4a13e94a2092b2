"""What terms denote on a graph: base relations, predicates and operators, with answers worked out by hand."""

from __future__ import annotations

import pytest
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning import terms
from mazurka.program import Mode
from mazurka.program.sync_objects import LOCK
from mazurka.reference import Graph, ReferenceUnsupported
from mazurka.reference.bases import initial_write
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind, Label
from mazurka.reference.running.sync import Use

X, Y, HEAP = 16, 32, 64
IX, IY, IH = initial_write(X), initial_write(Y), initial_write(HEAP)
NAMES = {
    **{"ix": IX, "iy": IY, "ih": IH},
    **{"create": (0, 0), "alloc": (0, 1), "join": (0, 2), "free": (0, 3)},
    **{"wx": (1, 0), "fence": (1, 1), "rx": (1, 2), "ux": (1, 3), "wh": (1, 4)},  # rx and ux: an increment
    **{"cas": (2, 0), "ry": (2, 1)},  # a compare-exchange of x that fails
}


def example() -> Graph:
    """Main creates thread 1, which accesses x and main's object, and joins it. Thread 2 was always there."""
    labels = {
        "create": Label(Kind.CREATE, other=1),
        "alloc": Label(Kind.ALLOC, address=HEAP, size=8),
        "wx": Label(Kind.WRITE, Mode.REL, X, 4, 5),
        "fence": Label(Kind.FENCE, Mode.ACQ_REL),
        "rx": Label(Kind.READ, Mode.ACQ, X, 4, exclusive=True),
        "ux": Label(Kind.WRITE, Mode.SC, X, 4, 6, exclusive=True),
        "wh": Label(Kind.WRITE, Mode.NA, HEAP, 4),
        "cas": Label(Kind.READ, Mode.SC, X, 4, exclusive=True, expected=7, failure=Mode.RLX),
        "ry": Label(Kind.READ, Mode.NA, Y, 4),
        "join": Label(Kind.JOIN, other=1),
        "free": Label(Kind.FREE, address=HEAP),
    }
    graph = Graph()
    for name, label in labels.items():
        graph = graph.add(NAMES[name], label)
    graph = graph.set_co(None, (1, 0)).set_co((1, 0), (1, 3)).set_co(None, (1, 4))
    return graph.set_rf((1, 2), (1, 0)).set_rf((2, 0), (1, 0)).set_rf((2, 1), None)


def pairs(text: str) -> set[tuple[EventId, EventId]]:
    """``a>b c>d``: the pairs of events with these names."""
    split = [pair.split(">") for pair in text.split()]
    return {(NAMES[a], NAMES[b]) for a, b in split}


def evaluate(expression: str) -> set[tuple[EventId, EventId]]:
    model = load_text(f"let it = {expression} acyclic po")
    term = model.definitions["it"]
    relation = terms.Guard(term) if isinstance(term, terms.Test) else term
    return Relations(example(), model.views).pairs(relation)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            "po-imm",
            "create>alloc alloc>join join>free create>wx wx>fence fence>rx rx>ux ux>wh wh>join cas>ry",
        ),
        (
            "[TC] ; po",
            "create>alloc create>join create>free create>wx create>fence create>rx create>ux create>wh",
        ),
        ("po ; [TJ]", "create>join alloc>join wx>join fence>join rx>join ux>join wh>join"),
        ("po-loc", "wx>rx wx>ux rx>ux"),
        ("tc", "create>wx create>fence create>rx create>ux create>wh"),
        ("tj", "wx>join fence>join rx>join ux>join wh>join"),
        ("same-thread & ([R] ; any)", "rx>wx rx>fence rx>ux rx>wh cas>ry ry>cas"),
        ("rf", "wx>rx wx>cas iy>ry"),
        ("rfi", "wx>rx"),
        ("rfe", "wx>cas iy>ry"),
        ("co", "ix>wx ix>ux wx>ux ih>wh"),
        ("moe", "ix>wx ix>ux ih>wh"),
        ("coi", "wx>ux"),
        ("fr", "rx>ux cas>ux"),
        ("fri", "rx>ux"),
        ("fre", "cas>ux"),
        ("rmw", "rx>ux"),
        ("loc-overlap", "wx>rx rx>wx wx>ux ux>wx rx>ux ux>rx cas>wx wx>cas cas>rx rx>cas cas>ux ux>cas"),
        ("alloc", "alloc>wh"),
        ("free", "free>wh"),
    ],
)
def test_base_relations(expression: str, expected: str) -> None:
    assert evaluate(expression) == pairs(expected)


def test_any_is_all_pairs() -> None:
    assert evaluate("any") == {(a, b) for a in NAMES.values() for b in NAMES.values()}


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("R", "rx cas ry"),
        ("W", "ix iy ih wx ux wh"),
        ("F", "fence"),
        ("UR", "rx"),
        ("UW", "ux"),
        ("UX", "cas"),
        ("EXCL", "rx ux"),
        ("NEXCL", "cas ry ix iy ih wx wh"),
        ("NA", "wh ry"),
        ("RLX", "cas"),
        ("RLX | ACQ | REL | SC", "wx fence rx ux cas"),
        ("ACQ", "fence rx"),
        ("REL", "wx fence ux"),
        ("SC", "ux"),
        ("TC", "create"),
        ("TJ", "join"),
        ("ALLOC", "alloc"),
        ("FREE", "free"),
        ("LOC", "rx cas ry ix iy ih wx ux wh"),
        ("TB", ""),
        ("W & REL", "wx ux"),
        ("F | FREE", "fence free"),
    ],
)
def test_predicates(test: str, expected: str) -> None:
    assert evaluate(f"[{test}]") == {(NAMES[name], NAMES[name]) for name in expected.split()}


def test_a_negated_test() -> None:
    guard = terms.Guard(terms.Not(terms.Either(terms.Primitive("W"), terms.Primitive("R"))))
    found = Relations(example(), {}).pairs(guard)
    assert found == pairs("create>create alloc>alloc join>join free>free fence>fence")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0", ""),
        ("rmw | rfi", "rx>ux wx>rx"),
        ("fr & rmw", "rx>ux"),
        (r"fr \ rmw", "cas>ux"),
        ("rf ; fr", "wx>ux"),
        ("rmw ; rf", ""),
        ("rf^-1", "rx>wx cas>wx ry>iy"),
        ("(rfi | rmw)+", "wx>rx rx>ux wx>ux"),
        ("[UR] ; rmw?", "rx>rx rx>ux"),
        ("[REL] ; [W] ; (rfi | rmw)* ; [W]", "wx>wx wx>ux ux>ux"),
        ("[F] ; id", "fence>fence"),
        ("[F] ; [] ; [F]", "fence>fence"),
    ],
)
def test_operators(expression: str, expected: str) -> None:
    assert evaluate(expression) == pairs(expected)


def test_a_view_is_what_the_model_says() -> None:
    model = load_text("view seen = rfi | rmw let it = seen ; seen acyclic po")
    term = model.definitions["it"]
    assert not isinstance(term, terms.Test)
    assert Relations(example(), model.views).pairs(term) == pairs("wx>ux")


@pytest.mark.parametrize("expression", ["po | ctrl", "addr", "data", "rot rf", "[DEP] ; po"])
def test_what_is_not_evaluated_is_refused(expression: str) -> None:
    with pytest.raises(ReferenceUnsupported):
        evaluate(expression)


def test_a_join_of_a_thread_without_events_comes_after_its_creation() -> None:
    graph = Graph().add((0, 0), Label(Kind.CREATE, other=1)).add((0, 1), Label(Kind.CREATE, other=2))
    graph = graph.add((1, 0), Label(Kind.FENCE)).add((1, 1), Label(Kind.JOIN, other=2))
    assert Relations(graph, {}).pairs(terms.Base("po-imm")) == {
        ((0, 0), (0, 1)),
        ((0, 0), (1, 0)),
        ((1, 0), (1, 1)),
        ((0, 1), (1, 1)),
    }


@pytest.mark.parametrize(("held", "passes"), [(0, {"UR"}), (1, {"UX"})])
def test_a_lock_that_waits_is_an_update_that_failed(held: int, passes: set[str]) -> None:
    lock = Label(Kind.READ, Mode.ACQ, X, 4, exclusive=True, failure=Mode.ACQ, use=Use(LOCK, 1, 0))
    graph = Graph().add((1, 0), lock._replace(initial=held)).set_rf((1, 0), None)
    relations = Relations(graph, {})
    found = {name for name in ("UR", "UX") if relations.pairs(terms.Guard(terms.Primitive(name)))}
    assert found == passes
