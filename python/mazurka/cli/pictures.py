"""Writes the pictures that ``mazurka check`` was asked for: ``--html``, ``--svg`` and ``--dot``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.checking.outcome import Outcome
from mazurka.cli.terminal import complain, print_text, write_text
from mazurka.errors import ErrorCode, UsageError
from mazurka.pictures.dot import dot
from mazurka.pictures.executions.pages import (
    MOST_EXECUTIONS,
    all_executions_page,
    picture_of_violation,
    violation_page,
)
from mazurka.pictures.picture import Picture
from mazurka.pictures.svg import svg

if TYPE_CHECKING:
    from mazurka.why_not.programs.expected import Answer


def write_pictures(
    outcome: Outcome,
    options: argparse.Namespace,
    collected: Callable[[], Outcome],
    answer: Answer | None = None,
) -> list[str]:
    """Writes the files, and returns which. ``collected`` checks once more, and keeps all executions;
    ``answer`` is that about an expected outcome."""
    written: list[str] = []
    missing: list[str] = []
    picture = picture_of_violation(outcome)
    if picture is None and answer is not None:
        from mazurka.pictures.executions.expected import picture_of_answer

        picture = picture_of_answer(outcome, answer)
    forms: dict[str, Callable[[Picture], str]] = {"svg": svg, "dot": dot}
    for form, draw in forms.items():
        path = getattr(options, form)
        if path is not None and picture is not None:
            write_text(path, draw(picture), f"--{form}")
        (missing if picture is None else written).extend([path] if path is not None else [])
    if options.html is not None:
        page = _page(outcome, options, collected, answer) if picture or options.all_executions else None
        if page is not None:
            write_text(options.html, page, "--html")
        (missing if page is None else written).append(options.html)
    if missing:
        _say_missing(options, outcome, missing, answer)
    return written


def _page(
    outcome: Outcome,
    options: argparse.Namespace,
    collected: Callable[[], Outcome],
    answer: Answer | None,
) -> str | None:
    """The page that is asked for; there is a picture, or all executions are to be drawn."""
    if not options.all_executions:
        if outcome.violation is not None or answer is None:
            return violation_page(outcome)
        from mazurka.pictures.executions.expected import answer_page

        return answer_page(outcome, answer)
    if outcome.compiled is None:
        return None
    if outcome.complete > MOST_EXECUTIONS:
        message = (
            f"the program has {_at_least(outcome)}{outcome.complete} executions, but a page shows at most "
            f"{MOST_EXECUTIONS}"
        )
        hint = "check fewer threads or fewer rounds of loops (--unroll N), or leave out --all-executions"
        raise UsageError(ErrorCode.TOO_LARGE, message, hint=hint)
    return all_executions_page(collected())


def _at_least(outcome: Outcome) -> str:
    return "at least " if outcome.verdict in ("interrupted", "violation") else ""


def _say_missing(
    options: argparse.Namespace, outcome: Outcome, missing: list[str], answer: Answer | None
) -> None:
    """Says what was not written: to standard error if standard output has something else."""
    say = complain if "-" in vars(options).values() else lambda text: print_text(f"{text}\n")
    cure = "" if outcome.violation or options.all_executions else "; --all-executions shows executions"
    why = (
        "there is no execution to draw for this violation" if outcome.violation else "no violation was found"
    )
    if answer is not None and not outcome.violation:
        why = "no execution was found with the expected outcome"
    say(f"{why}, so nothing was written to {', '.join(missing)}{cure}")
