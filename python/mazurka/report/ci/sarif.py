"""Checks as a SARIF 2.1.0 log, the format of findings that code hosts show beside the source.

Each kind of violation is a rule. A violation is a result: its place, the places of the other events that are
involved, and a code flow, which has one thread flow per thread; ``executionOrder`` numbers the steps in the
order of the report. A bound that was reached and a time limit that passed are results of rules of their own.
An error is a notification of the invocation, which then was not successful.

A result without a place of its own is at the first line of the program's first file.
Paths below the working directory are relative to ``%SRCROOT%``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from mazurka import __version__
from mazurka.checking.execution import Violation
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.checking.wrappers import location
from mazurka.errors import MazurkaError, Place
from mazurka.program import Position
from mazurka.report.ci import Case
from mazurka.report.other import other_event
from mazurka.report.steps import StoryStep, tell, title
from mazurka.report.text import cut_words, headline, kind_words
from mazurka.report.violation import help_page

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_OPEN = {
    "bounded": "no violation was found, but a bound cut the exploration",
    "interrupted": "no violation was found, but the exploration did not finish",
    "unexpected": "the answer is not the expected one",
}
_JSON = dict[str, Any]


def as_sarif(cases: Sequence[Case], *, folder: str, status: int) -> str:
    """A log of one run, ending in a newline; ``folder`` is the one that relative paths start from."""
    rules: dict[str, _JSON] = {}
    results = [result for case in cases for result in _results(case, rules)]
    places = {rule: index for index, rule in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = places[result["ruleId"]]
    run = {
        "tool": {
            "driver": {
                "name": "Mazurka",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": list(rules.values()),
            }
        },
        "originalUriBaseIds": {_ROOT: {"uri": _uri(folder.rstrip("/") + "/")}},
        "invocations": [_invocation(cases, status)],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _invocation(cases: Sequence[Case], status: int) -> _JSON:
    errors = [case.error for case in cases if case.error is not None]
    warnings = [(case, text) for case in cases if case.outcome for text in case.outcome.warnings]
    return {
        "executionSuccessful": not errors,
        "exitCode": status,
        "toolExecutionNotifications": [
            *map(_notification, errors),
            *({"level": "warning", "message": {"text": f"{case.name}: {text}"}} for case, text in warnings),
        ],
    }


def _notification(error: MazurkaError) -> _JSON:
    text = f"{error.message}\n{error.hint}" if error.hint else error.message
    found = {"level": "error", "descriptor": {"id": error.code.value}, "message": {"text": text}}
    return {**found, "locations": [_location(error.place)]} if error.place else found


def _results(case: Case, rules: dict[str, _JSON]) -> Iterator[_JSON]:
    """What there is to say about a check: at most one result."""
    outcome = case.outcome
    if outcome is None:
        return
    if outcome.violation is not None:
        result = _violation(case, outcome, outcome.violation, rules)
        if case.is_good:
            why = f"expected: {case.expected}"
            result["suppressions"] = [{"kind": "external", "justification": why}]
        yield result
    elif not case.is_good:
        rule = outcome.verdict if outcome.verdict in _OPEN else "unexpected"
        rules.setdefault(rule, _rule(rule, _OPEN[rule], None))
        parts = [case.complaint, headline(outcome), *map(cut_words, outcome.bounds)]
        cuts = [_location(Place(cut.file, cut.line)) for cut in outcome.bounds if cut.file]
        places = cuts or [_location(Place(one["file"], one["line"])) for one in case.cycle if one["file"]]
        yield {
            "ruleId": rule,
            "level": "warning",
            "message": {"text": f"{case.name}: {'; '.join(filter(None, parts))}"},
            "locations": places[:1] or _somewhere(case),
            **({"relatedLocations": cuts[1:]} if cuts[1:] else {}),
            **({"codeFlows": [_cycle_flow(case.cycle)]} if case.cycle else {}),
            "properties": _about(case, outcome),
        }


def _cycle_flow(cycle: Sequence[Mapping[str, Any]]) -> _JSON:
    """A cycle as steps in one order: it goes from thread to thread, and back to where it began."""
    steps = []
    for order, event in enumerate(cycle, 1):
        who = "" if event["thread"] is None else f"{thread_name(event['thread'])}: "
        leads = f"  --{event['relation']}-->" if event["relation"] else ""
        text = f"{who}{event['access']}{leads}"
        is_known = event["file"] is not None
        place = (
            _location(Place(event["file"], event["line"]), text) if is_known else {"message": {"text": text}}
        )
        steps.append({"executionOrder": order, "importance": "essential", "location": place})
    return {"message": {"text": "The cycle that the model excludes"}, "threadFlows": [{"locations": steps}]}


def _rule(name: str, words: str, page: str | None) -> _JSON:
    rule: _JSON = {
        "id": name,
        "shortDescription": {"text": words},
        "defaultConfiguration": {"level": "warning" if name in _OPEN else "error"},
    }
    return {**rule, "help": {"text": f"{words}: see {page}"}} if page else rule


def _violation(case: Case, outcome: Outcome, violation: Violation, rules: dict[str, _JSON]) -> _JSON:
    kind, page = violation.kind, help_page(outcome.program, violation.kind)
    rules.setdefault(kind, _rule(kind, kind_words(outcome, kind), page))
    text = f"{violation.message} (under {outcome.model})"
    related = list(_related(outcome, violation))
    flows = _code_flow(outcome, violation)
    return {
        "ruleId": kind,
        "level": "error",
        "message": {"text": f"{text}\n{violation.missing}" if violation.missing else text},
        "locations": [_location(violation.location)] if violation.location else _somewhere(case),
        **({"relatedLocations": related} if related else {}),
        **({"codeFlows": [flows]} if flows else {}),
        "partialFingerprints": {"mazurka/v1": _fingerprint(case, outcome, violation)},
        "properties": _about(case, outcome),
    }


def _about(case: Case, outcome: Outcome) -> _JSON:
    counts = {"complete": outcome.complete, "blocked": outcome.blocked}
    return {"program": case.name, "model": outcome.model, "verdict": outcome.verdict, "executions": counts}


def _fingerprint(case: Case, outcome: Outcome, violation: Violation) -> str:
    """The same for a violation whose line has only moved."""
    where = violation.location
    lines = outcome.program.sources.get(where.file, "").splitlines() if where else []
    line = lines[where.line - 1].strip() if where and 0 < where.line <= len(lines) else ""
    parts = case.name, outcome.model, violation.kind, where.file if where else "", line
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _related(outcome: Outcome, violation: Violation) -> Iterator[_JSON]:
    """The places of the other events: the second access, and where other threads wait."""
    if violation.other is not None and violation.other_location is not None and violation.graph is not None:
        words = [*other_event(outcome.program, violation, violation.graph, violation.other)]
        text = words[0].strip() if words else f"the other event, by {thread_name(violation.other[0])}"
        yield {"id": 0, **_location(violation.other_location, text)}
    waits = (wait for wait in violation.waits if wait.thread != violation.thread)
    for number, wait in enumerate(waits, 1):
        where = location(outcome.program, wait.stack)
        if where is not None:
            yield {"id": number, **_location(where, f"{thread_name(wait.thread)} waits here")}


def _code_flow(outcome: Outcome, violation: Violation) -> _JSON | None:
    """The execution as the report shows it, thread by thread."""
    graph = violation.graph
    if graph is None or not any(thread.events for thread in graph.threads):
        return None
    steps = tell(outcome, violation, graph).steps
    flows = []
    for thread in dict.fromkeys(step.thread for step in steps):
        shown = [_step(order, step) for order, step in enumerate(steps, 1) if step.thread == thread]
        name = title(outcome.program, graph, thread)
        flows.append({"id": thread_name(thread), "message": {"text": name}, "locations": shown})
    return {"message": {"text": "The execution, step by step"}, "threadFlows": flows}


_IMPORTANCE = {"plain": "important", "fold": "unimportant", "fail": "essential"}


def _somewhere(case: Case) -> list[_JSON]:
    """A place for a result without one, which code hosts would not accept: where the program begins."""
    return [_location(Place(case.file, 1))] if case.file else []


def _step(order: int, step: StoryStep) -> _JSON:
    text = f"{step.text}  {step.note}" if step.note else step.text
    place = _location(step.where, text) if step.where else {"message": {"text": text}}
    return {"executionOrder": order, "importance": _IMPORTANCE[step.style], "location": place}


def _location(where: Position | Place, text: str = "") -> _JSON:
    region = {"startLine": where.line, "startColumn": where.column}
    known = {name: number for name, number in region.items() if number > 0 and where.line > 0}
    physical: _JSON = {"artifactLocation": _artifact(where.file)}
    if known:
        physical["region"] = known
    return {"physicalLocation": physical, **({"message": {"text": text}} if text else {})}


def _artifact(path: str) -> _JSON:
    if os.path.isabs(path) or path.startswith(".."):
        return {"uri": _uri(os.path.abspath(path))}
    return {"uri": quote(os.fsencode(os.path.normpath(path))), "uriBaseId": _ROOT}


def _uri(path: str) -> str:
    return "file://" + quote(os.fsencode(path))
