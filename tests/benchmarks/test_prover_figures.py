"""The benchmark of the prover: its rows, what it insists on, its limits and what it writes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from claim_table import ROWS

from benchmarks.limits import of_prover
from benchmarks.processes import WrongAnswerError
from benchmarks.prover import Proof, claim_rows, prove_row

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {row.name: row for row in claim_rows()}


def test_all_rows_of_the_thesis_are_there() -> None:
    assert list(KNOWN) == list(dict.fromkeys(row.row for row in ROWS if row.row != "-"))
    assert [file for row in KNOWN.values() for file in row.files] == [
        row.file for row in ROWS if row.row != "-"
    ]
    assert {row.name for row in KNOWN.values() if row.expected == "refuted"} == {
        "C11orig → POWERweak",
        "C11orig → POWER",
    }


def test_a_row_is_decided() -> None:
    proof = prove_row(KNOWN["RA ⇔ RA₂"], 3)
    assert (proof.row.kater, proof.claims) == (0.01, 4)
    assert proof.seconds


@pytest.mark.parametrize(("name", "expected"), [("SC ⇔ SC_FM", "refuted"), ("C11orig → POWER", "proved")])
def test_another_answer_ends_the_run(name: str, expected: str) -> None:
    with pytest.raises(WrongAnswerError, match=rf"{name}: expected {expected}, found (proved|refuted)"):
        prove_row(replace(KNOWN[name], expected=expected), 1)


def test_a_row_has_one_answer(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("A\ta\tw\t*\ts\tproved\t1\nA\tb\tw\t*\ts\trefuted\t-\n", encoding="utf-8")
    with pytest.raises(ValueError, match="different answers"):
        claim_rows(table)


def proofs(**seconds: float) -> list[Proof]:
    """All rows, with 0.4 seconds each, except for some that are named by their first file."""
    return [Proof(row, 1, seconds.get(row.files[0].replace("-", "_"), 0.4)) for row in KNOWN.values()]


def test_limits_of_the_whole_table() -> None:
    """Rows that Kater was not measured on are not part of the sum, but none may take long."""
    total, slowest = of_prover(proofs(eco=7.0))
    assert total.value == pytest.approx(28.05 / (19 * 0.4))
    assert total.kept
    assert (slowest.value, slowest.kept) == (7.0, False)
    assert "eco" in slowest.what
    total, slowest = of_prover(proofs(imm_under_x86=4.9))
    assert (total.kept, slowest.kept) == (False, True)


def test_a_part_of_the_table_has_no_sum() -> None:
    (slowest,) = of_prover(proofs()[:3])
    assert slowest.kept
    assert not list(of_prover([]))


def test_the_prover_alone(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "--prover", "eco", "ra-under-ra3", "--json", str(path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    figures = json.loads(path.read_text(encoding="utf-8"))
    assert not figures["rows"]
    first, second = figures["prover"]
    assert (first["name"], first["result"], first["claims"]) == ("RA ⇔ RA₃", "proved", 3)
    assert second["kater_seconds"] is None
    documented = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in documented for field in first)


def test_a_claim_that_does_not_exist() -> None:
    command = [sys.executable, "-m", "benchmarks", "--prover", "fib_bench"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "RC11 → IMM" in run.stderr
