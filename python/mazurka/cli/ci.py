"""``--junit`` and ``--sarif``: writes the answers of checks for continuous integration."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mazurka.checking.outcome import Outcome
from mazurka.cli.terminal import complain, write_text
from mazurka.errors import ErrorCode, MazurkaError, UsageError
from mazurka.models.registry import DEFAULT_MODEL
from mazurka.report.ci import Case

if TYPE_CHECKING:
    from mazurka.why_not.programs.expected import Answer


def case_of(options: argparse.Namespace, answer: Outcome | MazurkaError, status: int) -> Case:
    """The answer of a check of some files."""
    name = " ".join(options.files) or options.compile_commands or "check"
    file = next(iter(options.files), options.compile_commands or "")
    if isinstance(answer, MazurkaError):
        return Case(name, options.model or DEFAULT_MODEL, None, answer, status, file=file)
    return Case(name, answer.model, answer, None, status, file=file)


def answered(case: Case, outcome: Outcome, answer: Answer) -> Case:
    """The answer about an expected outcome beside that of the check."""
    return case._replace(complaint=answer.complaint, explanation=answer.report(outcome), cycle=answer.cycle)


def write_ci_files(cases: Sequence[Case], options: argparse.Namespace, status: int | None = None) -> None:
    """Writes the files that are asked for."""
    if options.junit is not None:
        from mazurka.report.ci.junit import as_junit

        write_text(options.junit, as_junit(cases), "--junit")
    if options.sarif is not None:
        from mazurka.report.ci.sarif import as_sarif

        worst = max((case.status for case in cases), default=0) if status is None else status
        write_text(options.sarif, as_sarif(cases, folder=os.getcwd(), status=worst), "--sarif")


def write_error(error: MazurkaError, options: argparse.Namespace, status: int) -> None:
    """Writes the files of a check that has no answer. If that fails, too, a message says so."""
    if error.code == ErrorCode.CANNOT_WRITE or (options.junit is None and options.sarif is None):
        return
    from mazurka.cli.commands import CHECK_OUTPUTS  # late: it imports this module

    if [getattr(options, output) for output in CHECK_OUTPUTS].count("-") > 1:
        return  # that is the error: only one of them may be there
    try:
        write_ci_files([case_of(options, error, status)], options)
    except UsageError as failure:
        complain(f"mazurka: {failure}")
