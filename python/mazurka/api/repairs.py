"""``fix`` and ``tune`` from Python: the same searches as those of the commands. No file is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from mazurka.checking.check import check
from mazurka.checking.options import check_arguments, check_number
from mazurka.checking.outcome import Outcome
from mazurka.errors import ErrorCode, UsageError, foreseen
from mazurka.files import is_source
from mazurka.repair.answer import Repair as Repair
from mazurka.repair.answer import fixed, tuned
from mazurka.repair.inputs import Inputs
from mazurka.repair.work import Work, begun

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
ATTEMPTS = 300


def fix(program: Paths, *, attempts: int = ATTEMPTS, **options: Any) -> Repair:
    """Looks for stronger memory orderings, or for fences, with which a wrong program is right.

    ``attempts`` is the number of variants that may be checked, ``time_limit`` is for all of them together;
    the other options are those of ``mazurka.check``.
    """
    return _searched(program, attempts, options, fixed)


def tune(program: Paths, *, attempts: int = ATTEMPTS, **options: Any) -> Repair:
    """Looks for the weakest memory orderings with which a right program stays right.

    The options are those of ``fix``.
    """
    return _searched(program, attempts, options, tuned)


def _searched(
    program: Paths, attempts: int, options: dict[str, Any], search: Callable[[Work | Outcome], Repair]
) -> Repair:
    def checked(**changed: Any) -> Outcome:
        return check(**{"path": paths, **options, **changed})

    database = options.get("compile_commands")
    with foreseen():
        paths = _paths(program)
        check_arguments(paths, options)
        check_number("attempts", attempts)
        known = None if database is None else os.fspath(database)
        inputs = Inputs.of(paths, options.get("cflags", ()), known)
        with begun(inputs, checked, attempts, options.get("time_limit")) as work:
            return search(work)


def _paths(program: Paths) -> list[str]:
    """The files that can be changed; a text has none."""
    is_text = isinstance(program, str) and is_source(program)
    if is_text or not isinstance(program, (str, os.PathLike, Sequence)):
        message = "only the orderings of files can be changed, and this program is not in a file"
        hint = "write its text to a file, and pass the path"
        raise UsageError(ErrorCode.USAGE, message, hint=hint)
    return [os.fspath(path) for path in ([program] if isinstance(program, (str, os.PathLike)) else program)]
