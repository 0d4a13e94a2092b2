"""Turns what the engine found into a Violation, in terms of objects, accesses and the model's rules.

For a broken error rule of the model (a race), the message describes both unordered accesses: place, thread
and what they access.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mazurka.cache.plans import ReadyRule
from mazurka.checking.bounds import Bounds, Cut
from mazurka.checking.execution import (
    Event,
    EventRef,
    Graph,
    Seen,
    Violation,
    Wait,
    instruction,
    operation_of,
    position,
)
from mazurka.checking.objects import (
    Allocation,
    access_size,
    allocations,
    bad_access,
    bad_free,
    bad_private_access,
    bad_private_free,
    bad_stray_access,
    byte_range,
    count,
    part_of,
    thread_name,
)
from mazurka.checking.ordering import Gap, Message, Way, closest_way
from mazurka.checking.outcome import Found, InitialObject
from mazurka.checking.sources import UNREACHABLE, end_of_function, source_graph
from mazurka.checking.wrappers import location, shown
from mazurka.program import NO_POSITION, Mode, Position, Program
from mazurka.program.kinds import ViolationKind
from mazurka.program.printf import render

if TYPE_CHECKING:
    from mazurka._engine import Explored, RawFinding, RawGraph, RawWait

_KIND_NAMES = {"race": "data race"}
_MODES = {Mode.NA: "plain", Mode.RLX: "relaxed", Mode.ACQ: "acquire", Mode.REL: "release"}
_MODES |= {Mode.ACQ_REL: "acquire-release", Mode.SC: "seq_cst"}
# Messages of the engine that can be more precise here.
_NULL, _UNWRITTEN = "null pointer dereference", "read of memory that was never written"
_STRAY = "outside the object that the address was made from"
# Violations that may consist of an access and the start or end of its object's lifetime, unordered.
_LIFETIME = (ViolationKind.FREED, ViolationKind.UNALLOCATED)


def found(
    program: Program,
    result: Explored,
    rules: Sequence[ReadyRule],
    bounds: Bounds | None,
    *,
    synchronises: bool = False,
    rules_of: str = "",
) -> Found:
    """All that the engine found, in terms of the program.

    ``synchronises`` says that only releases and acquires order threads, so that one of them may be missing.
    ``rules_of`` is the model that the rules are of, if that is another one: they are about the source.
    """
    is_violation = result.status == "violation"
    return Found(
        violation=(
            violation(program, result, rules, synchronises=synchronises, rules_of=rules_of)
            if is_violation
            else None
        ),
        warnings=(*rule_warnings(program, result, rules), *leak_warnings(program, result)),
        bounds=tuple(_cut(program, bounds or Bounds(), *cut) for cut in result.cuts),
        output=tuple((thread, render(program, operands)) for thread, operands in result.output),
        graphs=tuple(Graph.from_engine(graph) for graph in result.graphs),
    )


def _cut(program: Program, bounds: Bounds, loop: int | None, function: int, pc: int) -> Cut:
    """The loop that was cut or, if there is none, the function that calls itself."""
    if loop is None:
        kind, bound = "recursion", bounds.of_function(function)
        at, name = program.functions[function].position, program.functions[function].name
    else:
        kind, bound = "loop", bounds.of_loop(program, loop)
        at, name = program.loops[loop].position, program.loops[loop].function
    where = position(program, function, pc) if at == NO_POSITION else program.positions[at]
    return Cut(kind, name, *((where.file, where.line) if where else ("", 0)), bound)


def graph_of(result: Explored) -> Graph | None:
    """The graph of a finding."""
    return None if result.graph is None else Graph.from_engine(result.graph)


def with_graph(found: Violation, graph: RawGraph) -> Violation:
    """The same violation with a graph that says more."""
    return replace(found, graph=Graph.from_engine(graph))


def violation(
    program: Program,
    result: Explored,
    rules: Sequence[ReadyRule],
    *,
    synchronises: bool = False,
    rules_of: str = "",
) -> Violation:
    """The violation that the engine found."""
    finding, graph = result.finding, graph_of(result)
    assert finding is not None, "a violation says what is wrong"
    other = finding.other or _misused(program, graph, finding)
    told = Violation(
        kind=finding.kind,
        message="",
        location=location(program, finding.stack),
        thread=finding.thread,
        function=finding.function,
        pc=finding.pc,
        stack=tuple(finding.stack),
        other=other,
        graph=graph,
        event=finding.event if finding.rule is not None else None,
    )
    if graph is not None and other is not None:
        told = replace(told, other_location=_where(program, graph[other]))
        judged = source_graph(program, graph) if rules_of else graph
        if finding.rule is not None:
            objects = allocations((InitialObject(*item) for item in result.objects), graph)
            order = _order(rules[finding.rule].order, rules_of)
            return _broken(program, judged, told, other, rules[finding.rule], order, synchronises, objects)
        if finding.kind in _LIFETIME and synchronises:
            here = finding.event or _access(graph, told)
            told = replace(told, missing=_unordered(program, judged, (here, other), rules_of))
    if graph is not None and finding.waits:
        told = replace(told, waits=tuple(_wait(graph, wait) for wait in finding.waits), brief=_brief(finding))
    return replace(told, message=_message(program, result, finding, graph))


def _misused(program: Program, graph: Graph | None, finding: RawFinding) -> EventRef | None:
    """What made a synchronisation object what it is when it is misused: its destruction, who locked it."""
    event = graph.failing(finding.thread, finding.function, finding.pc) if graph is not None else None
    operation = operation_of(program, event) if event is not None else None
    return event.rf if event is not None and operation and operation.object.kind == finding.kind else None


def _brief(finding: RawFinding) -> str:
    return "waits for ever" if finding.kind == ViolationKind.LIVENESS else ""


def _wait(graph: Graph, raw: RawWait) -> Wait:
    sees = tuple(
        Seen(address, size, value, source, *place) for address, size, value, source, place in raw.sees
    )
    loop = graph.threads[raw.thread].spins_in
    return Wait(raw.thread, tuple(raw.stack), loop, raw.joins, raw.object, sees)


def _unordered(program: Program, graph: Graph, pair: tuple[EventRef, EventRef], rules_of: str) -> str:
    """What is missing between an access and its object's start or end; nothing if they are ordered."""
    here, other = pair
    way = closest_way(graph, here, other)
    if here[0] == other[0] or (way is not None and not way.gaps):
        return ""
    return f"neither comes before the other in {_order('hb', rules_of)}: {_gap(program, graph, way)}"


def _message(program: Program, result: Explored, finding: RawFinding, graph: Graph | None) -> str:
    """The engine's message; an address in it is described relative to the objects around it."""
    address, kind = finding.address, finding.kind
    near = None
    expr = instruction(program, finding.function, finding.pc).expr
    if expr and finding.message == _NULL:
        return f"{_NULL}: {expr}"
    if expr and finding.message == _UNWRITTEN:
        return f"{expr} is read, but was never written"
    if finding.message == UNREACHABLE:
        where = location(program, finding.stack)
        return end_of_function(program, where, finding.stack) or finding.message
    if finding.message.endswith(_STRAY):
        return bad_stray_access(program, finding.function, finding.pc, finding.message)
    if address is not None and kind in (ViolationKind.UNALLOCATED, ViolationKind.INVALID_FREE):
        objects = allocations((InitialObject(*item) for item in result.objects), graph)
        size = access_size(program, finding.function, finding.pc)
        if finding.object is not None:
            functions = [function for function, _ in finding.stack]
            if kind == ViolationKind.INVALID_FREE:
                near = bad_private_free(program, address, functions, finding.object)
            else:
                near = bad_private_access(program, address, size, functions, finding.object)
        elif kind == ViolationKind.UNALLOCATED:
            near = bad_access(program, address, size, objects)
        else:
            near = bad_free(program, address, objects, finding.message)
    return str(near or finding.message)


def _broken(
    program: Program,
    graph: Graph,
    told: Violation,
    other: EventRef,
    rule: ReadyRule,
    order: str,
    synchronises: bool,
    objects: Sequence[Allocation],
) -> Violation:
    """Describes a broken error rule: the two accesses, and what is missing between them."""
    here = _access(graph, told)
    name = _KIND_NAMES.get(rule.kind, rule.kind)
    one, two = _common(graph[here], graph[other])
    if _is_same_place(one, two):
        what = (
            _place_name(program, one) or _place_name(program, two) or part_of(program, one.address, objects)
        )
        accesses = (
            f"{_says(program, graph, here, what)}, {_says(program, graph, other, 'it')}, "
            "and nothing orders the two"
        )
    else:
        accesses = _mixed_accesses(program, graph, (here, one), (other, two))
    where = _where(program, graph[other])
    elsewhere = where and told.location and where.file != told.location.file
    line = f"{os.path.basename(where.file)}:{where.line}" if where and elsewhere else where and where.line
    at = f"{thread_name(other[0])}:{line}" if line else thread_name(other[0])
    way = closest_way(graph, here, other) if synchronises else None
    volatile = any(_is_volatile(program, graph[ref]) for ref in (here, other))
    return replace(
        told,
        kind=rule.kind,
        message=f"{name}: {accesses}",
        brief=f"{name} with {at}",
        missing=f"neither comes before the other in {order}: {_gap(program, graph, way)}"
        + (
            "; volatile does not make an access atomic, unless the option --volatile says so"
            if volatile
            else ""
        ),
        event=here,
    )


def _common(one: Event, two: Event) -> tuple[Event, Event]:
    """Two events, or those parts of atomic sections that make them conflict."""
    pairs = ((a, b) for a in one.accesses for b in two.accesses)
    return next(((a, b) for a, b in pairs if a.overlaps(b)), (one, two))


def _is_same_place(one: Event, two: Event) -> bool:
    """Whether two accesses are of the same bytes; the end of an object's lifetime is of them all."""
    sizes = {one.size, two.size}
    return 0 in sizes or (one.address == two.address and len(sizes) == 1)


def _mixed_accesses(program: Program, graph: Graph, *accesses: tuple[EventRef, Event]) -> str:
    """Two accesses that have some bytes in common: each with its size, and which bytes these are."""
    told = [_says(program, graph, ref, _sized(program, event)) for ref, event in accesses]
    one, two = (event for _, event in accesses)
    larger = max(one, two, key=lambda event: event.size)
    start, end = max(one.address, two.address), min(one.end, two.end)
    common = f"byte{'s' * (end - start > 1)} {byte_range(larger, start, end)}"
    whole = _place_name(program, larger) or f"the {count(larger.size)}"
    return f"{', '.join(told)}, they share {common} of {whole}, and nothing orders them"


def _sized(program: Program, event: Event) -> str:
    name = _place_name(program, event)
    return f"{name} ({count(event.size)})" if name else count(event.size)


def _gap(program: Program, graph: Graph, way: Way | None) -> str:
    """What is missing on the way from one access to the other: messages between them that are too weak."""
    messages = [] if way is None else [message for message in way.messages if message.gaps]
    told = [_told(program, graph, message) for message in messages]
    return "; ".join(told) or "no path leads from one to the other"


def _told(program: Program, graph: Graph, message: Message) -> str:
    sent, received = graph[message.write], graph[message.read]
    taken = [access for access in received.accesses if access.rf == message.write]
    what = _place_name(program, taken[0] if taken else received) or "what the other wrote"
    source = f"from {thread_name(message.write[0])}'s write{_at(program, sent)}"
    through = "" if message.write in received.writers else " through a read-modify-write"
    words = (
        f"{thread_name(message.read[0])} reads {what}{_at(program, received)} {source}{through} in between, "
        "which orders nothing"
    )
    return "; ".join([words, *(_lack(program, graph, gap) for gap in message.gaps)])


def _lack(program: Program, graph: Graph, gap: Gap) -> str:
    """``the write is relaxed, not release``, or what a fence lacks."""
    event = graph[gap.event]
    wanted = "atomic" if gap.needed == Mode.RLX else _MODES[gap.needed]
    kind = {"R": "the read", "W": "the write"}.get(event.kind, f"the fence{_at(program, event)}")
    has = _MODES.get(event.mode)  # Fences of machines and of the kernel have no name in C.
    lack = f"{kind} is {has}, not {wanted}" if has else f"{kind} is not {wanted}"
    if gap.misplaced is None:
        return lack
    side = "early" if gap.needed == Mode.REL else "late"
    fence = f"the {wanted} fence{_at(program, graph[gap.misplaced])} comes too {side}"
    return f"{lack} ({fence})"


def _at(program: Program, event: Event) -> str:
    where = _where(program, event)
    return f" at {where.file}:{where.line}" if where else ""


def _order(name: str, rules_of: str) -> str:
    whose = f"{rules_of}'s" if rules_of else "the model's"
    return f"{whose} happens-before (hb)" if name == "hb" else f"{whose} order {name}"


def _access(graph: Graph, told: Violation) -> EventRef:
    """The access that broke the rule: if it is not known, the last one of its thread at that instruction."""
    if told.event is not None:
        return told.event
    thread, place = told.thread, (told.function, told.pc)
    events = graph.threads[thread].events
    accesses = [i for i, event in enumerate(events) if event.kind in ("R", "W", "FREE")]
    there = [i for i in accesses if (events[i].function, events[i].pc) == place]
    return thread, (there or accesses)[-1]


def _says(program: Program, graph: Graph, ref: EventRef, what: str) -> str:
    """``T1 writes x at a.c:7``; an atomic access is called atomic, because the other one is plain then."""
    event = graph[ref]
    verb = "reads" if event.kind == "R" else "writes"
    how = "" if event.mode == Mode.NA else " in an atomic section" if event.section else " atomically"
    volatile = " (volatile)" if _is_volatile(program, event) else ""
    return f"{thread_name(ref[0])} {verb} {what}{volatile}{how}{_at(program, event)}"


def _is_volatile(program: Program, event: Event) -> bool:
    """Whether the source calls a plain access volatile, which orders nothing between threads."""
    done = instruction(program, event.function, event.pc)
    return (done.position, done.expr) in program.volatile


def _where(program: Program, event: Event) -> Position | None:
    return location(program, event.stack)


def _place_name(program: Program, event: Event) -> str:
    from mazurka.frontend.naming import name_of

    expr = instruction(program, event.function, event.pc).expr
    return name_of(program, event.address, event.size, is_access=True) or expr


def rule_warnings(program: Program, result: Explored, rules: Sequence[ReadyRule]) -> tuple[str, ...]:
    """What warning rules found: each rule once, with the two places."""
    found: dict[str, str] = {}
    for number, stacks in result.warnings:
        places = [location(program, stack) for stack in stacks]
        named = sorted(f"{p.file}:{p.line}" if p else "an unknown place" for p in places)
        rule = rules[number]
        text = f"{rule.name}: nothing orders the accesses at {named[0]} and {named[1]}"
        found.setdefault(rule.name, text)
    return tuple(found.values())


def leak_warnings(program: Program, result: Explored) -> tuple[str, ...]:
    """Memory that is lost in some execution: each place that allocates it once."""
    found: dict[str, str] = {}
    for thread, stack in result.leaks:
        where = location(program, stack)
        place = f"{where.file}:{where.line}" if where else "an unknown place"
        name, who = program.functions[stack[shown(program, stack)][0]].name, thread_name(thread)
        maker = who if name == who else f"{name}, {who}"
        said = "is not freed in some execution, and nothing points to it when the program ends"
        found.setdefault(place, f"memory allocated at {place} (in {maker}) {said}")
    return tuple(found.values())
