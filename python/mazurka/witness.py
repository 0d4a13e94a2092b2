"""Witnesses in SV-COMP's format 2.0: YAML that other tools check.

A violation is a sequence of segments, each of which ends at something that the execution does: what calls of
functions such as ``__VERIFIER_nondet_int`` return, in the order of the execution, and at last the place of
the violation. The format knows no threads, so a validator has to find the schedule by itself. A proof is a
set of invariants, and Mazurka needs none: it has looked at every execution.

Scalars are written as JSON writes them, which YAML reads.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mazurka import __version__
from mazurka.checking.outcome import Outcome
from mazurka.files import read_regular
from mazurka.program import OPEN, SIGNED, Op
from mazurka.report.order import linearise

if TYPE_CHECKING:
    from mazurka.checking.execution import Graph, Violation
    from mazurka.program import Position, Program

_MARKER = re.compile(r'#(?:line)?\s*(?P<line>\d+)(?:\s+"(?P<file>(?:[^"\\]|\\.)*)")?')


def as_witness(outcome: Outcome, files: Sequence[str], *, uuid: str, time: str) -> str | None:
    """The witness for what is known about the property; None if it is neither proved nor refuted.

    ``files`` are those of the program, ``time`` is that of the witness.
    """
    decision = outcome.decision
    if decision is None or decision.holds is None:
        return None
    content: list[Any] = []
    if outcome.violation is not None:
        content = [{"segment": [{"waypoint": point}]} for point in _waypoints(outcome, outcome.violation)]
    metadata = {
        "format_version": "2.0",
        "uuid": uuid,
        "creation_time": time,
        "producer": {"name": "Mazurka", "version": __version__, "configuration": f"--model {outcome.model}"},
        "task": {
            "input_files": list(files),
            "input_file_hashes": {file: hashlib.sha256(read_regular(file)).hexdigest() for file in files},
            "specification": decision.specification,
            "data_model": "LP64",
            "language": "C",
        },
    }
    kind = "invariant_set" if decision.holds else "violation_sequence"
    entry = {"entry_type": kind, "metadata": metadata, "content": content}
    return "\n".join(_yaml([entry])) + "\n"


def _waypoints(outcome: Outcome, violation: Violation) -> Iterator[dict[str, Any]]:
    program = outcome.program
    if violation.graph is not None:
        yield from _choices(program, violation.graph)
    where, function = _target(program, violation)
    location = _location(program, where and _in_input(program, where), function)
    yield {"type": "target", "action": "follow", "location": location}


def _target(program: Program, violation: Violation) -> tuple[Position | None, int]:
    """Where the violation is, and in which function; that of a free during a use is the use."""
    from mazurka.checking.execution import instruction

    is_free = instruction(program, violation.function, violation.pc).op is Op.FREE
    if is_free and violation.kind == "freed" and violation.other is not None and violation.graph is not None:
        return violation.other_location, violation.graph[violation.other].function
    return violation.location, violation.function


def _choices(program: Program, graph: Graph) -> Iterator[dict[str, Any]]:
    """What calls return that leave it open."""
    from mazurka.checking.execution import innermost, instruction

    for ref in linearise(graph):
        event = graph[ref]
        where = innermost(program, event.stack)
        instr = instruction(program, event.function, event.pc)
        if event.kind != "CHOOSE" or not instr.x & OPEN or where is None:
            continue
        half = 1 << instr.width - 1
        value = (event.value ^ half) - half if instr.x & SIGNED else event.value
        yield {
            "type": "function_return",
            "action": "follow",
            "location": _location(program, _end_of_call(program, _in_input(program, where)), event.function),
            "constraint": {"value": f"\\result == {value}", "format": "ext_c_expression"},
        }


def _end_of_call(program: Program, where: Position) -> Position:
    """The closing parenthesis of a call, given its first character."""
    lines = program.sources.get(where.file, "").splitlines()
    depth, opened = 0, False
    for number in range(where.line, min(where.line + 20, len(lines)) + 1):
        text = lines[number - 1]
        for column in range(where.column if number == where.line else 1, len(text) + 1):
            depth += {"(": 1, ")": -1}.get(text[column - 1], 0)
            opened = opened or depth > 0
            if opened and depth == 0:
                return replace(where, line=number, column=column)
    return where


def _location(program: Program, where: Position | None, function: int) -> dict[str, Any]:
    name = program.functions[function].name
    if where is None:
        return {"file_name": next(iter(program.sources), ""), "line": 1, "function": name}
    column = {"column": where.column} if where.column else {}
    return {"file_name": where.file, "line": where.line, **column, "function": name}


def _in_input(program: Program, where: Position) -> Position:
    """The same place in the file that was given: a preprocessed one says where its lines came from."""
    for name, text in program.sources.items():
        if os.path.splitext(name)[1] != ".i":
            continue
        file, line = name, 1
        for number, content in enumerate(text.splitlines(), 1):
            marker = _MARKER.match(content)
            if marker is not None:
                file, line = marker["file"] or file, int(marker["line"])
                continue
            if line == where.line and os.path.basename(file) == os.path.basename(where.file):
                return replace(where, file=name, line=number)
            line += 1
    return where


def _yaml(value: Any, indent: str = "") -> Iterator[str]:
    """The lines of lists and mappings, in block style."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            name = key if re.fullmatch(r"[a-z_]+", key) else json.dumps(key)
            yield from _entry(f"{indent}{name}:", item, indent + "  ")
    else:
        for item in value:
            own = _yaml(item, indent + "  ") if _is_nested(item) else [f"{indent}  {json.dumps(item)}"]
            first, *rest = own
            yield f"{indent}- {first[len(indent) + 2 :]}"
            yield from rest


def _entry(start: str, item: Any, indent: str) -> Iterator[str]:
    if _is_nested(item):
        yield start
        yield from _yaml(item, indent)
    else:
        yield f"{start} {json.dumps(item)}"


def _is_nested(item: Any) -> bool:
    return isinstance(item, (Mapping, Sequence)) and not isinstance(item, str) and bool(item)
