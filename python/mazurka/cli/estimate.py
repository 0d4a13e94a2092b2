"""``mazurka estimate``: how many executions a check would explore, and how long that would take."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.cli.progress import expectation
from mazurka.cli.terminal import print_text, write_text
from mazurka.watching.estimate import Estimate, Probe, concluded

if TYPE_CHECKING:
    from mazurka.checking.exploring import Watcher
    from mazurka.checking.outcome import Outcome

_NO_SAMPLE = """no sample finished in time
  hint: a loop may be endless: try --unroll N; 'mazurka check' names it"""
ESTIMATED, VIOLATION, UNKNOWN = 0, 1, 3


def run_estimate(options: argparse.Namespace, check: Callable[[Watcher], Outcome]) -> int:
    """Prints the estimate and returns the exit status. ``check`` checks with the options of the command."""
    probe = Probe(options.schedule_seed or 0, options.max_executions)
    outcome = check(probe)
    estimate = concluded(outcome, probe)
    if options.json != "-":
        print_text(_sentence(outcome, estimate, options.time_limit) + "\n")
    if options.json is not None:
        write_text(options.json, _as_json(outcome, estimate, options.time_limit))
    if estimate is None:
        return UNKNOWN
    return ESTIMATED if estimate.violation is None else VIOLATION


def _sentence(outcome: Outcome, estimate: Estimate | None, time_limit: float | None) -> str:
    under = f"under {outcome.model}"
    if estimate is None:
        return f"Unknown {under}: {'; '.join(outcome.warnings) or _NO_SAMPLE}"
    if estimate.violation is not None:
        from mazurka.report.text import kind_words  # late: most programs have none

        return f"Violation {under}: {kind_words(outcome, estimate.violation)}; see 'mazurka check'"
    word = "Counted" if estimate.exact else "Estimated"
    return f"{word} {under}: {expectation(estimate, estimate.seconds, time_limit)}"


def _as_json(outcome: Outcome, estimate: Estimate | None, time_limit: float | None) -> str:
    known = None if estimate is None else estimate._asdict()
    fits = None if estimate is None or time_limit is None else estimate.fits(time_limit)
    value = {"model": outcome.model, "equivalence": outcome.equivalence, "estimate": known, "fits": fits}
    return json.dumps(value, indent=2) + "\n"
