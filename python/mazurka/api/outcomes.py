"""An Outcome for people: its report, and what a notebook shows.

That is the verdict, a picture of the execution that goes wrong, and the report behind a click.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from mazurka.checking.outcome import Outcome
from mazurka.pictures.executions.drawing import WEAK
from mazurka.pictures.executions.pages import picture_of_violation
from mazurka.pictures.svg import svg
from mazurka.report import as_text
from mazurka.report.text import headline
from mazurka.report.violation import reason_lines

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from mazurka.checking.outcome import Looks

_COLOURS = {"verified": "#1a7f37", "violation": "#cf222e", "bounded": "#9a6700", "interrupted": "#9a6700"}


def outcome_as_text(outcome: Outcome, **looks: Unpack[Looks]) -> str:
    """The report that ``mazurka check`` prints, ending in a newline.

    It has lines of about ``width`` characters (100 by default). ``colour`` adds the escape codes of
    terminals; ``verbose``, ``explain`` and ``calls`` are the options of the command.
    """
    return as_text(outcome, **looks)


def outcome_as_html(outcome: Outcome) -> str:
    """A fragment of HTML that needs nothing else."""
    colour = _COLOURS[outcome.verdict]
    parts = [f'<p style="color: {colour}; font-weight: bold">{escape(headline(outcome))}</p>']
    parts += [f"<p>{escape(warning)}</p>" for warning in outcome.warnings]
    parts += [f"<p>{escape(text)}</p>" for text in _said(outcome)]
    picture = picture_of_violation(outcome)
    if picture is not None:
        heads = tuple(head for head in picture.heads if head.startswith(WEAK))  # the others are said above
        parts.append(svg(replace(picture, heads=heads)))
    report = escape(as_text(outcome))
    parts.append(f"<details><summary>The report</summary><pre>{report}</pre></details>")
    return f'<div class="mazurka">{"".join(parts)}</div>'


def _said(outcome: Outcome) -> Iterator[str]:
    """What went wrong, and why."""
    violation = outcome.violation
    if violation is None:
        return
    where = violation.location
    yield f"{where.file}:{where.line}: {violation.message}" if where else violation.message
    yield from reason_lines(outcome, violation)
    if violation.missing:
        yield violation.missing
