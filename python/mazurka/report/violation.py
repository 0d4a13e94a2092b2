"""What went wrong, where, and the execution: the part of the text report that describes a violation.

Loaded only when there is a violation.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from mazurka.checking.execution import EventRef, Graph, Stack, Violation, loop_position, position
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.checking.wrappers import hidden, shown
from mazurka.errors import Place
from mazurka.excerpts import marked_line
from mazurka.program import Position, Program
from mazurka.program.kinds import ViolationKind
from mazurka.report.other import other_event
from mazurka.report.paint import Paint
from mazurka.report.places import Places
from mazurka.report.steps import Story, tell, title
from mazurka.report.table import table
from mazurka.report.values import Speaker
from mazurka.report.waits import wait_lines
from mazurka.report.wording import EventWords

MOST_CALLERS = 5
MOST_READS = 6
_FINISHING = "__mazurka_finish"  # what calls destructors where main or a thread ends
_OF_DESTRUCTOR = "through the destructor of "
_RULES = ("race",)  # error rules of the models that come with Mazurka


def violation_lines(
    outcome: Outcome, violation: Violation, width: int, paint: Paint, *, calls: bool = False
) -> Iterator[str]:
    """The place and the message, the source, the calls that led there, the other event, the execution."""
    program = outcome.program
    where = violation.location
    at = shown(program, violation.stack) if violation.stack else 0
    name = program.functions[violation.stack[at][0] if violation.stack else violation.function].name
    who = thread_name(violation.thread)
    place = f"{Place(where.file, where.line, where.column)}: " if where else ""
    yield from _headline(f"{place}{violation.message} (in {who if name == who else f'{name}, {who}'})", width)
    source, elsewhere = _sources(program, violation)
    yield from source
    yield from (f"    {line}" for line in _through(violation, violation.stack, violation.event, program))
    yield from _callers(program, violation.stack[at + 1 :], known=where is not None)
    yield from reason_lines(outcome, violation)
    if violation.event is not None:  # a broken rule: the message names both accesses
        yield from elsewhere
        if violation.graph is not None and violation.other is not None:
            stack, who = violation.graph[violation.other].stack, thread_name(violation.other[0])
            for line in _through(violation, stack, violation.other, program):
                if line.startswith(_OF_DESTRUCTOR):
                    yield f"    {who} does it {line}"
        yield from _wrapped(violation.missing, width, "    ")
    elif violation.graph is not None and violation.other is not None:
        yield from other_event(program, violation, violation.graph, violation.other)
        if violation.missing:
            yield from _wrapped(violation.missing, width, "    ")
    if violation.graph is not None and any(t.events for t in violation.graph.threads):
        story = tell(outcome, violation, violation.graph, calls=calls)
        if violation.waits:
            yield from (f"    {line}" for line in wait_lines(violation, violation.graph, story.speaker))
        yield ""
        spinning = () if violation.waits else _spinning(program, violation.graph)
        yield from _execution(outcome, violation.graph, story, width, paint, spinning)
    if help_page(program, violation.kind) is not None:
        yield ""
        yield f"  see 'mazurka explain {violation.kind}'"


def reasons(program: Program, violation: Violation) -> tuple[EventRef, ...]:
    """The reads that made an assertion fail."""
    if violation.kind != ViolationKind.ASSERTION or violation.graph is None:
        return ()
    from mazurka.why_not.failed_reads import deciding_reads  # late: only for an assertion

    return deciding_reads(program, violation.graph, violation.thread)


def reason_lines(outcome: Outcome, violation: Violation) -> Iterator[str]:
    """The reads that made an assertion fail, and the writes that they read from."""
    graph, program = violation.graph, outcome.program
    reads = reasons(program, violation)
    if graph is None or not reads:
        return
    places = Places(program, violation.location.file if violation.location else "")
    words = EventWords(outcome, graph, Speaker(outcome, graph), places, violation)
    told = list(
        dict.fromkeys(
            f"of line {places.line(places.of(graph[ref]))}: {words.text(ref)}  ← {words.origin(graph[ref])}"
            for ref in reads
        )
    )
    for number, text in enumerate(told[:MOST_READS]):
        yield f"    {'and' if number else 'because'} {text}"
    if len(told) > MOST_READS:
        yield f"    and of {len(told) - MOST_READS} other reads"


def help_page(program: Program, kind: str) -> str | None:
    """The page about a kind, a path in the project; None for a kind that a user's own model defines."""
    misuses = {operation.object.kind for operation in program.operations}
    is_known = kind in (*(known.value for known in ViolationKind), *misuses, *_RULES)
    return f"docs/findings/{kind}.md" if is_known else None


def _headline(text: str, width: int) -> Iterator[str]:
    """A sentence that fits two lines; what is left out of a longer one is in the rows below, and in the JSON.

    The folders of files do not count: they are as long as the user has named them.
    """
    brief = re.sub(r"\S*/", "", text)
    yield f"  {text if len(brief) <= 2 * width else textwrap.shorten(brief, 2 * width, placeholder=' …')}"


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    """A sentence in lines of some width; names of files stay whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _source(program: Program, where: Position | None) -> Iterator[str]:
    """The source line, with a caret under the column."""
    lines = program.sources.get(where.file, "").splitlines() if where else []
    if where is None or not 0 < where.line <= len(lines):
        return
    yield from marked_line(where.line, lines[where.line - 1], where.column)


def _through(violation: Violation, stack: Stack, ref: EventRef | None, program: Program) -> Iterator[str]:
    """The calls between the place that is shown and an event; what main calls at its end are destructors."""
    for function, pc in hidden(program, stack):
        name = program.functions[function].name
        if name.startswith(_FINISHING):
            yield _finishing(violation, stack, ref, program)
        else:
            yield f"through {_called(program, function, pc)}"


def _finishing(violation: Violation, stack: Stack, ref: EventRef | None, program: Program) -> str:
    """The destructor that main, or a thread, calls where it ends: of a global variable, or of a class."""
    called = [program.functions[function].name for function, _ in stack]
    end = next(at for at, name in enumerate(called) if name.startswith(_FINISHING))
    destructors = [name for name in called[:end] if "::~" in name]
    if not destructors:
        return "through what runs at the end"
    event = violation.graph[ref] if violation.graph is not None and ref is not None else None
    for item in program.globals:
        if event is not None and item.address <= event.address < item.address + item.size:
            return f"{_OF_DESTRUCTOR}{item.name}"
    return f"{_OF_DESTRUCTOR}{destructors[-1].rpartition('::~')[0]}"


def _sources(program: Program, violation: Violation) -> tuple[list[str], list[str]]:
    """The source of a violation, and that of its other event; what both are in is shown once."""
    source = [*_source(program, violation.location)]
    if violation.event is None:
        return source, []
    other = [*_source(program, violation.other_location)]
    if not source or source[:1] != other[:1]:  # another line, or another part of a long one
        return source, other
    if len(source) != len(other):  # a column is not known
        return max(source, other, key=len), []
    carets = [text.ljust(max(len(source[-1]), len(other[-1]))) for text in (source[-1], other[-1])]
    both = "".join("^" if "^" in pair else pair[0] for pair in zip(*carets, strict=True))
    return [*source[:-1], both.rstrip()], []


def _callers(program: Program, callers: Stack, *, known: bool) -> Iterator[str]:
    """The call chain above the failing function; endless recursion is cut short.

    If the failing place is known, callers without one are functions of the library, such as those of libc++
    that start a thread, and are left out.
    """
    if known:
        callers = tuple(call for call in callers if position(program, *call))
    for call in callers[:MOST_CALLERS]:
        yield f"    called by {_called(program, *call)}"
    if len(callers) > MOST_CALLERS:
        yield f"    … {_about(len(callers) - MOST_CALLERS)} more calls"


def _about(count: int) -> str:
    """A number of calls; how many exactly fill the stack depends on the compiler, and helps nobody."""
    step = 10 ** (len(str(count)) - 1)
    return str(count) if count < 1000 else f"more than {count // step * step}"


def _called(program: Program, function: int, pc: int) -> str:
    where = position(program, function, pc)
    place = f" at {where.file}:{where.line}" if where else ""
    return f"{program.functions[function].name}{place}"


def execution_lines(
    outcome: Outcome, graph: Graph, *, width: int, colour: bool, calls: bool
) -> Iterator[str]:
    """An execution in which nothing goes wrong."""
    story = tell(outcome, None, graph, calls=calls)
    if story.steps:
        yield from _execution(outcome, graph, story, width, Paint(colour))
    else:
        yield "  No thread is started, so the execution has no steps to show."


def _execution(
    outcome: Outcome, graph: Graph, story: Story, width: int, paint: Paint, spinning: Iterable[str] = ()
) -> Iterator[str]:
    titles = {s.thread: title(outcome.program, graph, s.thread) for s in story.steps}
    yield "  The execution, one column per thread, time running down:"
    yield ""
    yield from (f"  {line}" for line in table(story.steps, titles, width - 2, paint))
    below = (
        *_disorder(story.disorder, width - 2),
        *story.speaker.objects.legend(),
        *story.silent,
        *spinning,
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
