"""Litmus tests with accesses of several sizes, under the models of machines that say what these mean.

The verdicts of the tests here follow from what the architects say: a forwarded part of a load is ordered on
its own on ARMv8, and as the whole load on RISC-V.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from litmus_files import CONFORMANCE, HERE, needs_conformance
from mazurka.errors import SourceError
from mazurka.litmus import parse_litmus_file, read_litmus
from mazurka.litmus.running.expected import agrees, read_table
from mazurka.litmus.running.run import run_test
from profiles import some
from reference_verdicts import USUAL, verdict_by_reference

SIZES = HERE / "sizes"
FILES = sorted(SIZES.glob("*.litmus"))
MIXED = "aarch64-mixed"
SAMPLE = 10  # in the quick profile, one of so many


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sizes(path: Path) -> None:
    """By the engine and by the reference, which reach the same states."""
    test, expected = read_litmus(str(path)), read_table(str(SIZES / "expected.tsv"))[str(path)]
    verdict = run_test(test)
    reference = verdict_by_reference(test, USUAL[test.language], None)
    assert agrees(verdict, expected)
    assert agrees(reference, expected)
    assert (verdict.positive, verdict.negative) == (reference.positive, reference.negative)


@needs_conformance
def test_conformance_of_several_sizes() -> None:
    """All of them, by the engine."""
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = sorted((CONFORMANCE / "litmus" / MIXED).glob("*.litmus"))
    assert len(files) == 40
    for path in files:
        assert agrees(run_test(read_litmus(str(path))), expected[str(path)]), path


@needs_conformance
def test_conformance_of_several_sizes_by_reference() -> None:
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = some(sorted((CONFORMANCE / "litmus" / MIXED).glob("*.litmus")), every=SAMPLE, ci=6)
    for path in files:
        test = read_litmus(str(path))
        is_about_all = expected[str(path)].startswith("Required")
        verdict = verdict_by_reference(test, USUAL[test.language], None, only_witnesses=not is_about_all)
        assert agrees(verdict, expected[str(path)]), path


UNKNOWN = """PPC T
{ 0:r1=x; 1:r1=x; }
 P0          | P1          ;
 li r2,1     | lhz r2,0(r1) ;
 stw r2,0(r1) |             ;
exists (1:r2=1)
"""


def test_a_model_that_does_not_say_what_sizes_mean_refuses_them() -> None:
    with pytest.raises(SourceError, match="different sizes"):
        run_test(parse_litmus_file(UNKNOWN, "t.litmus"))
    assert run_test(parse_litmus_file(UNKNOWN, "t.litmus"), model="sc").positive
