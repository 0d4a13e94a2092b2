"""How much of the random and of the exhaustive tests a run does: ``MAZURKA_PROFILE`` chooses.

``quick``, the default, is what the README's command runs: a few minutes on a small machine. ``ci`` has many
times as many random programs, and all rows of long tables; CI runs it as a step of its own. Both draw the
same programs each time. ``slow`` draws new ones, and many more of them.

I1: what ``quick`` leaves out runs in ``ci``, except for rows that take long to compile: of these ``ci`` has a
share, too, and ``slow`` has all. Tests leave something out only through the functions of this module.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("MAZURKA_PROFILE", "quick")
SLOW = PROFILE == "slow"
T = TypeVar("T")

_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
_SAME = settings(_COMMON, derandomize=True, database=None)
settings.register_profile("quick", _SAME, max_examples=100)
settings.register_profile("ci", _SAME, max_examples=1_000)
settings.register_profile("slow", _COMMON, max_examples=50_000, print_blob=True)

# A test, or a parameter of one, that the quick profile leaves to the others.
heavy = pytest.mark.skipif(PROFILE == "quick", reason="only in the profiles ci and slow")


def amount(ci: int, slow: int | None = None) -> int:
    """How many of something each profile does; a twenty-fourth of those of CI in the quick one."""
    return {"quick": min(ci, max(ci // 24, 8)), "ci": ci, "slow": slow or ci}[PROFILE]


def examples(ci: int, slow: int | None = None) -> settings:
    """The number of examples of a property."""
    return settings(max_examples=amount(ci, slow))


def some(rows: Sequence[T], every: int = 8, ci: int = 1) -> list[T]:
    """All rows of a table or, in the quick profile, a sample of them; of slow rows, one of ``ci`` in CI."""
    return list(rows)[:: {"quick": every, "ci": ci, "slow": 1}[PROFILE]]
