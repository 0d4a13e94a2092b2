"""The names of the models that come with the package, ``sc`` first: every one of them is tested."""

from __future__ import annotations

from mazurka.models.registry import runnable_models

NAMES = ("sc", *(name for name in runnable_models() if name != "sc"))
