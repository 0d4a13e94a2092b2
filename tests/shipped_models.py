"""The models that come with the package, ``sc`` first: every one of them is tested, and planned once."""

from __future__ import annotations

from functools import cache

from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.plan import Plan
from mazurka.models.registry import runnable_models
from mazurka.soundness.requirements import plan_model

NAMES = ("sc", *(name for name in runnable_models() if name != "sc"))


@cache
def plan_of(name: str) -> Plan:
    """The Plan of a shipped model."""
    return plan_model(named_model(name))
