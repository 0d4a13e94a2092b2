"""The programs of ``tests/programs/svcomp``: in SV-COMP's style, with properties, inputs and witnesses."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from mazurka.expectations import Claim, Result, claims
from profiles import some
from test_programs import SVCOMP, check, name, place, run
from test_programs import folder as folder
from witnesses import problems, read_witness

CLAIMS = [claim for path in sorted(SVCOMP.glob("*.c")) for claim in claims(path)]
OWN = [claim for claim in CLAIMS if not claim.twin]
EVERY = 6  # of these claims the quick profile checks every sixth


def test_there_are_twenty_programs() -> None:
    assert len({claim.path for claim in OWN}) >= 20
    verdicts = [claim.result.verdict for claim in OWN]
    assert min(verdicts.count("verified"), verdicts.count("violation")) >= 5


@pytest.mark.parametrize("claim", some(CLAIMS, EVERY), ids=name)
def test_svcomp_program(claim: Claim, folder: Path, tmp_path: Path) -> None:
    check(claim, folder, tmp_path)


@pytest.mark.parametrize("claim", some(OWN, EVERY), ids=name)
def test_its_witness(claim: Claim, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, witness = place(claim, folder), tmp_path / "witness.yml"
    asked = Claim(claim.path, claim.model, claim.result, (*claim.options, "--witness", str(witness)))
    _, told = run(asked, path, tmp_path)
    if told["property"]["holds"] is None:
        assert not witness.exists()
        assert "no witness is written" in capsys.readouterr().err
        return
    entries = read_witness(witness.read_text(encoding="utf-8"))
    assert not problems(entries)
    (entry,) = entries
    task = entry["metadata"]["task"]
    assert task["input_file_hashes"] == {str(path): hashlib.sha256(path.read_bytes()).hexdigest()}
    assert entry["entry_type"] == ("invariant_set" if told["property"]["holds"] else "violation_sequence")
    if claim.result.verdict == "violation":
        points = [one["waypoint"] for segment in entry["content"] for one in segment["segment"]]
        assert [point["type"] for point in points].count("target") == 1
        assert points[-1]["location"]["line"] in lines_of(claim.result, told)
        for point in points[:-1]:
            at = point["location"]
            text = path.read_text(encoding="utf-8").splitlines()[at["line"] - 1]
            assert "__VERIFIER_nondet_" in text
            assert text[at["column"] - 1] == ")"


def lines_of(expected: Result, told: dict[str, dict[str, dict[str, int]]]) -> tuple[int, ...]:
    """Where the violation may be."""
    return expected.lines or (expected.line or told["violation"]["location"]["line"],)
