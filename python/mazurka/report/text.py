"""The report for people: the verdict in plain words, then what happened, where, and the execution."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from mazurka.report.paint import Paint

if TYPE_CHECKING:
    from mazurka.checking.bounds import Cut
    from mazurka.checking.outcome import Outcome
    from mazurka.checking.sizes import MixedSizes

_PLAIN = Paint()
KIND_WORDS = {
    "assertion": "an assertion fails",
    "annotation": "an annotation does not hold",
    "race": "a data race",
    "uninitialized": "a read of memory that was never written",
    "unallocated": "an access to memory that is not allocated",
    "freed": "an access to memory that was freed",
    "double-free": "memory is freed twice",
    "invalid-free": "an invalid free",
    "deadlock": "threads wait for each other",
    "liveness": "threads wait for ever",
    "thread": "a thread is joined or detached wrongly",
    "undefined": "undefined behaviour",
    "division-by-zero": "a division by zero",
    "stack-overflow": "the stack overflows",
    "exception": "an exception is thrown",
    "overflow": "a number does not fit its type",
    "rcu": "a critical section is misused",
    "leak": "memory is never freed",
}


def as_text(
    outcome: Outcome,
    *,
    width: int = 100,
    colour: bool = False,
    verbose: bool = False,
    explain: bool = False,
    calls: bool = False,
) -> str:
    """The whole report, ending in a newline.

    ``verbose`` also says what the model did, ``explain`` what was done to each loop, ``calls`` through which
    functions a line accesses memory.
    """
    lines = [*_lines(outcome, width, Paint(colour), verbose, calls)]
    if explain:
        lines += _loops(outcome)
    return "\n".join(lines) + "\n"


def _loops(outcome: Outcome) -> Iterator[str]:
    if outcome.compiled is None:
        yield "  The program was not compiled, so nothing is known about its loops."
        return
    from mazurka.report.loops import loop_lines

    yield from loop_lines(outcome.program, outcome.keeps_rounds, outcome.loop_facts)


def _lines(outcome: Outcome, width: int, paint: Paint, verbose: bool, calls: bool) -> Iterator[str]:
    yield headline(outcome, paint)
    counted = any(axiom.forbade for axiom in outcome.axioms) or outcome.equivalence == "co"
    told = counted and (verbose or outcome.model_file is not None)
    if told:
        yield _forbidden(outcome)
    # Without it, the line above would name an axiom that the model does not have, or seem to miss one.
    if (told or verbose) and outcome.simplified is not None:
        yield f"  simplified: {outcome.simplified}"
    if outcome.mixed_sizes is not None:
        subject = "atomic sections" if outcome.mixed_sizes.sections else "mixed sizes"
        yield f"  {subject}: {_mixed_sizes(outcome.mixed_sizes)}"
    for warning in outcome.warnings:
        yield f"  warning: {warning}"
    if outcome.decision is not None:
        answer = {True: "holds", False: "does not hold", None: "is not decided"}[outcome.decision.holds]
        yield f"  property: {outcome.decision.name} {answer}"
    for cut in outcome.bounds:
        yield f"  {cut.file}:{cut.line}: {cut_words(cut)}" if cut.file else f"  {cut_words(cut)}"
    if outcome.violation is not None:
        from mazurka.report.violation import violation_lines

        yield from violation_lines(outcome, outcome.violation, width, paint, calls=calls)
    if outcome.output:
        yield from _output(outcome)


def cut_words(cut: Cut) -> str:
    """What a bound left out, and what to do about it."""
    if cut.kind == "property":
        why = "at the end, variables of functions that have not returned may still lead to memory"
        return f"'{cut.function}' was not decided: {why}"
    if cut.kind == "nondet":
        values = f"only {cut.bound} value{'s were' if cut.bound != 1 else ' was'} explored"
        return f"{values} of those that {cut.function} leaves open: widen --nondet to see more"
    what = f"the {cut.kind} {'in' if cut.kind == 'loop' else 'of'} {cut.function}"
    rounds = "iteration" if cut.kind == "loop" else "call"
    after = f"{cut.bound} {rounds}{'s' * (cut.bound != 1)}"
    return f"{what} was cut after {after}: raise its bound to see more of it"


def headline(outcome: Outcome, paint: Paint = _PLAIN) -> str:
    """The verdict in a line, with the counts and the time."""
    counts = f"{_executions(outcome.complete)}, {outcome.blocked} blocked{_explored(outcome)}"
    seconds = f"{outcome.seconds_frontend + outcome.seconds_explore:.2f} s"
    model = _model(outcome)
    if outcome.violation is not None:
        words = kind_words(outcome, outcome.violation.kind)
        if outcome.replayed:
            return f"{paint('bad', 'Violation')} under {model}: {words} (replayed; {seconds})"
        return f"{paint('bad', 'Violation')} under {model}: {words} (after {counts}; {seconds})"
    if outcome.verdict == "verified" and outcome.vacuous:
        verified = paint("unsure", "Verified")
        return f"{verified} under {model}, but vacuously: no execution ran to its end ({counts}; {seconds})"
    if outcome.verdict == "verified":
        return (
            f"{paint('good', 'Verified')} under {model}: no violation in any execution ({counts}; {seconds})"
        )
    if outcome.verdict == "bounded":
        why = f"but a loop bound cut {'every execution' if outcome.vacuous else 'the exploration'}"
        kinds = {cut.kind for cut in outcome.bounds}
        if kinds == {"property"}:
            why = "but not all of the property was decided"
        elif "nondet" in kinds:
            loops = bool(kinds & {"loop", "recursion"})
            why = f"but {'loop bounds and ' if loops else ''}--nondet left out executions"
        return f"{paint('unsure', 'Bounded')} under {model}: no violation found, {why} ({counts}; {seconds})"
    why = "but the exploration did not finish"
    why += f": stopped by {outcome.stopped_by}" if outcome.stopped_by else ""
    counts = f"{counts}, {percent(outcome.fraction)} of the choices covered"
    return f"{paint('unsure', 'Interrupted')} under {model}: no violation so far, {why} ({counts}; {seconds})"


def percent(fraction: float) -> str:
    """A part of a whole, rounded down: only all of it is 100 %."""
    if 0 < fraction < 0.0001:
        return "less than 0.01 %"
    digits = 2 if fraction < 0.01 else 1 if fraction < 1 else 0
    scaled = int(fraction * 100 * 10**digits)
    if fraction < 1:
        scaled = min(scaled, 100 * 10**digits - 1)  # a product of floats is rounded, perhaps up
    return f"{scaled / 10**digits:.{digits}f} %"


def kind_words(outcome: Outcome, kind: str) -> str:
    """How the first line describes a kind; synchronisation objects and models describe their own kinds."""
    misuse = {operation.object.kind: operation.object.title for operation in outcome.program.operations}
    return KIND_WORDS.get(kind) or misuse.get(kind, kind)


def _model(outcome: Outcome) -> str:
    """The model's name, and its title up to the first colon; for a user's file without a title, its path."""
    title = outcome.title.split(":")[0] or outcome.model_file or ""
    return f"{outcome.model} ({title})" if title.lower() not in ("", outcome.model.lower()) else outcome.model


def _forbidden(outcome: Outcome) -> str:
    """How many choices each axiom forbade; axioms that forbade nothing are left out."""
    counts = [f"{axiom.name} ({axiom.forbade})" for axiom in outcome.axioms if axiom.forbade]
    return f"  forbidden by: {', '.join(counts)}" if counts else "  no axiom forbade any choice"


def _mixed_sizes(mixed: MixedSizes) -> str:
    """The two accesses that were met, and how the program was explored."""
    told = []
    for size, file, line in mixed.accesses:
        where = f"at {file}:{line}" if line else "elsewhere"
        told.append(f"{size} byte{'s' * (size != 1)} {where}")
    return f"{' and '.join(told)}; explored byte by byte" if told else "explored byte by byte"


def _explored(outcome: Outcome) -> str:
    """How many were explored, if these stand for others."""
    return "" if outcome.explored is None else f", {sum(outcome.explored)} explored"


def _executions(complete: int) -> str:
    return f"{complete} complete execution" + ("" if complete == 1 else "s")


def _output(outcome: Outcome) -> Iterator[str]:
    from mazurka.checking.objects import thread_name

    yield ""
    yield "  The program printed:"
    width = max(len(thread_name(thread)) for thread, _ in outcome.output)
    for thread, texts in groupby(outcome.output, key=lambda item: item[0]):
        for line in "".join(text for _, text in texts).splitlines():
            yield f"  {thread_name(thread):{width}} │ {line}"
