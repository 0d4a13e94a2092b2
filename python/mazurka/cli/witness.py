"""Witnesses: ``mazurka check --witness`` writes them, and ``mazurka replay`` runs those of Mazurka again."""

from __future__ import annotations

import argparse
import sys

from mazurka.checking.outcome import Outcome
from mazurka.cli.check_options import check_keywords
from mazurka.cli.terminal import complain, has_colour, print_text, width, write_text

VIOLATION = 1


def write_witness(outcome: Outcome, options: argparse.Namespace) -> list[str]:
    """For other tools if there is a property, else for ``mazurka replay``; says so if there is no witness.

    Returns what was written.
    """
    if options.property is None:
        from mazurka.replay import as_replay

        text = as_replay(outcome, options.files, check_keywords(options))
        reason = "no violation was found"
    else:
        text = _for_other_tools(outcome, options)
        reason = "the property is neither proved nor refuted"
    if text is None:
        complain(f"mazurka: no witness is written, because {reason}")
        return []
    write_text(options.witness, text, "--witness")
    return [options.witness]


def _for_other_tools(outcome: Outcome, options: argparse.Namespace) -> str | None:
    import uuid
    from datetime import datetime, timezone

    from mazurka.witness import as_witness

    now = datetime.now(timezone.utc).replace(microsecond=0).isoformat()
    return as_witness(outcome, options.files, uuid=str(uuid.uuid4()), time=now)


def run_replay(options: argparse.Namespace) -> int:
    """Runs the execution of a witness again, and reports it."""
    from mazurka.replay import replay
    from mazurka.report import as_text

    outcome = replay(options.witness_file)
    print_text(as_text(outcome, width=width(), colour=has_colour(sys.stdout), calls=options.calls))
    return VIOLATION
