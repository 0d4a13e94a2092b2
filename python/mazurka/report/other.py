"""Describes the second event of a finding, such as the free of a use after free, or who holds the lock."""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.checking.execution import Event, EventRef, Graph, Violation, instruction, operation_of
from mazurka.checking.objects import thread_name
from mazurka.program import AllocFlag, Program
from mazurka.report.places import Places

LONGEST_SOURCE = 60


def other_event(program: Program, violation: Violation, graph: Graph, other: EventRef) -> Iterator[str]:
    """One line: what the other thread does (or did), where, and the source there."""
    event = graph[other]
    operation = operation_of(program, event)
    if operation is not None and operation.object.is_hidden:
        return
    who = "the same thread" if other[0] == violation.thread else thread_name(other[0])
    places = Places(program, "")
    where = places.of(event)
    at = f" at {where.file}:{where.line}" if where else ""
    source = _shortened(places.source(where)) if where else ""
    thread = f" (thread {thread_name(other[0])})" if other[0] else ""  # main's function is called main, too
    if thread and at:
        thread += ","
    words = _words(program, violation.kind, event).format(who=who, at=at, thread=thread)
    yield f"    {words}" + (f": {source}" if source else "")


def _words(program: Program, kind: str, event: Event) -> str:
    operation = operation_of(program, event)
    if kind == "deadlock" or (operation is not None and operation.object.kind == kind):
        return f"{_done(program, event)} by {{who}}{{at}}"
    if kind == "annotation":
        return "the other access is by {who}{at}"
    if event.kind in ("R", "W"):
        return "and {who} accesses it{at}"
    if event.kind == "FREE":
        if instruction(program, event.function, event.pc).x & AllocFlag.STACK:
            return (
                f"its lifetime ended when {program.functions[event.function].name} returned{{thread}}{{at}}"
            )
        return "freed by {who}{at}"
    if event.kind == "JOIN":
        return "joined before by {who}{at}"
    if event.kind == "ALLOC":
        return "allocated by {who}{at}"
    return "the other thread is {who}{at}"


def _done(program: Program, event: Event) -> str:
    """What an event did to the object that another thread waits for."""
    operation = operation_of(program, event)
    return operation.done if operation is not None else "taken"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_SOURCE else text[: LONGEST_SOURCE - 1] + "…"
