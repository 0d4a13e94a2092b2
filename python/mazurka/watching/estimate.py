"""Estimates how many executions a program has, and how long exploring them takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mazurka._engine import Explored, Progress
    from mazurka.checking.check import Checked
    from mazurka.checking.outcome import Outcome

SAMPLING_SECONDS = 0.5  # an estimate is not worth more: it is there to decide whether to wait
PROBE_SECONDS = 0.3  # how long a program is explored to see how fast that is
MOST_SAMPLES = 1000
PRECISION = 0.05  # standard error by mean
ENOUGH_SAMPLES = 8  # fewer tend to miss the rare choices that lead to most executions, and agree by chance
LARGE = 1e8  # of so many executions, samples see so little that most may be behind choices that they missed


class Estimate(NamedTuple):
    """How much there probably is to explore. What is called expected is a mean, and may be far off."""

    executions: float  # complete and blocked ones, expected
    low: float | None  # probably not fewer; None: there are too few samples to say
    high: float | None  # probably not more; None: for the same reason, or there may be many more
    explored: float  # those that are explored, expected; they stand for all
    exact: bool  # the numbers are no estimates
    samples: int
    seconds: float | None = None  # expected time of a check, compiling included; None: unknown
    violation: str | None = None  # the kind of a violation that was met meanwhile: a check ends there
    model: str = ""
    equivalence: str = "co"
    stops_after: float | None = (
        None  # explored executions: a check ends there (max_executions); None: at the end
    )

    def fits(self, time_limit: float) -> bool | None:
        """Whether a check probably ends within so many seconds; None if that is unknown.

        Without an upper bound, all that is known is whether it does not.
        """
        if self.seconds is None or (self.high is None and self.seconds <= time_limit):
            return None
        return self.seconds <= time_limit


def sampled(run: Callable[..., Explored], seed: int, progress: Progress | None = None) -> Explored:
    """Samples instead of exploring; ``run`` explores with further options."""
    asked = {"sampling": (seed, MOST_SAMPLES, PRECISION), "time_limit": SAMPLING_SECONDS}
    return run(**asked, progress=progress, max_executions=None)


def estimate_of(found: Explored) -> Estimate | None:
    """What samples say; None if they say nothing."""
    raw = found.estimate
    if raw is None or not raw.samples or found.status not in ("finished", "interrupted"):
        return None
    mean, low, high = raw.executions
    is_known = raw.exact or raw.samples >= ENOUGH_SAMPLES
    is_bounded = is_known and (raw.exact or mean < LARGE)
    return Estimate(
        mean,
        low if is_known else None,
        high if is_bounded else None,
        raw.explored[0],
        raw.exact,
        raw.samples,
    )


class Probe:
    """Samples a program, and explores it for a moment: what ``check`` does instead of exploring."""

    def __init__(self, seed: int, max_executions: int | None = None) -> None:
        self.seed = seed
        self.most = max_executions  # of the check; it has nothing to do with how many there are
        self.estimate: Estimate | None = None

    def explore(self, run: Callable[..., Explored], workers: int) -> Explored:
        """Explores for a moment; if that is all there is, it needs no samples."""
        probed = run(
            time_limit=PROBE_SECONDS, max_executions=None, workers=workers if self.most is None else 1
        )
        self.estimate = self._counted(probed)
        if self.estimate is None and probed.status == "interrupted":
            found = sampled(run, self.seed)
            if found.status in ("violation", "refused"):
                return found
            self.estimate = estimate_of(found)
            explored = probed.explored_complete + probed.explored_blocked
            if self.estimate is not None and explored:
                seconds = self.estimate.explored / explored * probed.seconds
                self.estimate = self.estimate._replace(seconds=max(seconds, probed.seconds))
        if self.estimate is not None and self.most is not None:
            self.estimate = _stopped(self.estimate, self.most)
        return probed

    def _counted(self, probed: Explored) -> Estimate | None:
        if probed.status != "finished":
            return None
        executions = float(probed.complete + probed.blocked)
        explored = float(probed.explored_complete + probed.explored_blocked)
        return Estimate(executions, executions, executions, explored, True, 0, probed.seconds)


def _stopped(known: Estimate, most: int) -> Estimate:
    """The estimate of a check that ends after so many explored executions."""
    if known.explored <= most:
        return known
    seconds = None if known.seconds is None else known.seconds * most / known.explored
    return known._replace(seconds=seconds, stops_after=float(most))


def estimate(program: Checked, *, seed: int = 0, **options: Any) -> Estimate | None:
    """Estimates how many executions a program has, in about a second.

    The ``program`` is anything that ``check`` takes, and ``options`` are its options; ``seed`` is that of the
    samples. A program that is explored within a moment is counted. None: nothing is known, because no sample
    came to its end in time.
    """
    from mazurka.checking.check import check
    from mazurka.checking.options import check_number, check_numbers

    check_number("seed", seed)
    check_numbers(seed, None)
    probe = Probe(seed, options.get("max_executions"))
    return concluded(check(program, watch=probe, **options), probe)


def concluded(outcome: Outcome, probe: Probe) -> Estimate | None:
    """What a probe found, with what the check knows besides."""
    if outcome.violation is not None:
        seen = float(outcome.complete + outcome.blocked)
        known = Estimate(seen, seen, seen, seen, False, 0, violation=outcome.violation.kind)
    elif probe.estimate is not None:
        known = probe.estimate
    else:
        return None
    total = None if known.seconds is None else known.seconds + outcome.seconds_frontend
    return known._replace(seconds=total, model=outcome.model, equivalence=outcome.equivalence)
