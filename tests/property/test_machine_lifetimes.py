"""Lifetimes under models of machines: memory may be freed if no access of it can be delayed past the free.

The free counts as a store. So a program in which a store takes its place says what can happen: an access of
another thread sees that store, or comes after it in co. This must be so if, and only if, in some execution
the model's order for lifetimes does not have the access before the free.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.program import Mode
from mazurka.reference.consistency import happens_before
from mazurka.reference.graph import Graph
from mazurka.reference.machine import Machine
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind
from mazurka.reference.unordered import full_graphs
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.operations import Exchange, Fence, Guard, Load, Operation, Register, Store
from profiles import examples

MODELS = ("armv8", "riscv", "riscv-tso", "x86")
FREED = 9
LOADS, STORES = (Mode.RLX, Mode.ACQ, Mode.SC), (Mode.RLX, Mode.REL, Mode.SC)
UPDATES, FENCES = (*STORES, Mode.ACQ, Mode.ACQ_REL), (Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC)


@st.composite
def frees(draw: st.DrawFn) -> Test:
    """Threads that tell each other that they have used d; the last one frees it."""

    def pick(modes: tuple[Mode, ...]) -> Mode:
        return draw(st.sampled_from(modes))

    def fence() -> tuple[Operation, ...]:
        return (Fence(pick(FENCES)),) if draw(st.integers(0, 3)) == 0 else ()

    def use() -> Operation:
        return Store(Mode.NA, "d", 1) if draw(st.booleans()) else Load(Mode.NA, "d")

    def tell(flag: str) -> Operation:
        update = draw(st.integers(0, 3)) == 0
        return Exchange(pick(UPDATES), flag, 1) if update else Store(pick(STORES), flag, 1)

    free = Store(Mode.NA, "d", FREED)
    first = (use(), *fence(), tell("f"))
    if draw(st.booleans()):
        last = (Load(pick(LOADS), "f"), *fence(), Guard(Register(0), 1, (*fence(), free)))
        return Test((first, last), (("d", 0), ("f", 0)))
    between = (Load(pick(LOADS), "f"), Guard(Register(0), 1, (*fence(), tell("g"))))
    last = (Load(pick(LOADS), "g"), Guard(Register(0), 1, (*fence(), free)))
    return Test((first, between, last), (("d", 0), ("f", 0), ("g", 0)))


def can_be_late(test: Test, name: str) -> bool:
    """Whether an access can come after the free; the order must say the same."""
    model = named_model(name)
    program = apply_mapping(to_program(test), model.mapping)
    machine = Machine(program, confirms=False, tracks=True)
    found, foreseen = False, False
    for graph in full_graphs(machine, model, None):
        for access, free in _pairs(graph):
            if _is_late(graph, access, free):
                found = True
            elif (access, free) not in _order(graph, free, model):
                foreseen = True
    assert found == foreseen
    return found


def _pairs(graph: Graph) -> Iterator[tuple[EventId, EventId]]:
    """Accesses and the free of their object by another thread."""
    for free, label in graph.labels.items():
        if label.kind is Kind.WRITE and label.value == FREED:
            others = [e for e, other in graph.labels.items() if other.address == label.address]
            yield from ((access, free) for access in others if access[0] != free[0])


def _is_late(graph: Graph, access: EventId, free: EventId) -> bool:
    (cell,) = graph.cells(free)
    if access in graph.rf:
        return graph.source(access, cell) == free
    writes = graph.writes(cell)
    return writes.index(access) > writes.index(free)


def _order(graph: Graph, free: EventId, model: terms.Model) -> set[tuple[EventId, EventId]]:
    """The model's order for lifetimes, in the graph in which the free is one."""
    label = graph.labels[free]._replace(kind=Kind.FREE, size=0)
    labels = {**graph.labels, free: label}
    co = {cell: tuple(write for write in writes if write != free) for cell, writes in graph.co.items()}
    changed = Graph(graph.order, labels, graph.rf, co)
    return Relations(changed, model.views).pairs(happens_before(model))


@pytest.mark.parametrize("name", MODELS)
@examples(ci=120, slow=3_000)
@given(frees())
def test_the_order_foresees_what_can_happen(name: str, test: Test) -> None:
    can_be_late(test, name)


# Whether an access can be late, on machines that delay stores beyond others, and loads.
KNOWN = {
    "Rna d; Wrlx f 1 || Rrlx f; if r0==1 Wna d 9": True,
    "Rna d; Wrel f 1 || Rrlx f; if r0==1 Wna d 9": False,  # the branch comes before the free
    "Rna d; Wrel f 1 || Racq f; if r0==1 Wna d 9": False,
    "Wna d 1; Frel; Wrlx f 1 || Rrlx f; if r0==1 Wna d 9": False,
    "Wna d 1; Wrlx f 1 || Racq f; if r0==1 Wna d 9": True,
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("text", KNOWN)
def test_known_programs(name: str, text: str) -> None:
    assert can_be_late(parse_litmus(text), name) == (KNOWN[text] and name in ("armv8", "riscv"))
