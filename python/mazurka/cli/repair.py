"""``mazurka fix`` and ``mazurka tune``: search for other orderings, show the patch, write it if asked to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import groupby

from mazurka.checking.outcome import Outcome
from mazurka.cli.terminal import complain, has_colour, print_text, width, write_text
from mazurka.errors import ErrorCode, UsageError
from mazurka.repair.fixing import Fix, find_fix
from mazurka.repair.ownfiles import shown
from mazurka.repair.patch import call_of, described, order_word, place_of, unified
from mazurka.repair.trials import checked_variants
from mazurka.repair.tuning import Tuning, find_weakest
from mazurka.repair.variants import Sources, Variant
from mazurka.repair.work import Work, begun

UNKNOWN = 3
Tell = Callable[[str], None]


def _to_standard_error(text: str) -> None:
    if text:
        complain(text.removesuffix("\n"))


def run_repair(options: argparse.Namespace, checked: Callable[[argparse.Namespace], Outcome]) -> int:
    """Runs ``fix`` or ``tune``; ``checked`` checks what options say."""
    if options.compile_commands is not None:
        hint = "name the files, and give their flags by -I, -D, or after --"
        message = f"'mazurka {options.command}' does not read a compilation database"
        raise UsageError(ErrorCode.USAGE, message, hint=hint)
    if options.attempts < 1:
        raise UsageError(ErrorCode.BAD_VALUE, "--attempts must be at least 1", hint="such as --attempts 50")

    def check(files: Sequence[str], cflags: Sequence[str], seconds: float | None) -> Outcome:
        changed = {"files": list(files), "cflags": list(cflags), "time_limit": seconds}
        return checked(argparse.Namespace(**{**vars(options), **changed}))

    # With the patch on standard output, there is nothing else.
    tell = _to_standard_error if options.output == "-" else print_text
    limits = options.attempts, options.time_limit
    with begun(options.files, options.cflags, check, *limits) as work:
        if not isinstance(work, Work):
            return _show_outcome(work, tell)
        return _fix(work, options, tell) if options.command == "fix" else _tune(work, options, tell)


def _show_outcome(outcome: Outcome, tell: Tell) -> int:
    """Prints a verdict, and returns the exit status that it has by itself."""
    from mazurka.report import as_text

    text = as_text(outcome, width=width(), colour=has_colour(sys.stdout))
    tell(text.split("\n\n")[0].rstrip("\n") + "\n")  # without the execution
    return {"verified": 0, "violation": 1}.get(outcome.verdict, UNKNOWN)


def _right_status(outcome: Outcome, options: argparse.Namespace) -> int:
    """The exit status of a program without violations."""
    return 0 if outcome.verdict == "verified" or options.allow_bounded else UNKNOWN


def _fix(work: Work, options: argparse.Namespace, tell: Tell) -> int:
    status = _show_outcome(work.outcome, tell)
    if work.outcome.verdict != "violation":
        tell("There is nothing to fix.\n" if status == 0 else "")
        return status
    found = find_fix(work.trials, work.reached, work.ranks)
    if found.variant is None or found.trial is None or found.trial.outcome is None:
        tell(_not_fixed(found, work.outcome))
        return UNKNOWN if found.limit else 1
    changes = "one change" if found.variant.size == 1 else f"{found.variant.size} changes"
    tell(f"\nFixed by {changes} ({checked_variants(found.attempts)}):\n")
    if found.variant.size > 1:
        tell("  No single change was enough, and none of these can be left out.\n")
    _show_changes(work.trials.sources, found.variant, options, tell)
    tell("With this patch: ")
    _show_outcome(found.trial.outcome, tell)
    return _right_status(found.trial.outcome, options)


def _not_fixed(found: Fix, outcome: Outcome) -> str:
    is_race = any(one.kind == "race" for one in (outcome.violation, found.stays) if one is not None)
    if found.limit:
        return f"\nNo fix was found before the search ended: {found.limit}. A fix may exist.\n"
    if not found.slots:
        return "\nNot fixed: the program reaches no atomic operation whose ordering could be changed.\n" + (
            "Plain accesses that race need a lock, or must become atomic.\n"
            if is_race
            else f"The algorithm is wrong under {outcome.model}.\n"
        )
    fences = ", with fences around the accesses" if found.fenced else ""
    return (
        f"\nNot fixed: no change of orderings helps ({checked_variants(found.attempts)}).\n"
        f"With all {_counted(found.slots)} that the program reaches at seq_cst{fences}, there is still:\n"
        f"  {found.stays}\n"
        f"So the algorithm is wrong under {outcome.model}"
        f"{', or plain accesses need a lock or must become atomic' if is_race else ''}.\n"
    )


def _show_changes(sources: Sources, variant: Variant, options: argparse.Namespace, tell: Tell) -> None:
    """Prints the changes and the patch; writes what the options ask for."""
    changed = sources.changed(variant)
    patch = unified(sources.texts, changed)
    lines = "".join(f"  {line}\n" for line in described(sources, variant))
    tell(f"{lines}\n{patch}\n" if options.output != "-" else lines)
    if options.output is not None:
        write_text(options.output, patch, "--output")
    if options.write:
        for file, text in changed.items():
            _write_source(file, text)
        tell(f"written: {', '.join(map(shown, changed))}\n\n")


def _write_source(file: str, text: str) -> None:
    try:
        with open(file, "w", encoding="utf-8", newline="") as target:
            target.write(text)
    except OSError as error:
        message = f"cannot write {shown(file)}: {error.strerror}"
        hint = "leave out --write, and apply the patch yourself"
        raise UsageError(ErrorCode.CANNOT_WRITE, message, hint=hint) from error


def _tune(work: Work, options: argparse.Namespace, tell: Tell) -> int:
    status = _show_outcome(work.outcome, tell)
    if work.outcome.verdict not in ("verified", "bounded") or work.outcome.vacuous:
        tell("Only a program without violations can be tuned; 'mazurka fix' looks for stronger orderings.\n")
        return status or UNKNOWN
    sources, found = work.trials.sources, find_weakest(work.trials, work.reached)
    outcome = work.trials.run(found.variant).outcome
    assert outcome is not None  # it was checked
    if found.variant.size:
        tell(f"\nWeakened {_counted(found.variant.size)} ({checked_variants(found.attempts)}):\n")
        _show_changes(sources, found.variant, options, tell)
        tell("With this patch: ")
        _show_outcome(outcome, tell)
    else:
        tell(f"\nNo ordering can be weakened ({checked_variants(found.attempts)}).\n")
    tell(_needs(sources, found))
    if found.variant.size:
        tell("This is known of this program only: other uses of the same code may need stronger orderings.\n")
    return UNKNOWN if found.limit else _right_status(outcome, options)


def _counted(orderings: int) -> str:
    return "1 ordering" if orderings == 1 else f"{orderings} orderings"


def _needs(sources: Sources, found: Tuning) -> str:
    if found.limit:
        return f"\nThe search ended early: {found.limit}. Orderings may be stronger than needed.\n"
    if not found.needs:
        return "\nNo ordering is needed.\n"
    lines = ["\nWhat the orderings that are left are needed for:\n"]
    for ref, needs in groupby(found.needs, key=lambda need: need.ref):
        weaker = list(needs)
        lines.append(f"  {place_of(sources, ref)}: {call_of(sources, ref)}: {weaker[0].order}\n")
        lines += [f"    with {order_word(need.weaker)}: {need.finding}\n" for need in weaker]
    return "".join(lines)
