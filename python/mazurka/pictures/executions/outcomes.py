"""What tells executions apart: what each read read, what memory holds at the end, and how they end.

Facets that are the same in all executions are left out: nobody filters by them. Synchronisation objects are
left out as well, and what main reads at the end, because that is the last value of its location. Memory that
was freed, or that belongs to a function which has returned, holds nothing at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mazurka.checking.execution import Event, Graph, instruction, operation_of
from mazurka.checking.objects import Allocation, allocations, thread_name
from mazurka.checking.outcome import Outcome
from mazurka.program import Region
from mazurka.report.places import Places
from mazurka.report.values import Speaker, region_of

MOST_FACETS = 12
ENDINGS = INTERLEAVING, END = "interleaving", "end"
ABSENT = "–"  # the execution has no such read or write


def object_numbers(outcome: Outcome) -> dict[int, int]:
    """Numbers for the objects of all executions, so that each has the same name in all of them."""
    violation = outcome.violation
    graphs = [*outcome.graphs, *([violation.graph] if violation and violation.graph else [])]
    found = (item.address for graph in graphs for item in allocations(outcome.objects, graph))
    return {address: number for number, address in enumerate(dict.fromkeys(found), 1)}


def facets_of(outcome: Outcome, graph: Graph, numbers: Mapping[int, int]) -> dict[str, str]:
    """The facets of an execution."""
    program, speaker = outcome.program, Speaker(outcome, graph, numbers)
    places = Places(program, "")
    lasts = [graph[chain.writes[-1]] for chain in graph.co if chain.writes]
    ended = _ended(outcome, graph)
    finals = [
        last
        for last in lasts
        if operation_of(program, last) is None
        and not last.section
        and not any(item.holds(last.address) for item in ended)
    ]
    found = dict(sorted((f"final {_memory(speaker, last)}", speaker.value_of(last)) for last in finals))
    times: Counter[str] = Counter()
    for ref in graph.refs():
        event = graph[ref]
        if event.kind == "R" and ref[0] and operation_of(program, event) is None and not event.section:
            line = places.line(places.of(event))
            name = (
                f"{thread_name(ref[0])}:{line}".rstrip(":") + f" reads {_expression(outcome, speaker, event)}"
            )
            times[name] += 1
            number = f" ({times[name]})" if times[name] > 1 else ""
            found[name + number] = speaker.value_of(event)
    return found


def _ended(outcome: Outcome, graph: Graph) -> list[Allocation]:
    """The objects whose lifetime has ended when the execution ends."""
    freed = Counter(graph[ref].address for ref in graph.refs() if graph[ref].kind == "FREE")
    made = allocations(outcome.objects, graph)
    times = Counter(item.address for item in made)
    return [item for item in made if freed[item.address] >= times[item.address]]


def _memory(speaker: Speaker, event: Event) -> str:
    """A location by a name that does not depend on who accesses it."""
    is_global = region_of(event.address) == Region.GLOBAL
    return speaker.place(event) if is_global else speaker.objects.name(event.address)


def _expression(outcome: Outcome, speaker: Speaker, event: Event) -> str:
    """What a read reads, by a name that does not depend on where its pointer leads."""
    expression = instruction(outcome.program, event.function, event.pc).expr
    is_global = region_of(event.address) == Region.GLOBAL
    return speaker.place(event) if is_global or not expression else expression


def told_apart(executions: Sequence[dict[str, str]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The names of the facets that differ, and for each execution their values.

    If there are too many, the last ones stay: whether an interleaving explains an execution, and its end.
    """
    names = dict.fromkeys(name for facets in executions for name in facets)
    differ = [n for n in names if len({facets.get(n, ABSENT) for facets in executions}) > 1]
    endings = [name for name in differ if name in ENDINGS]
    others = [name for name in differ if name not in ENDINGS][: MOST_FACETS - len(endings)]
    chosen = (*others, *endings)
    return chosen, [tuple(facets.get(name, ABSENT) for name in chosen) for facets in executions]
