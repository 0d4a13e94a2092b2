"""The answers of ``mazurka prove`` as JSON: a list, one object a claim.

``docs/reference/json.md`` describes each key.
I1: keys are added, never renamed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from mazurka import __version__
from mazurka.kat.plan import CLASSES
from mazurka.kat.terms import Span
from mazurka.prover import Answer, Proved, Refuted, Step, Unknown
from mazurka.prover.topics import Question, Topic
from mazurka.report.candidate import Counterexample, counterexample

_RESULTS = {Proved: "proved", Refuted: "refuted", Unknown: "unknown"}


def proofs_as_json(answered: Iterable[tuple[Topic, Question, Answer]]) -> str:
    """Claims and answers as a JSON list, ending in a newline."""
    found = [_object(topic, question, answer) for topic, question, answer in answered]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _object(topic: Topic, question: Question, answer: Answer) -> dict[str, Any]:
    return {
        "name": question.name,
        "result": _RESULTS[type(answer)],
        "counterexample": _counterexample(question, answer),
        "seconds": round(answer.seconds, 6),
        "topic": topic.title or None,
        "claim": question.text,
        "location": _location(question.span),
        "assumptions": [_location(s) for s in answer.assumptions] if isinstance(answer, Proved) else None,
        "reason": answer.reason if isinstance(answer, Unknown) else None,
        "missing": list(answer.missing) if isinstance(answer, Unknown) else [],
        "version": __version__,
    }


def _location(span: Span | None) -> dict[str, Any] | None:
    return None if span is None else {"file": span.path, "line": span.line, "column": span.column}


def _counterexample(question: Question, answer: Answer) -> dict[str, Any] | None:
    if not isinstance(answer, Refuted):
        return None
    assert question.query is not None, "only a query can be refuted"
    shown = counterexample(question.query, answer)
    return {
        "word": shown.word(),
        "cyclic": answer.cyclic,
        "side": answer.side,
        "steps": [_step(step) for step in answer.word],
        "graph": _graph(shown),
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "relation": step.relation,
        "inverse": step.inverse,
        "before": sorted(step.before),
        "after": sorted(step.after),
    }


def _graph(shown: Counterexample) -> dict[str, Any]:
    graph = shown.graph
    numbers = {event: thread for thread, events in enumerate(shown.threads, 1) for event in events}
    size = range(graph.size)
    return {
        "events": [
            {
                "thread": numbers.get(event),  # null: an initial write
                "class": CLASSES[graph.kinds[event].number],
                "predicates": sorted(graph.kinds[event].extra),
                "location": shown.locations.get(graph.locations[event]),
                "value": shown.values.get(event),
            }
            for event in size
        ],
        "relations": {
            name: [[a, b] for a in size for b in size if graph.relations[name][a] >> b & 1]
            for name in ("po", "rf", "co", "fr", "rmw", *shown.others)
        },
    }
