"""Mazurka checks concurrent C programs against memory models: every execution, each exactly once.

The public API: ``check`` gives an ``Outcome``, ``compile_program`` only the bytecode ``Program``; what
prevents an answer is a ``MazurkaError``. The compiler, the engine and what only some answers need are loaded
on first use, so that a small check does not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Eager on purpose: the function must stand where loading the module of the same name would otherwise
# put the module.
from mazurka.check import check
from mazurka.errors import InternalError, MazurkaError, ModelError, SourceError, UsageError
from mazurka.outcome import Outcome

if TYPE_CHECKING:
    from mazurka.execution import Event, Graph, Violation
    from mazurka.frontend import compile_program
    from mazurka.program import Program

__all__ = [
    "Event",
    "Graph",
    "InternalError",
    "MazurkaError",
    "ModelError",
    "Outcome",
    "Program",
    "SourceError",
    "UsageError",
    "Violation",
    "__version__",
    "check",
    "compile_program",
]


_LATE = {
    "Event": "mazurka.execution",
    "Graph": "mazurka.execution",
    "Program": "mazurka.program",
    "Violation": "mazurka.execution",
    "compile_program": "mazurka.frontend",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'mazurka' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)
