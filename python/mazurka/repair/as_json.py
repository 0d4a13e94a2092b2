"""The answers of ``fix`` and ``tune`` for programs: one JSON object. ``docs/reference/json.md`` has each key.

I1: keys are added, never renamed.
"""

from __future__ import annotations

from typing import Any

from mazurka import __version__
from mazurka.checking.outcome import Outcome
from mazurka.repair.answer import Repair
from mazurka.repair.ownfiles import shown
from mazurka.repair.patch import Change
from mazurka.repair.trials import Finding
from mazurka.report.as_json import dumped, outcome_as_object


def repair_as_json(repair: Repair, *, command: str, written: bool, seconds: float) -> str:
    """The answer of a command, ending in a newline; ``written`` says whether the files were changed."""
    return dumped(
        {
            "command": command,
            "result": repair.result,
            "model": repair.before.model,
            "changes": [_change(change) for change in repair.changes],
            "patch": repair.patch,
            "written": written,
            "needed": [{**need._asdict(), "finding": _finding(need.finding)} for need in repair.needs],
            "left": None if repair.left is None else {**_finding(repair.left), "fenced": repair.fenced},
            "orderings": repair.orderings,
            "variants": repair.variants,
            "unchangeable": repair.unchangeable or None,
            "limit": repair.limit or None,
            "before": outcome_as_object(repair.before),
            "after": None if repair.after is None else _after(repair.after),
            "seconds": round(seconds, 6),
            "version": __version__,
        }
    )


def _change(change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "file": change.file,
        "line": change.line,
        "call": change.call,
        "from": change.before,
        "to": change.after,
        "where": change.where or None,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    where = (shown(finding.file), finding.line) if finding.line else (None, None)
    return {"kind": finding.kind, "file": where[0], "line": where[1]}


def _after(outcome: Outcome) -> dict[str, Any]:
    """What a check of the changed program counts; places in it are those of a temporary copy."""
    known = outcome_as_object(outcome)
    return {key: known[key] for key in ("verdict", "executions", "vacuous")}
