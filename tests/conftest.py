"""Hypothesis profiles, and a summary of the claims of test programs that wait for models to come.

``MAZURKA_PROFILE`` chooses how many random programs the properties try: ``ci`` (2 000, the same ones each
time, the default) or ``slow`` (50 000, new ones each time).
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=2_000, derandomize=True, database=None, **_COMMON)
settings.register_profile("slow", max_examples=50_000, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("MAZURKA_PROFILE", "ci"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    from test_programs import CLAIMS, RUNNABLE

    waiting = Counter(claim.model for claim in CLAIMS) - Counter(claim.model for claim in RUNNABLE)
    if waiting:
        counts = ", ".join(f"{model} {count}" for model, count in sorted(waiting.items()))
        terminalreporter.write_line(f"claims for models to come, not run: {counts}")
