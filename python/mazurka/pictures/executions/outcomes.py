"""What tells executions apart: what each read read, what memory holds at the end, and how they end.

Facets that are the same in all executions are left out: nobody filters by them. Synchronisation objects are
left out as well, and what main reads at the end, because that is the last value of its location.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mazurka.checking.execution import Graph, operation_of
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.report.places import Places
from mazurka.report.values import Speaker

MOST_FACETS = 16
ABSENT = "–"  # the execution has no such read or write


def facets_of(outcome: Outcome, graph: Graph) -> dict[str, str]:
    """The facets of an execution."""
    program, speaker = outcome.program, Speaker(outcome, graph)
    places = Places(program, "")
    lasts = [graph[chain.writes[-1]] for chain in graph.co if chain.writes]
    finals = [last for last in lasts if operation_of(program, last) is None and not last.section]
    found = dict(sorted((f"final {speaker.place(last)}", speaker.value_of(last)) for last in finals))
    times: Counter[str] = Counter()
    for ref in graph.refs():
        event = graph[ref]
        if event.kind == "R" and ref[0] and operation_of(program, event) is None and not event.section:
            line = places.line(places.of(event))
            name = f"{thread_name(ref[0])}:{line}".rstrip(":") + f" reads {speaker.place(event)}"
            times[name] += 1
            number = f" ({times[name]})" if times[name] > 1 else ""
            found[name + number] = speaker.value_of(event)
    return found


def told_apart(executions: Sequence[dict[str, str]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The names of the facets that differ, and for each execution their values."""
    names = dict.fromkeys(name for facets in executions for name in facets)
    differ = [n for n in names if len({facets.get(n, ABSENT) for facets in executions}) > 1][:MOST_FACETS]
    return tuple(differ), [tuple(facets.get(name, ABSENT) for name in differ) for facets in executions]
