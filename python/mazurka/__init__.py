"""Mazurka checks concurrent C and C++ programs against memory models: every execution, each exactly once.

The public API: ``check`` gives an ``Outcome``, ``estimate`` says how much there is to explore, ``explore``
gives executions one by one, ``expect_outcome`` looks for one that ends in some way and says what forbids it,
``fix`` and ``tune`` change memory orderings, ``litmus`` and ``prove`` answer
questions about models, ``models`` lists these, and ``Threads`` is a program that is written in Python; what
prevents an answer is a ``MazurkaError``.
``docs/python.md`` describes all names. Everything is loaded on first use, so that the command can prepare for
Ctrl-C before it loads the rest (``__main__``).

``litmus`` and ``models`` are packages, too: ``make_callable`` lets these be called.
"""

from __future__ import annotations

import sys

__version__ = "0.1.0"

TYPE_CHECKING = False  # what type checkers take for true; loading ``typing`` takes as long as a small check
if TYPE_CHECKING:
    from typing import Any

    from mazurka.api.executions import Execution, ExecutionEvent, explore
    from mazurka.api.expected import CycleEvent, ExpectedOutcome, expect_outcome
    from mazurka.api.outcomes import outcome_as_html, outcome_as_text
    from mazurka.api.questions import LitmusResult, ModelInfo, Proof, litmus, models, prove
    from mazurka.api.repairs import Repair, fix, tune
    from mazurka.checking.check import check
    from mazurka.checking.execution import Event, Graph, Violation
    from mazurka.checking.outcome import Outcome
    from mazurka.errors import InternalError, MazurkaError, ModelError, SourceError, UsageError
    from mazurka.frontend import compile_program
    from mazurka.held import Source
    from mazurka.program import Program
    from mazurka.tracing.recording import wait_until
    from mazurka.tracing.threads import Threads
    from mazurka.tracing.variables import assume, atomic, choose, fence, mutex, plain
    from mazurka.watching.estimate import Estimate, estimate

__all__ = [
    "CycleEvent",
    "Estimate",
    "Event",
    "Execution",
    "ExecutionEvent",
    "ExpectedOutcome",
    "Graph",
    "InternalError",
    "LitmusResult",
    "MazurkaError",
    "ModelError",
    "ModelInfo",
    "Outcome",
    "Program",
    "Proof",
    "Repair",
    "Source",
    "SourceError",
    "Threads",
    "UsageError",
    "Violation",
    "__version__",
    "assume",
    "atomic",
    "check",
    "choose",
    "compile_program",
    "estimate",
    "expect_outcome",
    "explore",
    "fence",
    "fix",
    "litmus",
    "models",
    "mutex",
    "outcome_as_html",
    "outcome_as_text",
    "plain",
    "prove",
    "tune",
    "wait_until",
]


_MODULES = {
    "mazurka.api.executions": ("Execution", "ExecutionEvent", "explore"),
    "mazurka.api.expected": ("CycleEvent", "ExpectedOutcome", "expect_outcome"),
    "mazurka.api.outcomes": ("outcome_as_html", "outcome_as_text"),
    "mazurka.api.questions": ("LitmusResult", "ModelInfo", "Proof", "prove"),
    "mazurka.api.repairs": ("Repair", "fix", "tune"),
    "mazurka.checking.check": ("check",),
    "mazurka.checking.execution": ("Event", "Graph", "Violation"),
    "mazurka.held": ("Source",),
    "mazurka.checking.outcome": ("Outcome",),
    "mazurka.errors": ("InternalError", "MazurkaError", "ModelError", "SourceError", "UsageError"),
    "mazurka.frontend": ("compile_program",),
    "mazurka.program": ("Program",),
    "mazurka.tracing.recording": ("wait_until",),
    "mazurka.tracing.threads": ("Threads",),
    "mazurka.tracing.variables": ("assume", "atomic", "choose", "fence", "mutex", "plain"),
    "mazurka.watching.estimate": ("Estimate", "estimate"),
}
_LATE = {name: module for module, names in _MODULES.items() for name in names}
_PACKAGES = ("litmus", "models")  # which are functions of ``mazurka.api.questions`` as well
_ASKING = ("check", "compile_program", "estimate", "expect_outcome", "fix", "prove", "tune")


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"mazurka.{name}")
    if name not in _LATE:
        message = f"module 'mazurka' has no attribute '{name}'"
        raise AttributeError(message, name=name, obj=sys.modules[__name__])  # so that Python can suggest one
    found = getattr(import_module(_LATE[name]), name)
    if name in _ASKING:
        from mazurka.api.in_python import in_python

        found = globals()[name] = in_python(found)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _CallablePackage(type(sys)):  # type: ignore[misc]  # the type of modules, without loading ``types``
    """A package that is called like the function of its name in ``mazurka.api.questions``."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from mazurka.api import questions
        from mazurka.api.in_python import in_python

        return in_python(getattr(questions, self.__name__.rpartition(".")[2]))(*arguments, **options)


def make_callable(package: str) -> None:
    """Lets ``mazurka.models()`` and ``mazurka.litmus(…)`` be called, whether or not the package is loaded."""
    sys.modules[package].__class__ = _CallablePackage
