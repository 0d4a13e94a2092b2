"""Litmus tests of machines whose models the engine does not run yet: the reference runs them.

It tracks dependencies through registers, so these verdicts show that instructions use and fill the registers
that the architectures say.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from litmus_files import CONFORMANCE, HERE, needs_conformance
from mazurka.errors import MazurkaError
from mazurka.kat.language.load import named_model
from mazurka.litmus import LitmusTest, read_litmus
from mazurka.litmus.meaning.test import Language
from mazurka.litmus.running.expected import agrees, read_table
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from mazurka.litmus.running.states import States, Verdict
from mazurka.reference import Machine
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.reference.unordered import full_graphs
from profiles import some

MODELS = {Language.AARCH64: "armv8", Language.PPC: "power"}
HARDWARE = HERE / "hardware"
MOST_GRAPHS = 1_000  # partial ones; a few tests have many more


def verdict_by_reference(test: LitmusTest) -> Verdict:
    """The verdict, from the graphs that the reference finds."""
    layout = Layout(test)
    model = MODELS[test.language]
    machine = Machine(to_program(test, layout, model), confirms=False, tracks=True)
    states, counts = States(test, layout), [0, 0]
    for graph in full_graphs(machine, named_model(model), MOST_GRAPHS):
        writes = (graph.labels[writes[-1]] for writes in graph.co.values() if writes)
        last = {w.address + n: w.value >> 8 * n & 0xFF for w in writes for n in range(w.size)}
        state = states.of_bytes(last)
        if states.holds(test.filter, state):
            counts[states.holds(test.condition.proposition, state)] += 1
    return Verdict(test, model, (), counts[True], counts[False])


@pytest.mark.parametrize("path", sorted(HARDWARE.glob("*.litmus")), ids=lambda path: path.stem)
def test_hardware(path: Path) -> None:
    verdict = verdict_by_reference(read_litmus(str(path)))
    assert verdict.positive + verdict.negative
    assert agrees(verdict, read_table(str(HARDWARE / "expected.tsv"))[str(path)])


@needs_conformance
@pytest.mark.parametrize("folder", ["aarch64", "ppc"])
def test_conformance_by_reference(folder: str) -> None:
    """Tests with instructions that the models do not know yet, and long ones, are left out."""
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = some(sorted((CONFORMANCE / "litmus" / folder).glob("*.litmus")), every=30)
    compared = 0
    for path in files:
        try:
            verdict = verdict_by_reference(read_litmus(str(path)))
        except (MazurkaError, ReferenceUnsupported):
            continue
        compared += 1
        assert agrees(verdict, expected[str(path)]), path
    assert compared
