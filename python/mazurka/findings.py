"""From what the engine found to a Violation: in terms of objects, accesses and the model's rules.

An error rule of the model (a race) names two accesses that nothing orders; both are said with their place,
their thread and what they access.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mazurka.execution import Event, EventRef, Graph, Violation, instruction, location, position
from mazurka.objects import access_size, allocations, bad_access, bad_free, thread_name
from mazurka.outcome import Cut, Found, InitialObject
from mazurka.planning import Rule
from mazurka.printf import render
from mazurka.program import NO_POSITION, Mode, Position, Program

RULE = "rule"  # the engine's word for a broken error rule; the model says what kind of violation it is
_KIND_NAMES = {"race": "data race"}
_MODES = {Mode.NA: "plain", Mode.RLX: "relaxed", Mode.ACQ: "acquire", Mode.REL: "release"}
_MODES |= {Mode.ACQ_REL: "acquire-release", Mode.SC: "seq_cst"}
_RELEASES = frozenset({Mode.REL, Mode.ACQ_REL, Mode.SC})
_ACQUIRES = frozenset({Mode.ACQ, Mode.ACQ_REL, Mode.SC})


def found(program: Program, result: Mapping[str, Any], rules: Sequence[Rule]) -> Found:
    """All that the engine found, told in terms of the program."""
    return Found(
        violation=violation(program, result, rules) if result["status"] == "violation" else None,
        warnings=rule_warnings(program, result, rules),
        bounds=tuple(_cut(program, *cut) for cut in result["cuts"]),
        output=tuple((thread, render(program, operands)) for thread, operands in result["output"]),
        graphs=tuple(Graph.from_engine(graph) for graph in result["graphs"]),
    )


def _cut(program: Program, loop: int, function: int, pc: int) -> Cut:
    at = program.loops[loop].position
    where = position(program, function, pc) if at == NO_POSITION else program.positions[at]
    name = program.loops[loop].function
    return Cut(name, where.file, where.line) if where else Cut(name, "", 0)


def graph_of(result: Mapping[str, Any]) -> Graph | None:
    """The graph of a finding."""
    return None if result["graph"] is None else Graph.from_engine(result["graph"])


def violation(program: Program, result: Mapping[str, Any], rules: Sequence[Rule]) -> Violation:
    """The violation that the engine found."""
    finding, graph = result["finding"], graph_of(result)
    other = None if finding["other"] is None else (finding["other"][0], finding["other"][1])
    facts = {
        "location": location(program, finding),
        "thread": finding["thread"],
        "function": finding["function"],
        "pc": finding["pc"],
        "stack": tuple((function, pc) for function, pc in finding["stack"]),
        "other": other,
        "other_location": None if graph is None or other is None else _where(program, graph[other]),
        "graph": graph,
    }
    if finding["kind"] == RULE and graph is not None and other is not None:
        return Violation(**facts, **_broken(program, graph, finding, other, rules[finding["rule"]]))
    return Violation(kind=finding["kind"], message=_message(program, result, graph), **facts)


def _message(program: Program, result: Mapping[str, Any], graph: Graph | None) -> str:
    """The engine's message; an address that it names is said in terms of the objects around it."""
    finding = result["finding"]
    address, kind = finding.get("address"), finding["kind"]
    near = None
    if address is not None and kind in ("unallocated", "invalid-free"):
        objects = allocations((InitialObject(*item) for item in result["objects"]), graph)
        size = finding.get("size") or access_size(program, finding["function"], finding["pc"])
        if kind == "unallocated":
            near = bad_access(program, address, size, objects)
        else:
            near = bad_free(program, address, objects)
    return str(near or finding["message"])


def _broken(
    program: Program, graph: Graph, finding: Mapping[str, Any], other: EventRef, rule: Rule
) -> dict[str, Any]:
    """What a broken error rule says: which two accesses, and what is missing between them."""
    here = _access(graph, finding)
    name = _KIND_NAMES.get(rule.kind, rule.kind)
    what = _place_name(program, graph[here]) or _place_name(program, graph[other]) or "the same bytes"
    first = _says(program, graph, here, what)
    second = _says(program, graph, other, "it")
    where = _where(program, graph[other])
    at = f"{thread_name(other[0])}:{where.line}" if where else thread_name(other[0])
    return {
        "kind": rule.kind,
        "message": f"{name}: {first}, {second}, and nothing orders the two",
        "brief": f"{name} with {at}",
        "missing": f"neither comes before the other in {_order(rule)}: {_gap(program, graph, here, other)}",
        "event": here,
    }


def _gap(program: Program, graph: Graph, one: EventRef, two: EventRef) -> str:
    """What is missing on the way from one access to the other: a message between them that is too weak."""
    message = _message_between(graph, one, two) or _message_between(graph, two, one)
    if message is None:
        return "no path leads from one to the other"
    write, read = message
    sent, received = graph[write], graph[read]
    what = _place_name(program, received) or "what the other wrote"
    weak = [_weak(sent, "write", _RELEASES, "release"), _weak(received, "read", _ACQUIRES, "acquire")]
    return (
        f"{thread_name(read[0])} reads {what}{_at(program, received)} from {thread_name(write[0])}'s write"
        f"{_at(program, sent)} in between, which orders nothing"
        + "".join(f"; {said}" for said in weak if said)
    )


def _message_between(graph: Graph, first: EventRef, last: EventRef) -> tuple[EventRef, EventRef] | None:
    """A write after the first access in its thread, and who reads it before the last: the latest pair."""
    for index in reversed(range(last[1])):
        source = graph[last[0], index].rf
        if source is not None and source[0] == first[0] and source[1] > first[1]:
            return source, (last[0], index)
    return None


def _weak(event: Event, kind: str, enough: frozenset[Mode], wanted: str) -> str:
    return "" if event.mode in enough else f"the {kind} is {_MODES[event.mode]}, not {wanted}"


def _at(program: Program, event: Event) -> str:
    where = _where(program, event)
    return f" at {where.file}:{where.line}" if where else ""


def _order(rule: Rule) -> str:
    return "the model's happens-before (hb)" if rule.order == "hb" else f"the model's order {rule.order}"


def _access(graph: Graph, finding: Mapping[str, Any]) -> EventRef:
    """The access that broke the rule: the last one of its thread at that instruction."""
    thread, place = finding["thread"], (finding["function"], finding["pc"])
    events = graph.threads[thread].events
    accesses = [i for i, event in enumerate(events) if event.kind in ("R", "W")]
    there = [i for i in accesses if (events[i].function, events[i].pc) == place]
    return thread, (there or accesses)[-1]


def _says(program: Program, graph: Graph, ref: EventRef, what: str) -> str:
    """``T1 writes x at a.c:7``; an atomic access is called one, as the other then is the plain one."""
    event = graph[ref]
    verb = "reads" if event.kind == "R" else "writes"
    how = "" if event.mode == Mode.NA else " atomically"
    return f"{thread_name(ref[0])} {verb} {what}{how}{_at(program, event)}"


def _where(program: Program, event: Event) -> Position | None:
    return position(program, event.function, event.pc)


def _place_name(program: Program, event: Event) -> str:
    from mazurka.frontend.naming import name_of

    expr = instruction(program, event.function, event.pc).expr
    return name_of(program, event.address, event.size) or expr


def rule_warnings(program: Program, result: Mapping[str, Any], rules: Sequence[Rule]) -> tuple[str, ...]:
    """What rules that only warn found: each rule once, with the two places."""
    found: dict[str, str] = {}
    for number, stacks in result["warnings"]:
        places = [location(program, _as_finding(stack)) for stack in stacks]
        shown = sorted(f"{p.file}:{p.line}" if p else "an unknown place" for p in places)
        rule = rules[number]
        text = f"{rule.name}: nothing orders the accesses at {shown[0]} and {shown[1]}"
        found.setdefault(rule.name, text)
    return tuple(found.values())


def _as_finding(stack: Sequence[tuple[int, int]]) -> dict[str, Any]:
    function, pc = stack[0]
    return {"function": function, "pc": pc, "stack": stack}
