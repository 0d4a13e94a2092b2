"""The report for programs: one JSON object. ``docs/reference/json.md`` describes each key.

I1: keys are added, never renamed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mazurka import __version__
from mazurka.checking.outcome import Outcome
from mazurka.errors import MazurkaError

if TYPE_CHECKING:
    from mazurka.checking.execution import Event, Graph, Part, Thread, Violation
    from mazurka.checking.refusals import RefusedError
    from mazurka.checking.sizes import MixedSizes
    from mazurka.program import Position, Program


def as_json(outcome: Outcome, *, explain: bool = False, expected: Mapping[str, Any] | None = None) -> str:
    """An Outcome as one JSON object, ending in a newline; with ``explain`` it has ``loops``.

    ``expected`` says what is known about an outcome that the user expects.
    """
    return dumped(outcome_as_object(outcome, explain=explain, expected=expected))


def outcome_as_object(
    outcome: Outcome, *, explain: bool = False, expected: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The same as an object."""
    return {
        "verdict": outcome.verdict,
        "model": outcome.model,
        "title": outcome.title,
        "model_file": outcome.model_file,
        "equivalence": outcome.equivalence,
        "executions": {
            "complete": outcome.complete,
            "blocked": outcome.blocked,
            "explored": _explored(outcome),
        },
        "fraction": outcome.fraction,
        "stopped_by": outcome.stopped_by and outcome.stopped_by._asdict(),
        "vacuous": outcome.vacuous,
        "violation": outcome.violation and _violation(outcome.program, outcome.violation),
        "warnings": list(outcome.warnings),
        "axioms": [{"name": axiom.name, "forbade": axiom.forbade} for axiom in outcome.axioms],
        "simplified": outcome.simplified,
        "mixed_sizes": outcome.mixed_sizes and _mixed_sizes(outcome.mixed_sizes),
        "property": outcome.decision and outcome.decision._asdict(),
        "expected_outcome": expected,
        "bounds": [cut._asdict() for cut in outcome.bounds],
        "seconds": {
            "frontend": round(outcome.seconds_frontend, 6),
            "explore": round(outcome.seconds_explore, 6),
        },
        "output": [{"thread": thread, "text": text} for thread, text in outcome.output],
        **(_loops(outcome) if explain else {}),
        "version": __version__,
    }


def _mixed_sizes(met: MixedSizes) -> dict[str, Any]:
    return {"accesses": [access._asdict() for access in met.accesses], "sections": met.sections}


def _loops(explained: Outcome | RefusedError) -> dict[str, Any]:
    if isinstance(explained, Outcome) and explained.compiled is None:
        return {"loops": []}
    from mazurka.report.loops import explained_loops

    loops = explained_loops(explained.program, explained.keeps_rounds, explained.loop_facts)
    return {"loops": [loop._asdict() for loop in loops]}


def error_as_json(error: MazurkaError, *, explain: bool = False) -> str:
    """An error as one JSON object: it has ``error`` instead of ``verdict``.

    With ``explain`` it has the ``loops`` of a program that was refused.
    """
    from mazurka.checking.refusals import RefusedError  # late: most checks have no errors

    place = error.place
    location = {"file": place.file, "line": place.line, "column": place.column} if place else None
    return dumped(
        {
            "error": {
                "code": str(error.code),
                "message": error.message,
                "location": location,
                "hint": error.hint,
            },
            **(_loops(error) if explain and isinstance(error, RefusedError) else {}),
            "version": __version__,
        }
    )


def dumped(value: dict[str, Any]) -> str:
    """An object as text, ending in a newline."""
    return encodable(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def encodable(text: str) -> str:
    """JSON in which file names that are not UTF-8 survive reading it back."""
    return text.encode("utf-8", "backslashreplace").decode()


def _violation(program: Program, violation: Violation) -> dict[str, Any]:
    from mazurka.report.violation import help_page, reasons  # late: only for a violation

    return {
        "kind": violation.kind,
        "message": violation.message,
        "help": help_page(program, violation.kind),
        "location": _location(violation.location),
        "thread": violation.thread,
        "other": _other(violation),
        "missing": violation.missing or None,
        "because": [{"thread": thread, "index": index} for thread, index in reasons(program, violation)],
        "waits": _waits(program, violation),
        "graph": None if violation.graph is None else graph_as_json(program, violation.graph),
    }


def _waits(program: Program, violation: Violation) -> list[dict[str, object]]:
    from mazurka.report.waits import wait_objects  # late: few violations have any

    return wait_objects(program, violation) if violation.waits else []


def _other(violation: Violation) -> dict[str, Any] | None:
    if violation.other is None:
        return None
    thread, index = violation.other
    place = _location(violation.other_location) or {"file": None, "line": None, "column": None}
    return {**place, "thread": thread, "index": index}


def _location(where: Position | None) -> dict[str, Any] | None:
    return None if where is None else {"file": where.file, "line": where.line, "column": where.column}


def graph_as_json(program: Program, graph: Graph) -> dict[str, Any]:
    """An execution as an object."""
    from mazurka.report.steps import entry_function  # late: only a violation has a graph

    return {
        "threads": [
            {
                "function": entry_function(program, graph, t),
                "parent": thread.parent,
                "created_by": thread.created_by,
                "status": thread.status,
                "spins_in": _loop_location(program, thread),
                "events": [_event(program, event) for event in thread.events],
            }
            for t, thread in enumerate(graph.threads)
        ],
        "co": [{"address": c.address, "size": c.size, "writes": c.writes} for c in graph.co],
    }


def _loop_location(program: Program, thread: Thread) -> dict[str, Any] | None:
    from mazurka.checking.execution import loop_position

    return None if thread.spins_in is None else _location(loop_position(program, thread.spins_in))


def _explored(outcome: Outcome) -> dict[str, int]:
    """How many executions were explored: all, if none stands for others."""
    if outcome.explored is not None:
        return outcome.explored._asdict()
    return {"complete": outcome.complete, "blocked": outcome.blocked}


_FIELDS = {
    "R": ("address", "size", "value", "exclusive", "section", "rf"),
    "W": ("address", "size", "value", "exclusive", "section"),
    "F": (),
    "ALLOC": ("address", "size"),
    "FREE": ("address",),
    "CREATE": ("other",),
    "JOIN": ("other",),
    "ARRIVE": ("address", "round"),
    "DEPART": ("address", "round"),
    "CHOOSE": ("value",),
}
_ATTRIBUTES = {"round": "value"}


def _event(program: Program, event: Event) -> dict[str, Any]:
    from mazurka.checking.execution import instruction
    from mazurka.checking.wrappers import location

    return {
        "kind": event.kind,
        "mode": event.mode.name.lower(),
        "location": _location(location(program, event.stack)),
        "calls": [_call(program, *call) for call in event.stack],
        "place": instruction(program, event.function, event.pc).expr or None,
        "stamp": event.stamp,
        **{name: getattr(event, _ATTRIBUTES.get(name, name)) for name in _FIELDS[event.kind]},
        **({"parts": [_part(part) for part in event.parts]} if event.kind in ("R", "W") else {}),
        "depends": None if event.depends is None else event.depends._asdict(),
    }


def _call(program: Program, function: int, pc: int) -> dict[str, Any]:
    from mazurka.checking.execution import position

    return {
        "function": program.functions[function].name,
        "location": _location(position(program, function, pc)),
    }


def _part(part: Part) -> dict[str, Any]:
    return {"address": part.address, "size": part.size, "value": part.value, "rf": part.write}
