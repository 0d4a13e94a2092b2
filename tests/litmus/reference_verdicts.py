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
from mazurka.reference.graph import Graph
from mazurka.reference.unordered import full_graphs
from mazurka.why_not.answer import can_end_so

USUAL = {
    Language.AARCH64: named_model("armv8"),
    Language.PPC: named_model("power"),
    Language.RISCV: named_model("riscv"),
    Language.KERNEL: named_model("lkmm"),
}
MOST_GRAPHS = 1_000  # partial ones; a few tests have many more


def verdict_by_reference(
    test: LitmusTest,
    model: terms.Model,
    most_graphs: int | None = MOST_GRAPHS,
    *,
    only_witnesses: bool = False,
) -> Verdict:
    """The verdict, from the graphs that the reference finds; it must not have to try too many.

    With ``only_witnesses``, executions that the proposition rules out are dropped as soon as that is known.
    They are not counted then.
    """
    layout = Layout(test)
    machine = Machine(to_program(test, layout, model.name), confirms=False, tracks=True)
    states, counts = States(test, layout), [0, 0]
    keeps = can_end_so(test, states) if only_witnesses else lambda _: True
    for graph in full_graphs(machine, model, most_graphs, keeps):
        if not machine.frontier(graph).complete:
            continue  # a thread waits for a lock
        state = states.of_bytes(_last_bytes(graph))
        if states.holds(test.filter, state):
            counts[states.holds(test.condition.proposition, state)] += 1
    return Verdict(test, model.name, (), counts[True], counts[False])


def _last_bytes(graph: Graph) -> dict[int, int]:
    """The last bytes that were written, by their addresses; each cell has a last write of its own."""
    last = {cell: graph.labels[writes[-1]] for cell, writes in graph.co.items() if writes}
    ends = {cell: min(edge for edge in graph.edges if edge > cell) for cell in last}
    return {at: write.byte(at) for cell, write in last.items() for at in range(cell, ends[cell])}
