"""Mazurka checks concurrent C and C++ programs against memory models: every execution, each exactly once.

The public API: ``check`` gives an ``Outcome``, ``compile_program`` only the bytecode ``Program``; what
prevents an answer is a ``MazurkaError``. Everything is loaded on first use, so that the command can
prepare for Ctrl-C before it loads the rest (``__main__``).
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # what type checkers take for true; loading ``typing`` takes as long as a small check
if TYPE_CHECKING:
    from typing import Any

    from mazurka.checking.check import check
    from mazurka.checking.execution import Event, Graph, Violation
    from mazurka.checking.outcome import Outcome
    from mazurka.errors import InternalError, MazurkaError, ModelError, SourceError, UsageError
    from mazurka.frontend import compile_program
    from mazurka.program import Program
    from mazurka.watching.estimate import Estimate, estimate

__all__ = [
    "Estimate",
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
    "estimate",
]


_LATE = {
    "Estimate": "mazurka.watching.estimate",
    "Event": "mazurka.checking.execution",
    "Graph": "mazurka.checking.execution",
    "InternalError": "mazurka.errors",
    "MazurkaError": "mazurka.errors",
    "ModelError": "mazurka.errors",
    "Outcome": "mazurka.checking.outcome",
    "Program": "mazurka.program",
    "SourceError": "mazurka.errors",
    "UsageError": "mazurka.errors",
    "Violation": "mazurka.checking.execution",
    "check": "mazurka.checking.check",
    "compile_program": "mazurka.frontend",
    "estimate": "mazurka.watching.estimate",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'mazurka' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)
