"""C programs with atomic sections have as many executions by brute force as they claim."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.expectations import Claim, claims
from mazurka.frontend import compile_text
from mazurka.kat.language.load import named_model
from mazurka.reference import enumerate_executions
from profiles import some

FOLDER = Path(__file__).resolve().parents[1] / "programs" / "sections"
CLAIMS = [
    claim
    for path in sorted(FOLDER.glob("*.c"))
    for claim in claims(path)
    if claim.model in ("sc", "rc11") and claim.result.kind != "liveness"  # brute force does not look for it
]


@pytest.mark.parametrize("claim", some(CLAIMS, 11), ids=lambda claim: f"{claim.path.stem}-{claim.model}")
def test_program(claim: Claim) -> None:
    found = enumerate_executions(compile_text(claim.source()), named_model(claim.model))
    expected = claim.result
    if expected.verdict == "violation":
        assert expected.kind in found.findings
    else:
        assert not found.findings
        assert len(found.complete) == expected.complete
        assert expected.blocked in (None, len(found.blocked))
