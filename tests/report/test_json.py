"""The JSON contract: these keys, and no other spelling of them."""

from __future__ import annotations

import json

import pytest
from executions import FILE, message_passing, outcome, violation
from mazurka import __version__
from mazurka.checking.bounds import Cut
from mazurka.checking.outcome import Stop
from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.report import as_json, error_as_json
from mazurka.report.text import headline

KEYS = {
    "verdict",
    "model",
    "title",
    "model_file",
    "equivalence",
    "executions",
    "fraction",
    "stopped_by",
    "vacuous",
    "violation",
    "warnings",
    "axioms",
    "simplified",
    "mixed_sizes",
    "property",
    "expected_outcome",
    "bounds",
    "seconds",
    "output",
    "version",
}


def test_a_verified_program() -> None:
    value = json.loads(as_json(outcome()))
    assert set(value) == KEYS
    assert value["verdict"] == "verified"
    explored = {"complete": 3, "blocked": 1}
    assert value["executions"] == {"complete": 3, "blocked": 1, "explored": explored}
    assert value["violation"] is None
    assert value["seconds"] == {"frontend": 0.02, "explore": 0.01}
    assert value["version"] == __version__


def test_a_violation_carries_place_and_graph() -> None:
    found = json.loads(as_json(outcome(violation(message_passing()))))["violation"]
    assert found["kind"] == "assertion"
    assert found["location"] == {"file": FILE, "line": 22, "column": 3}
    threads = found["graph"]["threads"]
    assert [t["function"] for t in threads] == ["main", "writer", "reader"]
    first = threads[2]["events"][0]
    assert (first["kind"], first["value"], first["rf"], first["place"]) == ("R", 1, [1, 1], "flag")
    assert first["location"]["line"] == 20
    assert found["graph"]["co"][0]["writes"] == [[1, 0]]


def test_bounds_and_output() -> None:
    value = json.loads(
        as_json(outcome(verdict="bounded", bounds=(Cut("loop", "f", FILE, 3, 4),), output=((1, "hi"),)))
    )
    assert value["bounds"] == [{"kind": "loop", "function": "f", "file": FILE, "line": 3, "bound": 4}]
    assert value["output"] == [{"thread": 1, "text": "hi"}]


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (Stop("time-limit", 2.5), "--time-limit 2.5"),
        (Stop("max-executions", 1_000_000), "--max-executions 1000000"),
        (Stop("memory-limit", 64 << 20), "the memory limit of 64 MiB"),
        (Stop("memory"), "the system, which has no more memory"),
        (Stop("time-budget", 600), "the time budget of 600 s"),
        (Stop("signal"), "Ctrl-C or another signal"),
    ],
)
def test_what_stopped_a_check(stop: Stop, words: str) -> None:
    found = outcome(verdict="interrupted", stopped_by=stop)
    assert json.loads(as_json(found))["stopped_by"] == {"what": stop.what, "limit": stop.limit}
    assert f"did not finish: stopped by {words} (" in headline(found)


def test_an_error_has_no_verdict() -> None:
    error = SourceError(ErrorCode.NO_MAIN, "no main", place=Place("a.c", 1), hint="write one")
    value = json.loads(error_as_json(error))
    assert "verdict" not in value
    assert value["error"] == {
        "code": "no-main",
        "message": "no main",
        "location": {"file": "a.c", "line": 1, "column": 0},
        "hint": "write one",
    }
