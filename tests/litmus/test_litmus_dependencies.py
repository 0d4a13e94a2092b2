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
from mazurka.litmus.running.states import Verdict
from mazurka.reference.running.labels import ReferenceUnsupported
from profiles import some
from reference_verdicts import verdict_by_reference

MODELS = {Language.AARCH64: named_model("armv8"), Language.PPC: named_model("power")}
HARDWARE = HERE / "hardware"


def usual_verdict(test: LitmusTest) -> Verdict:
    return verdict_by_reference(test, MODELS[test.language])


@pytest.mark.parametrize("path", sorted(HARDWARE.glob("*.litmus")), ids=lambda path: path.stem)
def test_hardware(path: Path) -> None:
    verdict = usual_verdict(read_litmus(str(path)))
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
            verdict = usual_verdict(read_litmus(str(path)))
        except (MazurkaError, ReferenceUnsupported):
            continue
        compared += 1
        assert agrees(verdict, expected[str(path)]), path
    assert compared
