"""The answers of ``mazurka prove`` as JSON: a list, one object per claim.

``docs/reference/json.md`` describes each key.
I1: keys are added, never renamed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from mazurka import __version__
from mazurka.counterexamples import Counterexample, counterexample, word_text
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.terms import Span
from mazurka.prover import Answer, Proved, Refuted, Unknown
from mazurka.prover.questions.topics import Question, Topic
from mazurka.report.as_json import encodable
from mazurka.report.candidate import other_relations

_RESULTS = {Proved: "proved", Refuted: "refuted", Unknown: "unknown"}


def proofs_as_json(answered: Iterable[tuple[Topic, Question, Answer]]) -> str:
    """Claims and answers as a JSON list, ending in a newline."""
    found = [_object(topic, question, answer) for topic, question, answer in answered]
    return encodable(json.dumps(found, indent=2, ensure_ascii=False)) + "\n"


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
        "assumptions_exact": answer.exact if isinstance(answer, Proved) else None,
        "assumptions_satisfiable": answer.satisfiable if isinstance(answer, Proved) else None,
        "reason": answer.reason if isinstance(answer, Unknown) else None,
        "missing": list(answer.missing) if isinstance(answer, Unknown) else [],
        "notes": list(topic.notes),
        "version": __version__,
    }


def _location(span: Span | None) -> dict[str, Any] | None:
    return None if span is None else {"file": span.path, "line": span.line, "column": span.column}


def _counterexample(question: Question, answer: Answer) -> dict[str, Any] | None:
    if not isinstance(answer, Refuted):
        return None
    assert question.query is not None, "only a query can be refuted"
    example = counterexample(question.query, answer)
    return {
        "word": word_text(example),
        "cyclic": answer.cyclic,
        "side": answer.side,
        "steps": [
            {"relation": step.relation, "inverse": step.inverse, "from": a, "to": b}
            for a, step, b in example.steps()
        ],
        "graph": _graph(example),
    }


def _graph(example: Counterexample) -> dict[str, Any]:
    threads = {event: thread for thread, events in enumerate(example.threads, 1) for event in events}
    return {
        "events": [_event(example, event, threads.get(event)) for event in range(example.graph.size)],
        "relations": {
            name: [list(pair) for pair in example.pairs(name)]
            for name in ("po", "rf", "co", "fr", "rmw", *other_relations(example))
        },
    }


def _event(example: Counterexample, event: int, thread: int | None) -> dict[str, Any]:
    """An event; an initial write belongs to no thread."""
    shown, kind = example.events[event], example.graph.kinds[event]
    return {
        "thread": thread,
        "class": CLASSES[kind.number],
        "predicates": sorted(kind.extra),
        "location": shown.place or None,
        "value": shown.value if shown.place else None,
    }
