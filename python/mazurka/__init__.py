"""Mazurka checks concurrent C programs against memory models: every execution, each exactly once.

The public API: ``check`` gives an ``Outcome``, ``compile_program`` only the bytecode ``Program``; what
prevents an answer is a ``MazurkaError``. The compiler and the engine are loaded on first use, so that
``mazurka --version`` does not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Eager on purpose: the function must stand where loading the module of the same name would otherwise
# put the module.
from mazurka.check import check
from mazurka.errors import InternalError, MazurkaError, ModelError, SourceError, UsageError
from mazurka.outcome import Event, Graph, Outcome, Violation
from mazurka.program import Program

if TYPE_CHECKING:
    from mazurka.frontend import compile_program

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


def __getattr__(name: str) -> Any:
    if name == "compile_program":
        from mazurka.frontend import compile_program

        return compile_program
    raise AttributeError(f"module 'mazurka' has no attribute '{name}'")
