"""``mazurka fix`` and ``mazurka tune``: search for other orderings, show the patch, write it if asked to."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import groupby
from typing import Any, Protocol

from mazurka.checking.outcome import Outcome
from mazurka.cli.terminal import (
    complain,
    has_colour,
    print_text,
    refuse_overwriting,
    width,
    write_text,
)
from mazurka.errors import ErrorCode, UsageError
from mazurka.repair.answer import Repair, fixed, tuned
from mazurka.repair.inputs import Inputs
from mazurka.repair.orders import REMOVED
from mazurka.repair.ownfiles import shown
from mazurka.repair.trials import checked_variants
from mazurka.repair.work import Work, begun

UNKNOWN = 3
_OUTPUTS = ("output", "json")
_ORDERINGS = ("NA", "RLX", "ACQ", "REL", "SC")  # what models may say about an access
Tell = Callable[[str], None]


class Checked(Protocol):
    """Checks what options say, with some of those of ``mazurka.check`` changed."""

    def __call__(self, options: argparse.Namespace, **changed: Any) -> Outcome: ...


def run_repair(options: argparse.Namespace, checked: Checked) -> int:
    """Runs ``fix`` or ``tune``, and returns the exit status."""
    refuse_overwriting(options, _OUTPUTS)
    if options.output == options.json == "-":
        message = "only one output may use standard output"
        raise UsageError(ErrorCode.USAGE, message, hint="give --output or --json a file")
    begin = time.perf_counter()
    inputs = Inputs.of(options.files, options.cflags, options.compile_commands)
    limits = options.attempts, options.time_limit
    tell = _teller(options)
    with begun(inputs, lambda **changed: checked(options, **changed), *limits) as work:
        before = work.outcome if isinstance(work, Work) else work
        _show_outcome(before, tell)
        repair = fixed(work) if options.command == "fix" else tuned(work)
    show = _show_fix if options.command == "fix" else _show_tuning
    show(repair, options, tell)
    if options.json is not None:
        from mazurka.repair.as_json import repair_as_json

        seconds, written = time.perf_counter() - begin, bool(options.write and repair.changes)
        text = repair_as_json(repair, command=options.command, written=written, seconds=seconds)
        write_text(options.json, text)
    return _status(repair, options)


def _teller(options: argparse.Namespace) -> Tell:
    """How to print text: not on standard output beside a patch, and not at all beside JSON."""
    if options.json == "-":
        return lambda text: None
    return _to_standard_error if options.output == "-" else print_text


def _to_standard_error(text: str) -> None:
    if text:
        complain(text.removesuffix("\n"))


def _status(repair: Repair, options: argparse.Namespace) -> int:
    """0 if the program as it is now was checked and is correct, 1 if there is a violation, else 3."""
    if repair.result in ("unfixed", "wrong"):
        return 1
    answer = repair.before if repair.result == "correct" else repair.after
    if repair.limit or answer is None:
        return UNKNOWN
    return 0 if answer.verdict == "verified" or options.allow_bounded else UNKNOWN


def _show_outcome(outcome: Outcome, tell: Tell) -> None:
    """Prints a verdict, without the execution."""
    from mazurka.report import as_text

    text = as_text(outcome, width=width(), colour=has_colour(sys.stdout))
    tell(text.split("\n\n")[0].rstrip("\n") + "\n")


def _show_fix(repair: Repair, options: argparse.Namespace, tell: Tell) -> None:
    if repair.before.verdict != "violation":
        found = "There is nothing to fix" if repair.result == "correct" else "Nothing to fix was found"
        tell(f"{found}, but {repair.limit}.\n" if repair.limit else f"{found}.\n")
        return
    if repair.after is None:
        tell(_not_fixed(repair))
        return
    changes = "one change" if len(repair.changes) == 1 else f"{len(repair.changes)} changes"
    tell(f"\nFixed by {changes} ({checked_variants(repair.variants)}):\n")
    if len(repair.changes) > 1:
        tell("  No single change was enough, and none of these can be left out.\n")
    _show_changes(repair, options, tell)


def _not_fixed(repair: Repair) -> str:
    outcome = repair.before
    is_race = any(one.kind == "race" for one in (outcome.violation, repair.left) if one is not None)
    if repair.unchangeable:
        plain = "Plain accesses that race need a lock, or must become atomic.\n" if is_race else ""
        return f"\nNot fixed: {repair.unchangeable}. A fix may exist.\n{plain}"
    if repair.limit:
        return f"\nNo fix was found before the search ended: {repair.limit}. A fix may exist.\n"
    if not repair.orderings:
        return "\nNot fixed: the program reaches no atomic operation whose ordering could be changed.\n" + (
            "Plain accesses that race need a lock, or must become atomic.\n"
            if is_race
            else f"The algorithm is wrong under {outcome.model}.\n"
        )
    fences = ", with fences around the accesses" if repair.fenced else ""
    return (
        f"\nNot fixed: no change of orderings helps ({checked_variants(repair.variants)}).\n"
        f"With all {_counted(repair.orderings)} that the program reaches at seq_cst{fences}, "
        "there is still:\n"
        f"  {repair.left}\n"
        f"So the algorithm is wrong under {outcome.model}"
        f"{', or plain accesses need a lock or must become atomic' if is_race else ''}.\n"
    )


def _show_changes(repair: Repair, options: argparse.Namespace, tell: Tell) -> None:
    """Prints the changes, the patch and what becomes of the program; writes what the options ask for."""
    from mazurka.report.text import headline

    lines = "".join(f"  {change}\n" for change in repair.changes)
    tell(f"{lines}\n{repair.patch}\n" if options.output != "-" else lines)
    if options.output is not None:
        write_text(options.output, repair.patch, "--output")
    if options.write:
        for file, text in repair.texts.items():
            _write_source(file, text)
        tell(f"written: {', '.join(map(shown, repair.texts))}\n\n")
    assert repair.after is not None, "what is changed was checked"
    tell(f"With this patch: {headline(repair.after)}\n")


def _write_source(file: str, text: str) -> None:
    try:
        with open(file, "w", encoding="utf-8", newline="") as target:
            target.write(text)
    except OSError as error:
        message = f"cannot write {shown(file)}: {error.strerror}"
        hint = "leave out --write, and apply the patch yourself"
        raise UsageError(ErrorCode.CANNOT_WRITE, message, hint=hint) from error


def _show_tuning(repair: Repair, options: argparse.Namespace, tell: Tell) -> None:
    if repair.after is None:
        wrong = (
            "Only a program without violations can be tuned; 'mazurka fix' looks for stronger orderings.\n"
        )
        tell(wrong if repair.result == "wrong" else f"Nothing was tuned: {repair.limit}.\n")
        return
    if repair.changes:
        tell(f"\nWeakened {_counted(len(repair.changes))} ({checked_variants(repair.variants)}):\n")
        _show_changes(repair, options, tell)
    elif not repair.orderings:
        tell(_nothing_to_tune(repair))
        return
    else:
        found = "No weaker ordering was found" if repair.limit else "No ordering can be weakened"
        tell(f"\n{found} ({checked_variants(repair.variants)}).\n")
    tell(_needs(repair))
    if repair.changes:
        tell("This holds only for this program: other uses of the same code may need stronger orderings.\n")
    if options.races is None and _ignores_orderings(repair.before):
        name = repair.before.model
        tell(f"Under {name} orderings make no difference; they may be needed under others, such as rc11.\n")


def _nothing_to_tune(repair: Repair) -> str:
    if not repair.unchangeable:
        return "\nThere is nothing to tune: the program has no atomic operation that could be weakened.\n"
    return (
        "\nThere is nothing to tune: the program's atomic accesses are written without a call (x = 1) or "
        "take their ordering from a variable, and those are not changed.\n"
    )


def _ignores_orderings(outcome: Outcome) -> bool:
    """Whether the model does not distinguish accesses by their orderings."""
    from mazurka.kat.language.load import named_model
    from mazurka.kat.meaning.terms import Primitive, some_mentions

    model = named_model(outcome.model_file or outcome.model)
    stated = [one.relation for one in (*model.axioms, *model.pieces)]
    ruled = [side for rule in model.errors for side in (rule.constraint.left, rule.constraint.right)]
    whole = [*stated, *ruled, *model.views.values(), model.ppo]
    return not model.mapping and not any(some_mentions(whole, Primitive(name)) for name in _ORDERINGS)


def _counted(orderings: int) -> str:
    return "1 ordering" if orderings == 1 else f"{orderings} orderings"


def _needs(repair: Repair) -> str:
    if repair.limit:
        return f"\nThe search ended early: {repair.limit}. Orderings may be stronger than needed.\n"
    if not repair.needs:
        if repair.unchangeable:
            return f"\nNo ordering that can be changed is needed, but {repair.unchangeable}.\n"
        return "\nNo ordering is needed.\n"
    lines = ["\nWhy the remaining orderings are needed:\n"]
    for (file, line, call, order), weaker in groupby(repair.needs, key=lambda need: need[:4]):
        lines.append(f"  {file}:{line}: {call}: {order}\n")
        lines += [
            f"    with {'no fence' if need.weaker == REMOVED else need.weaker}: {need.finding}\n"
            for need in weaker
        ]
    return "".join(lines)
