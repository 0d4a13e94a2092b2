"""What went wrong, where, and the execution: the part of the text report that describes a violation.

Loaded only when there is a violation.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from mazurka.checking.execution import Graph, Violation, loop_position, position
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.excerpts import excerpt
from mazurka.program import Position, Program
from mazurka.report.other import other_event
from mazurka.report.paint import Paint
from mazurka.report.steps import Story, tell, title
from mazurka.report.table import table
from mazurka.report.waits import wait_lines

MOST_CALLERS = 5


def violation_lines(outcome: Outcome, violation: Violation, width: int, paint: Paint) -> Iterator[str]:
    """The place and the message, the source, the calls that led there, the other event, the execution."""
    program = outcome.program
    where = violation.location
    name = program.functions[violation.function].name
    who = thread_name(violation.thread)
    place = f"{where.file}:{where.line}:{where.column}: " if where else ""
    yield f"  {place}{violation.message} (in {who if name == who else f'{name}, {who}'})"
    yield from _source(program, where)
    yield from _callers(program, violation)
    if violation.event is not None:  # a broken rule: the message names both accesses
        yield from _source(program, violation.other_location)
        yield f"    {violation.missing}"
    elif violation.graph is not None and violation.other is not None:
        yield from other_event(program, violation, violation.graph, violation.other)
        if violation.missing:
            yield f"    {violation.missing}"
    if violation.graph is not None and any(t.events for t in violation.graph.threads):
        story = tell(outcome, violation, violation.graph)
        if violation.waits:
            yield from (f"    {line}" for line in wait_lines(violation, violation.graph, story.speaker))
        yield ""
        yield from _execution(outcome, violation, violation.graph, story, width, paint)


def _source(program: Program, where: Position | None) -> Iterator[str]:
    """The source line, with a caret under the column."""
    lines = program.sources.get(where.file, "").splitlines() if where else []
    if where is None or not 0 < where.line <= len(lines):
        return
    text = lines[where.line - 1].expandtabs(1)
    column = where.column - (len(text) - len(text.lstrip()))
    line, caret = excerpt(text.strip(), column)
    yield f"{where.line:>7} | {line}"
    if column > 0:
        yield f"{'':>7} | {caret}"


def _callers(program: Program, violation: Violation) -> Iterator[str]:
    """The call chain above the failing function; endless recursion is cut short."""
    callers = violation.stack[1:] if violation.stack[:1] == _innermost(violation) else violation.stack
    for function, pc in callers[:MOST_CALLERS]:
        where = position(program, function, pc)
        place = f" at {where.file}:{where.line}" if where else ""
        yield f"    called by {program.functions[function].name}{place}"
    if len(callers) > MOST_CALLERS:
        yield f"    … {len(callers) - MOST_CALLERS} more calls"


def _innermost(violation: Violation) -> tuple[tuple[int, int], ...]:
    return ((violation.function, violation.pc),)


def _execution(
    outcome: Outcome, violation: Violation, graph: Graph, story: Story, width: int, paint: Paint
) -> Iterator[str]:
    titles = {s.thread: title(outcome.program, graph, s.thread) for s in story.steps}
    yield "  The execution, one column per thread, time running down:"
    yield ""
    yield from (f"  {line}" for line in table(story.steps, titles, width - 2, paint))
    below = (
        *_disorder(story.disorder, width - 2),
        *story.speaker.objects.legend(),
        *story.silent,
        *(() if violation.waits else _spinning(outcome.program, graph)),
    )
    if below:
        yield ""
    yield from (f"  {line}" for line in below)


def _spinning(program: Program, graph: Graph) -> Iterator[str]:
    """The threads that wait in a loop, one line each."""
    for t, thread in enumerate(graph.threads):
        if thread.spins_in is not None:
            where = loop_position(program, thread.spins_in)
            place = f" at {where.file}:{where.line}" if where else ""
            yield f"{title(program, graph, t)}: spins in the loop{place}"


def _disorder(meanings: tuple[str, ...], width: int) -> list[str]:
    """Explains the rows that no interleaving of the threads has."""
    if not meanings:
        return []
    text = f"No interleaving of the threads explains this execution: {'; '.join(meanings)}."
    return textwrap.wrap(text, width)
