"""C programs under the models of machines, for which compilers are right: what rc11 verifies, they verify."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from expectations import Claim
from mazurka.models.registry import machine_models
from profiles import some
from test_programs import CLAIMS, folder, name, place, run

__all__ = ["folder"]

# What rc11 verifies only because it forbids load buffering (its axiom no-thin-air).
BUFFERED = {"litmus_lb"}
# What these models do not know (LIMITS.md), and loops that they explore round by round.
REFUSED = {"mixed-size", "unsupported", "endless-loop"}
VERIFIED = [
    claim
    for claim in CLAIMS
    if claim.model == "rc11" and claim.result.verdict == "verified" and claim.twin is None
]
CASES = [replace(claim, model=model) for model in machine_models() for claim in some(VERIFIED, 40, ci=2)]


@pytest.mark.parametrize("claim", CASES, ids=name)
def test_what_rc11_verifies_is_verified(claim: Claim, folder: Path, tmp_path: Path) -> None:
    status, result = run(claim, place(claim, folder), tmp_path)
    if status == 2:
        assert result["error"]["code"] in REFUSED
    elif claim.path.stem in BUFFERED:
        assert result["verdict"] == "violation" or claim.model in ("riscv-tso", "x86")
    else:
        assert result["verdict"] == "verified", result
