"""Every kind of violation is known to the engine by the same word, documented, and shown by a program."""

from __future__ import annotations

from mazurka import _engine
from mazurka.errors import ErrorCode
from mazurka.expectations import claims
from mazurka.program.kinds import ViolationKind
from mazurka.program.sync_objects import OBJECTS
from mazurka.report.text import KIND_WORDS
from test_cpp_programs import PROGRAMS
from test_programs import RUNNABLE
from tree import ROOT

RULE = "rule"  # the engine's word for the error rules of a model, which name their kinds
# What the engine refuses is reported with an error code; these have no code of their own.
INTERNAL_REASONS = {"dependency", "left-out", "observed", "contended", "buffered", "stuck"}
KINDS = {*(kind.value for kind in ViolationKind), *(item.kind for item in OBJECTS)}


def test_the_engine_has_the_same_kinds() -> None:
    assert [kind.value for kind in ViolationKind] == [k for k in _engine.violation_kinds() if k != RULE]


def test_refusals_are_error_codes() -> None:
    codes = {code.value for code in ErrorCode}
    assert {reason for reason in _engine.refusal_reasons() if reason not in codes} == INTERNAL_REASONS


def test_every_kind_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    table = page.split("## Findings")[1].split("##")[0]
    assert {kind for kind in KINDS if f"`{kind}`" not in table} == set()


def test_every_kind_has_a_title() -> None:
    """What the first line of a report says."""
    assert {kind for kind in ViolationKind if kind not in KIND_WORDS} == set()
    assert [item for item in OBJECTS if not item.title] == []
    assert {item.kind for item in OBJECTS} & KIND_WORDS.keys() == set()


def test_every_kind_is_shown_by_a_program() -> None:
    shown = {claim.result.kind for claim in (*RUNNABLE, *(c for path in PROGRAMS for c in claims(path)))}
    assert KINDS - shown == set()
