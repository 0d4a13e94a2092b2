"""Z6.U by commands: POWER refutes the original C11, and the engine runs what was found."""

from __future__ import annotations

import json
from pathlib import Path

from claim_table import CLAIMS
from command import mazurka


def test_the_program_of_the_refutation_runs(tmp_path: Path) -> None:
    """RC11, which was repaired for it, allows the outcome; sc does not."""
    program = tmp_path / "orig.c"
    ran = mazurka("prove", CLAIMS / "c11-orig-under-power.kat", "--program", program, COLUMNS="120")
    assert ran.status == 1, ran.err
    assert (
        "[UR.sc] ; rmw ; [UW.sc] ; co ; [W.sc] ; po ; [R.sc] ; rfe^-1 ; [W.sc] ; co ; [W.sc] ; po" in ran.out
    )
    weak = json.loads(mazurka("check", "--model", "rc11", "--json", "-", program).out)
    assert (weak["verdict"], weak["violation"]["kind"]) == ("violation", "assertion")
    assert mazurka("check", "--model", "sc", program).status == 0
