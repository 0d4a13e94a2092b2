"""Litmus tests of machines that the reference runs.

It tracks dependencies through registers, so these verdicts show that instructions use and fill the registers
that the architectures say, and that the models order what the architectures order.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from litmus_files import CONFORMANCE, HERE, needs_conformance
from mazurka.litmus import read_litmus
from mazurka.litmus.running.expected import agrees, read_table
from mazurka.litmus.running.states import Verdict
from profiles import some
from reference_verdicts import USUAL, verdict_by_reference

HARDWARE = HERE / "hardware"
SAMPLE = 30  # in the quick profile, one of so many


def usual_verdict(path: Path, *, only_witnesses: bool = False) -> Verdict:
    test = read_litmus(str(path))
    return verdict_by_reference(test, USUAL[test.language], None, only_witnesses=only_witnesses)


@pytest.mark.parametrize("path", sorted(HARDWARE.glob("*.litmus")), ids=lambda path: path.stem)
def test_hardware(path: Path) -> None:
    verdict = usual_verdict(path)
    assert verdict.positive + verdict.negative
    assert agrees(verdict, read_table(str(HARDWARE / "expected.tsv"))[str(path)])


@needs_conformance
@pytest.mark.parametrize("folder", ["aarch64", "ppc", "riscv"])
def test_conformance_by_reference(folder: str) -> None:
    """All of them; in the quick profile a sample."""
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = some(sorted((CONFORMANCE / "litmus" / folder).glob("*.litmus")), every=SAMPLE, ci=6)
    assert files
    for path in files:
        is_about_all = expected[str(path)].startswith("Required")
        assert agrees(usual_verdict(path, only_witnesses=not is_about_all), expected[str(path)]), path


@pytest.mark.parametrize("path", sorted(HARDWARE.glob("*.litmus")), ids=lambda path: path.stem)
def test_dropping_others_early_keeps_all_witnesses(path: Path) -> None:
    assert usual_verdict(path, only_witnesses=True).positive == usual_verdict(path).positive
