"""Shows on standard error how far a check has come: a live line on a terminal, plain lines in a log.

The live line needs no library: it is one line of text that is written again after a carriage return, padded
with blanks. That works on every terminal, dumb ones included, whatever their control sequences are, and costs
no import. What libraries such as rich or tqdm add (bars, colours, several lines) is not wanted here.

I1: what was shown is gone before anything else is printed (``end``).
"""

from __future__ import annotations

from typing import TextIO

from mazurka.cli.terminal import complain, width_of
from mazurka.report.text import percent
from mazurka.watching.estimate import Estimate
from mazurka.watching.progress import Progress

BETWEEN_LINES = 10.0  # seconds between two lines of a log


class Display:
    """Where progress is shown."""

    def __init__(self, stream: TextIO, *, is_live: bool, time_limit: float | None) -> None:
        self.stream = stream
        self.is_live = is_live
        self.time_limit = time_limit
        self.shown = ""
        self.next_line = 0.0
        self.tells_estimate = True

    def show(self, progress: Progress) -> None:
        """Shows it; a stream that cannot be written to is left alone."""
        if progress.estimate is not None and self.tells_estimate:
            self.tells_estimate = False
            self.end()
            complain("mazurka: " + expectation(progress.estimate, _time_of(progress), self.time_limit))
        if self.is_live:
            self._rewrite(progress_line(progress, width_of(self.stream) - 1))
        elif progress.seconds >= self.next_line:
            self.next_line = progress.seconds + BETWEEN_LINES
            complain("mazurka: " + progress_line(progress))

    def end(self) -> None:
        """Removes the live line."""
        if self.shown:
            self._rewrite("")
            self._write("\r")

    def _rewrite(self, text: str) -> None:
        text = text[: width_of(self.stream) - 1]
        self._write("\r" + text.ljust(len(self.shown)))
        self.shown = text

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):  # nobody looks
            self.is_live = False


def progress_line(progress: Progress, room: int | None = None) -> str:
    """How far a check has come; if that does not fit in ``room``, its least important parts are left out."""
    executions = f"{count(progress.executions)} executions"
    blocked = f" ({count(progress.blocked)} blocked)"
    rate = f", {count(rounded(progress.rate))}/s"
    workers = f", {progress.workers} worker{'s' * (progress.workers != 1)}"
    left = progress.seconds_left
    time = "time left unknown" if left is None else f"about {duration(left)} left"
    end = f", {percent(progress.fraction)} of the choices, {time}"
    more = [blocked, rate, workers]
    while more and room is not None and len(executions) + len(end) + sum(map(len, more)) > room:
        more.pop()
    return "".join([executions, *more, end])


def expectation(estimate: Estimate, seconds: float | None, time_limit: float | None) -> str:
    """What is expected of a check, in a sentence without its full stop."""
    said = _number_of_executions(estimate)
    if estimate.stops_after is not None:
        said = f"{said}, of which --max-executions lets a check explore {count(estimate.stops_after)}"
    if seconds is None:
        return f"{said}; the time they take is unknown"
    in_all = "" if estimate.stops_after is not None else " in all"
    said = f"{said}, {'' if estimate.exact else 'about '}{duration(seconds)}{in_all}"
    if time_limit is None:
        return said
    answer = estimate._replace(seconds=seconds).fits(time_limit)
    fits = {True: "fits", False: "does not fit", None: "may fit"}[answer]
    return f"{said}, which {fits} within --time-limit {time_limit:g}"


def _number_of_executions(estimate: Estimate) -> str:
    if estimate.exact:
        return "1 execution" if estimate.executions == 1 else f"{count(estimate.executions)} executions"
    about = f"about {count(rounded(estimate.executions))} executions"
    if estimate.low is None:
        samples = "a single sample" if estimate.samples == 1 else f"only {estimate.samples} samples"
        return f"{about} (from {samples}, so possibly many more)"
    low = count(rounded(estimate.low))
    if estimate.high is None:
        return f"{about} (probably {low} or more)"
    return f"{about} (probably {low} to {count(rounded(estimate.high))})"


def _time_of(progress: Progress) -> float | None:
    left = progress.seconds_left
    return None if left is None else progress.seconds + left


def rounded(number: float) -> float:
    """With two significant digits."""
    return float(f"{number:.1e}")


def count(number: float) -> str:
    """A whole number in groups of three digits, or a power of ten where nobody would count them."""
    return f"{number:.1e}" if number >= 1e15 else f"{number:,.0f}".replace(",", " ")


def duration(seconds: float) -> str:
    """A time as people would say it."""
    if seconds < 1:
        return "1 s" if seconds > 0.5 else f"{seconds:.1f} s"
    for unit, name, limit in ((1, "s", 100), (60, "min", 100), (3600, "h", 48), (86400, "days", 1000)):
        if seconds / unit < limit:
            return f"{seconds / unit:.0f} {name}"
    return f"{count(rounded(seconds / 86400 / 365))} years"
