"""Tables of expected verdicts, ``expected.tsv``: a suite of litmus tests is compared with the one above it.

Its columns ``test`` (a path, relative to the table) and ``expected`` are used. What is expected is about the
proposition, whatever the quantifier: ``Allowed``, ``Forbidden``, or for ``forall`` ``Required(holds)`` and
``Required(violated)``.
"""

from __future__ import annotations

import os
from pathlib import Path

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.files import read_regular
from mazurka.litmus.running.states import Verdict

NAME = "expected.tsv"
_WORDS = ("Allowed", "Forbidden", "Required(holds)", "Required(violated)")
_HINT = f"what is expected is one of: {', '.join(_WORDS)}"


def find_table(folder: str) -> str | None:
    """The nearest table in a folder or above it."""
    start = Path(folder).resolve()
    found = (str(place / NAME) for place in (start, *start.parents) if (place / NAME).is_file())
    return next(found, None)


def read_table(path: str, folder: str | None = None) -> dict[str, str]:
    """What is expected of each test, by the full path of its file.

    All tests that the table names in a folder, whose tests are to be run, must exist.
    """
    rows = [line.split("\t") for line in read_regular(path).decode("utf-8-sig").splitlines()]
    head = rows[0] if rows else []
    if "test" not in head or "expected" not in head:
        hint = "its first line names the columns, separated by tabs: test and expected"
        raise SourceError(
            ErrorCode.BAD_LITMUS, "this is not a table of expected verdicts", place=Place(path, 1), hint=hint
        )
    test, expected = head.index("test"), head.index("expected")
    found: dict[str, str] = {}
    for number, row in enumerate(rows[1:], 2):
        if len(row) <= max(test, expected):
            raise _problem(path, number, "this row says nothing about a test", _HINT)
        if row[expected] not in _WORDS:
            raise _problem(path, number, f"'{row[expected]}' is not a verdict", _HINT)
        file = os.path.normpath(os.path.join(os.path.dirname(path), row[test]))
        if found.setdefault(file, row[expected]) != row[expected]:
            raise _problem(path, number, "a second verdict for this test", "remove one of the two rows")
        if folder is not None and _is_missing(file, folder):
            hint = "correct its path, which is relative to the table, or remove the row"
            raise _problem(path, number, f"there is no test {row[test]}", hint)
    return found


def _problem(path: str, line: int, message: str, hint: str) -> SourceError:
    return SourceError(ErrorCode.BAD_LITMUS, message, place=Place(path, line), hint=hint)


def _is_missing(file: str, folder: str) -> bool:
    return file.startswith(os.path.join(os.path.realpath(folder), "")) and not os.path.exists(file)


def agrees(verdict: Verdict, expected: str) -> bool:
    """Whether a verdict is as expected."""
    match expected:
        case "Allowed":
            return verdict.positive > 0
        case "Forbidden":
            return verdict.positive == 0
        case "Required(holds)":
            return verdict.negative == 0
        case _:
            return verdict.negative > 0
