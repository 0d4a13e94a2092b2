"""Every kind of error has a program that provokes it, and a near-miss that must not.

They are in ``kinds_of_errors.txt``.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from mazurka import Outcome, check
from mazurka.program import sync_objects
from mazurka.program.kinds import ViolationKind
from mazurka.program.sync import Functions, Operation
from profiles import some

EVERY = 8  # of these rows the quick profile checks every eighth
# What no program in C, as short as these, can do: the programs of other tests do.
ELSEWHERE = {ViolationKind.EXCEPTION, ViolationKind.ANNOTATION}
TABLE = Path(__file__).with_name("kinds_of_errors.txt").read_text(encoding="utf-8")
PRELUDE, *_ENTRIES = re.split(r"^== ", re.sub(r"^# .*\n", "", TABLE, flags=re.M), flags=re.M)
ORDERS = 6  # orders of exploration, in which the first violation may be another one of the same kind


class Row(NamedTuple):
    """An error: its kind, what the message says, and the parts of the program."""

    kind: str
    option: str  # what it takes to find it, if anything: --undefined, or a --property
    message: str
    parts: dict[str, str]  # before the functions, in a second thread (other), in main

    def program(self, *, wrong: bool) -> str:
        """The program, or its near-miss."""
        bad, good = ("__VA_ARGS__", "") if wrong else ("", "__VA_ARGS__")
        before, other, main = (self.parts.get(name, "") for name in ("before", "other", "main"))
        return (
            f"#define BAD(...) {bad}\n#define GOOD(...) {good}\n{PRELUDE}{before}\n"
            f"static void *other(void *arg) {{ {other}\nreturn arg; }}\n"
            f"int main(void) {{ {main}\n(void)other; return 0; }}\n"
        )


def _row(entry: str) -> Row:
    head, _, body = entry.partition("\n")
    kind, _, message = head.partition(":")
    parts = dict(line.split(": ", 1) for line in re.split(r"\n(?=\w+: )", body.strip()))
    assert parts.keys() <= {"before", "other", "main"}, head
    kind, _, option = kind.partition(" ")
    return Row(kind, option, message.strip(), parts)


def _found(path: Path, row: Row, seed: int | None = None) -> Outcome:
    name, _, value = row.option.partition("=")
    wanted = value if name == "--property" else None
    return check(path, undefined=name == "--undefined", property_file=wanted, schedule_seed=seed)


ROWS = [_row(entry) for entry in _ENTRIES]


def _operations() -> set[Operation]:
    """Everything that can be done to a synchronisation object."""
    found: set[Operation] = set()
    for module in pkgutil.iter_modules(sync_objects.__path__):
        names = vars(importlib.import_module(f"{sync_objects.__name__}.{module.name}"))
        tables: list[Functions] = [names.get("FUNCTIONS", {}), names.get("TYPED_FUNCTIONS", {})]
        found.update(value for value in names.values() if isinstance(value, Operation))
        found.update(call.operation for table in tables for calls in table.values() for call in calls)
    return found


def test_every_kind_has_a_row() -> None:
    kinds = {*(kind.value for kind in ViolationKind if kind not in ELSEWHERE), "race"}
    kinds |= {operation.object.kind for operation in _operations()}
    assert kinds - {row.kind for row in ROWS} == set()


def test_every_misuse_has_a_row() -> None:
    """What a description of a synchronisation object calls misuse, and each way to wait for ever."""
    said = set[str]()
    for operation in _operations():
        said |= {case.message for case in (*operation.cases, *operation.overwrites)}
        said |= {operation.stuck, operation.stuck_alone, operation.while_met}
    messages = [row.message for row in ROWS if row.message]
    assert {text for text in said if text and not any(part in text for part in messages)} == set()


@pytest.mark.parametrize("row", some(ROWS, EVERY), ids=lambda row: f"{row.kind}-{ROWS.index(row)}")
def test_error_and_near_miss(row: Row, tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(row.program(wrong=True))
    said: list[str] = []
    for seed in (None, *range(ORDERS)):
        violation = _found(program, row, seed).violation
        assert violation is not None
        assert violation.kind == row.kind
        said.append(violation.message)
        if row.message in violation.message:
            break
    assert row.message in said[-1], said
    program.write_text(row.program(wrong=False))
    outcome = _found(program, row)
    assert (outcome.verdict, outcome.violation) == ("verified", None)
