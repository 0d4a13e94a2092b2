"""The Python API as its users call it: errors name options as Python does (``unroll=N``, not ``--unroll N``).

Messages and hints are written once, in the words of the command, and are translated where they leave the
API. What is no option in Python, such as ``--witness``, stays as it is.
"""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING

from mazurka.errors import MazurkaError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")

# Options without a value, and what they are in Python.
_SWITCHES = {
    "no-liveness": "liveness=False",
    "no-spin-assume": "spin_assume=False",
    "no-dynamic-spin-assume": "dynamic_spin_assume=False",
    "no-zero-net-effect": "zero_net_effect=False",
    "no-reshape-loops": "reshape_loops=False",
    "no-load-annotations": "load_annotations=False",
    "no-postponing": "postpones=False",
    "no-confirmations": "confirmations=False",
    "no-helping": "helping=False",
    "first-violation": "smallest=False",
    "unchecked-model": "unchecked_model=True",
    "strict": "strict=True",
    "undefined": "undefined=True",
    "leaks": "leaks=True",
    "malloc-may-fail": "malloc_may_fail=True",
    "reuse-memory": "reuse_memory=True",
    "spurious-wakeups": "spurious_wakeups=True",
    "allow-unused": "allow_unused=True",
    "audit": "audit=True",
    "verbose": "verbose=True",
    "explain": "'mazurka check --explain'",
}
# Options with a value: their names in Python.
_VALUED = {
    **{name: name for name in ("model", "races", "equivalence", "unroll", "volatile", "nondet", "cc")},
    **{name: name for name in ("workers", "attempts")},
    "mixed-size": "mixed_size",
    "max-executions": "max_executions",
    "time-limit": "time_limit",
    "memory-limit": "memory_limit",
    "schedule-seed": "schedule_seed",
    "compile-commands": "compile_commands",
    "property": "property_file",
    "expect-outcome": "expect_outcome",
    "stub": "stubs",
    "symmetry": "symmetry",
}
_NUMBER = r"N\b|\d+"
_WORD = r"LO\.\.HI|-?\d+\.\.-?\d+|[\w.*]+=[\w.:…]+|(?:auto|on|off|co|rf|plain|relaxed|sc|tso|rc11)\b"
_OPTION = re.compile(rf"--([a-z][a-z-]*[a-z])(?: (?:({_NUMBER})|({_WORD})))?")
_FLAGS = re.compile(r"(?<!\S)('?)-- (-[^\s']+)\1")
_AFTER = re.compile(r"(?:given )?after '--'")


def in_words_of_python(text: str) -> str:
    """A message in which options have their names in Python."""
    text = _AFTER.sub("in cflags", _FLAGS.sub(r'cflags=["\2"]', text))
    return _OPTION.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    option, number, word = found[1], found[2], found[3]
    if option in _SWITCHES:
        return _SWITCHES[option] + found[0].removeprefix(f"--{option}")
    name = _VALUED.get(option)
    if name is None:
        return found[0]
    if number is not None:
        return f"{name}={number}"
    if word is None:
        return name
    if name == "symmetry":
        return f"{name}={word != 'off'}"
    return f'{name}=["{word}"]' if name == "stubs" else f'{name}="{word}"'


def in_python(function: Callable[P, R]) -> Callable[P, R]:
    """The function as a part of the package itself, with errors in the words of Python."""

    @wraps(function)
    def called(*arguments: P.args, **options: P.kwargs) -> R:
        try:
            return function(*arguments, **options)
        except MazurkaError as error:
            error.message = in_words_of_python(error.message)
            error.hint = None if error.hint is None else in_words_of_python(error.hint)
            raise

    called.__module__ = "mazurka"  # where pickle finds it
    return called
