"""The litmus tests of this folder, and those that others wrote, where these are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
OWN = sorted(HERE.rglob("*.litmus"))
# Beside the project, if at all: these files stay where they are.
CONFORMANCE = HERE.parents[2] / "shared" / "conformance"
needs_conformance = pytest.mark.skipif(
    not CONFORMANCE.is_dir(),
    reason="the conformance samples are not beside the project (../shared/conformance)",
)
