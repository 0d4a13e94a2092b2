"""What the reference says about litmus tests, also under models that the engine does not run."""

from __future__ import annotations

from mazurka.kat.language.load import named_model
from mazurka.kat.meaning import terms
from mazurka.litmus import LitmusTest
from mazurka.litmus.meaning.test import Language
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from mazurka.litmus.running.states import States, Verdict
from mazurka.reference import Machine
from mazurka.reference.unordered import full_graphs

USUAL = {
    Language.AARCH64: named_model("armv8"),
    Language.PPC: named_model("power"),
    Language.RISCV: named_model("riscv"),
    Language.KERNEL: named_model("lkmm"),
}
MOST_GRAPHS = 1_000  # partial ones; a few tests have many more


def verdict_by_reference(
    test: LitmusTest, model: terms.Model, most_graphs: int | None = MOST_GRAPHS
) -> Verdict:
    """The verdict, from the graphs that the reference finds; it must not have to try too many."""
    layout = Layout(test)
    machine = Machine(to_program(test, layout, model.name), confirms=False, tracks=True)
    states, counts = States(test, layout), [0, 0]
    for graph in full_graphs(machine, model, most_graphs):
        if not machine.frontier(graph).complete:
            continue  # a thread waits for a lock
        writes = (graph.labels[writes[-1]] for writes in graph.co.values() if writes)
        last = {w.address + n: w.value >> 8 * n & 0xFF for w in writes for n in range(w.size)}
        state = states.of_bytes(last)
        if states.holds(test.filter, state):
            counts[states.holds(test.condition.proposition, state)] += 1
    return Verdict(test, model.name, (), counts[True], counts[False])
