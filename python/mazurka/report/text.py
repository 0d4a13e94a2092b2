"""The report for people: the verdict in plain words, then what, where, and the execution."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

from mazurka.objects import thread_name
from mazurka.outcome import Graph, Outcome, Violation, position
from mazurka.program import Position, Program
from mazurka.report.other import other_event
from mazurka.report.paint import Paint
from mazurka.report.steps import tell, title
from mazurka.report.table import table

KIND_WORDS = {
    "assertion": "an assertion fails",
    "race": "a data race",
    "uninitialized": "a read of memory that was never written",
    "unallocated": "an access to memory that is not allocated",
    "freed": "an access to memory that was freed",
    "double-free": "memory is freed twice",
    "invalid-free": "a free of something that was not allocated",
    "mutex": "a mutex is misused",
    "barrier": "a barrier is misused",
    "deadlock": "threads wait for each other",
    "thread": "a join of something that is no thread",
    "undefined": "undefined behaviour",
    "division-by-zero": "a division by zero",
    "stack-overflow": "the stack overflows",
}


def as_text(outcome: Outcome, *, width: int = 100, colour: bool = False, verbose: bool = False) -> str:
    """The whole report, ending in a newline; ``verbose`` also says what the model did."""
    return "\n".join(_lines(outcome, width, Paint(colour), verbose)) + "\n"


def _lines(outcome: Outcome, width: int, paint: Paint, verbose: bool) -> Iterator[str]:
    yield _headline(outcome, paint)
    counted = any(axiom.forbade for axiom in outcome.axioms) or outcome.equivalence == "co"
    told = counted and (verbose or outcome.model_file is not None)
    if told:
        yield _forbidden(outcome)
    # Without it, the line above would name an axiom that the model does not have, or seem to miss one.
    if (told or verbose) and outcome.simplified is not None:
        yield f"  simplified: {outcome.simplified}"
    for warning in outcome.warnings:
        yield f"  warning: {warning}"
    for cut in outcome.bounds:
        yield f"  {cut.file}:{cut.line}: the loop in {cut.function} was cut: raise --unroll to see more of it"
    if outcome.violation is not None:
        yield from _violation(outcome, outcome.violation, width, paint)
    if outcome.output:
        yield from _output(outcome)


def _headline(outcome: Outcome, paint: Paint) -> str:
    counts = f"{_executions(outcome.complete)}, {outcome.blocked} blocked"
    seconds = f"{outcome.seconds_frontend + outcome.seconds_explore:.2f} s"
    model = _model(outcome)
    if outcome.violation is not None:
        words = KIND_WORDS.get(outcome.violation.kind, outcome.violation.kind)
        return f"{paint('bad', 'Violation')} under {model}: {words} (after {counts}; {seconds})"
    if outcome.verdict == "verified":
        return (
            f"{paint('good', 'Verified')} under {model}: no violation in any execution ({counts}; {seconds})"
        )
    if outcome.verdict == "bounded":
        why = "but a loop bound cut the exploration"
        return f"{paint('unsure', 'Bounded')} under {model}: no violation found, {why} ({counts}; {seconds})"
    why = "but the exploration did not finish"
    return f"{paint('unsure', 'Interrupted')} under {model}: no violation so far, {why} ({counts}; {seconds})"


def _model(outcome: Outcome) -> str:
    """The model's name, and its title up to the first colon; for an untitled file of the user's its path."""
    title = outcome.title.split(":")[0] or outcome.model_file or ""
    return f"{outcome.model} ({title})" if title.lower() not in ("", outcome.model.lower()) else outcome.model


def _forbidden(outcome: Outcome) -> str:
    """Which axioms forbade something: what no axiom forbade anything of might as well not be there."""
    counts = [f"{axiom.name} ({axiom.forbade})" for axiom in outcome.axioms if axiom.forbade]
    return f"  forbidden by: {', '.join(counts)}" if counts else "  no axiom forbade anything"


def _executions(complete: int) -> str:
    return f"{complete} complete execution" + ("" if complete == 1 else "s")


def _violation(outcome: Outcome, violation: Violation, width: int, paint: Paint) -> Iterator[str]:
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
    if violation.graph is not None and any(t.events for t in violation.graph.threads):
        yield ""
        yield from _execution(outcome, violation, violation.graph, width, paint)


def _source(program: Program, where: Position | None) -> Iterator[str]:
    """The source line, with a caret under the column."""
    lines = program.sources.get(where.file, "").splitlines() if where else []
    if where is None or not 0 < where.line <= len(lines):
        return
    text = lines[where.line - 1].expandtabs(1)
    indent = len(text) - len(text.lstrip())
    yield f"{where.line:>7} | {text.strip()}"
    if where.column > indent:
        yield f"{'':>7} | {'^':>{where.column - indent}}"


def _callers(program: Program, violation: Violation) -> Iterator[str]:
    """The call chain above the failing function; endless recursion is cut short."""
    callers = violation.stack[1:] if violation.stack[:1] == _innermost(violation) else violation.stack
    for function, pc in callers[:MOST_CALLERS]:
        where = position(program, function, pc)
        place = f" at {where.file}:{where.line}" if where else ""
        yield f"    called by {program.functions[function].name}{place}"
    if len(callers) > MOST_CALLERS:
        yield f"    … {len(callers) - MOST_CALLERS} more calls"


MOST_CALLERS = 5


def _innermost(violation: Violation) -> tuple[tuple[int, int], ...]:
    return ((violation.function, violation.pc),)


def _execution(
    outcome: Outcome, violation: Violation, graph: Graph, width: int, paint: Paint
) -> Iterator[str]:
    story = tell(outcome, violation, graph)
    titles = {s.thread: title(outcome.program, graph, s.thread) for s in story.steps}
    yield "  The execution, one column a thread, time running down:"
    yield ""
    yield from (f"  {line}" for line in table(story.steps, titles, width - 2, paint))
    below = (*_disorder(story.disorder, width - 2), *story.legend, *story.silent)
    if below:
        yield ""
    yield from (f"  {line}" for line in below)


def _disorder(meanings: tuple[str, ...], width: int) -> list[str]:
    """What rows mean that no interleaving of the threads has."""
    if not meanings:
        return []
    text = f"No interleaving of the threads explains this execution: {'; '.join(meanings)}."
    return textwrap.wrap(text, width)


def _output(outcome: Outcome) -> Iterator[str]:
    yield ""
    yield "  The program printed:"
    for thread, texts in groupby(outcome.output, key=lambda item: item[0]):
        for line in "".join(text for _, text in texts).splitlines():
            yield f"  {thread_name(thread)} │ {line}"
