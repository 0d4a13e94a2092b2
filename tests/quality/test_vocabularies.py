"""Vocabularies of Programs, Plans and graphs: Python, the engine and the pages have the same names."""

from __future__ import annotations

import re
from enum import IntEnum

import pytest
from mazurka import _engine
from mazurka.kat.meaning.plan import CLASSES, CheckKind, LifetimeOrder, MatrixOp, Symbol, Verdict
from mazurka.program import Mode, RmwOp
from mazurka.reference.running.labels import Kind
from tree import ROOT

VIEWS = {Symbol.VIEW, Symbol.VIEW_LOC}  # where the numbers of views begin


def names(members: type[IntEnum]) -> list[str]:
    """The names by number; a number that is missing or used twice is an error."""
    known = {int(member): name for name, member in members.__members__.items() if member not in VIEWS}
    assert sorted(known) == list(range(len(members) - len(VIEWS & set(members))))
    return [known[number] for number in sorted(known)]


OF_PROGRAMS = {"modes": names(Mode), "rmw operations": names(RmwOp)}  # the engine's are made from these
OF_GRAPHS = {"event labels": [kind.value for kind in Kind]}
OF_PLANS = {
    "event classes": list(CLASSES),
    "relations": names(Symbol),
    "matrix instructions": names(MatrixOp),
    "verdicts": names(Verdict),
    "checks": names(CheckKind),
    "lifetime orders": names(LifetimeOrder),
}


def test_the_engine_has_the_same_vocabularies() -> None:
    """All of them: one that is not compared is missed here."""
    assert dict(_engine.vocabularies()) == OF_GRAPHS | OF_PLANS
    assert _engine.first_views() == [Symbol.VIEW, Symbol.VIEW_LOC]


def documented(page: str, heading: str) -> list[str]:
    """The names in the table of a reference page whose first two columns have these headings."""
    text = (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")
    _, begun, table = text.partition(f"| {heading} |")
    assert begun, f"{page} has no table of {heading}"
    rows = [line for line in table.split("\n\n")[0].splitlines() if re.match(r"\| \d", line)]
    found: list[str] = []
    for row in rows:
        first, last = re.match(r"\| (\d+)(?:–(\d+))? \|", row).groups()  # type: ignore[union-attr]
        words = re.findall(r"`([^`]+)`", row.split(" | ")[1])
        assert (int(first), int(last or first)) == (len(found), len(found) + len(words) - 1), row
        found += words
    return found


PAGES = {
    "modes": ("bytecode.md", "numbers | modes"),
    "rmw operations": ("bytecode.md", "numbers | operations of `RMW`"),
    "event classes": ("plan.md", "numbers | classes"),
    "relations": ("plan.md", "number | symbol"),
    "matrix instructions": ("plan.md", "number | instruction"),
    "verdicts": ("plan.md", "number | verdict"),
    "checks": ("plan.md", "number | check"),
    "lifetime orders": ("plan.md", "number | lifetime order"),
}


@pytest.mark.parametrize("table", [*OF_PROGRAMS, *OF_PLANS])
def test_the_reference_pages_have_the_same_vocabularies(table: str) -> None:
    assert documented(*PAGES[table]) == (OF_PROGRAMS | OF_PLANS)[table]


def test_the_page_of_json_has_all_labels() -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| `kind` | all |")]
    assert re.findall(r"`([A-Z]+)`", row) == OF_GRAPHS["event labels"]
