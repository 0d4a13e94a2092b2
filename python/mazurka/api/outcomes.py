"""An Outcome for people: its report, and what a notebook shows.

That is the verdict, a picture of the execution that goes wrong, and the report behind a click.
"""

from __future__ import annotations

from html import escape

from mazurka.checking.outcome import Outcome
from mazurka.pictures.executions.pages import picture_of_violation
from mazurka.pictures.svg import svg
from mazurka.report import as_text
from mazurka.report.text import headline

_COLOURS = {"verified": "#1a7f37", "violation": "#cf222e", "bounded": "#9a6700", "interrupted": "#9a6700"}


def outcome_as_text(
    outcome: Outcome,
    *,
    width: int = 100,
    colour: bool = False,
    verbose: bool = False,
    explain: bool = False,
    calls: bool = False,
) -> str:
    """The report that ``mazurka check`` prints, ending in a newline.

    It has lines of about ``width`` characters. ``colour`` adds the escape codes of terminals; the others are
    the options of the command.
    """
    options = {"verbose": verbose, "explain": explain, "calls": calls}
    return as_text(outcome, width=width, colour=colour, **options)


def outcome_as_html(outcome: Outcome) -> str:
    """A fragment of HTML that needs nothing else."""
    colour = _COLOURS[outcome.verdict]
    parts = [f'<p style="color: {colour}; font-weight: bold">{escape(headline(outcome))}</p>']
    parts += [f"<p>{escape(warning)}</p>" for warning in outcome.warnings]
    violation = outcome.violation
    if violation is not None:
        where = violation.location
        place = f"{where.file}:{where.line}: " if where else ""
        parts.append(f"<p>{escape(place + violation.message)}</p>")
    picture = picture_of_violation(outcome)
    if picture is not None:
        parts.append(svg(picture))
    report = escape(as_text(outcome))
    parts.append(f"<details><summary>The report</summary><pre>{report}</pre></details>")
    return f'<div class="mazurka">{"".join(parts)}</div>'
