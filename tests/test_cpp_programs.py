"""Every program of ``tests/programs/cpp`` gives what its first lines say.

Compiling C++ takes a second for each program, so the quick profile runs a few of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from expectations import Claim, claims
from mazurka.models.registry import runnable_models
from profiles import heavy
from test_programs import ROOT, name, observed, place, run
from test_programs import folder as folder  # a fixture

PROGRAMS = sorted(ROOT.glob("tests/programs/cpp/*.cpp"))
QUICK = {"store_buffering", "treiber_stack"}
CLAIMS = [
    pytest.param(claim, marks=() if path.stem in QUICK and claim.twin is None else heavy, id=name(claim))
    for path in PROGRAMS
    for claim in claims(path)
    if claim.model in runnable_models()
]


@pytest.mark.parametrize("claim", CLAIMS)
def test_cpp_program(claim: Claim, folder: Path, tmp_path: Path) -> None:
    _, result = run(claim, place(claim, folder), tmp_path)
    assert "error" not in result, result["error"]
    assert observed(result, claim.result) == claim.result
