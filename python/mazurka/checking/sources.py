"""What the source says about the events of a program that was compiled for a machine.

Rules about the source, such as C11's about races, are explained with the modes that the source has.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.checking.execution import Event, Graph, instruction
from mazurka.program import Op, Program


def source_graph(program: Program, graph: Graph) -> Graph:
    """The graph in which accesses and fences have the modes of the source, and other fences order nothing."""
    threads = (
        replace(thread, events=tuple(_in_source(program, event) for event in thread.events))
        for thread in graph.threads
    )
    return replace(graph, threads=tuple(threads))


def _in_source(program: Program, event: Event) -> Event:
    if event.kind not in ("R", "W", "F"):
        return event
    source = instruction(program, event.function, event.pc).source
    if source is None:
        return event
    if source.mode is None:
        return replace(event, kind="CHOOSE")  # it stays where it is, and is no fence
    is_exchange = instruction(program, event.function, event.pc).op in (Op.CAS, Op.CAS_PAIR)
    failed = is_exchange and event.kind == "R" and not event.exclusive
    return replace(event, mode=source.failure if failed else source.mode)
