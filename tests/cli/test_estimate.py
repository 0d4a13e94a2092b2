"""``mazurka estimate``, progress, and answers of explorations that end early."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pickle
import pty
import re
import struct
import termios
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import mazurka
import pytest
from command import mazurka as run
from command import write
from mazurka.cli.estimate import _sentence
from mazurka.cli.progress import Display, duration, expectation, progress_line
from mazurka.report.text import percent
from mazurka.watching.estimate import ENOUGH_SAMPLES, Estimate, estimate_of
from mazurka.watching.progress import Progress, Watch
from profiles import some

if TYPE_CHECKING:
    from mazurka._engine import Explored

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "benchmarks" / "programs"
FIB = str(PROGRAMS / "fib_bench.c")
# So many executions that nothing ends by itself.
LARGE = [str(PROGRAMS / "lastzero.c"), "-DN=40", "--model", "sc"]
KNOWN = Estimate(1_234_567.0, 1_000_000.0, 2_000_000.0, 1_234_567.0, False, 20, 100.0)

pytestmark = pytest.mark.usefixtures("cache")


def test_a_small_program_is_counted() -> None:
    ran = run("estimate", FIB, "-DN=2", "--model", "sc")
    assert (ran.status, ran.err) == (0, "")
    assert re.fullmatch(r"Counted under sc: 140 executions, [\d.]+ s in all\n", ran.out)


def test_a_limit_of_executions_is_not_one_of_the_estimate() -> None:
    limited = run("estimate", FIB, "-DN=2", "--model", "sc", "--max-executions", "7")
    said = r"Counted under sc: 140 executions, of which --max-executions lets a check explore 7, [\d.]+ s\n"
    assert re.fullmatch(said, limited.out)
    same = run("estimate", FIB, "-DN=2", "--model", "sc", "--max-executions", "140")
    assert re.fullmatch(r"Counted under sc: 140 executions, [\d.]+ s in all\n", same.out)
    estimate = mazurka.estimate(LARGE[0], model="sc", cflags=["-DN=40"], max_executions=10)
    assert estimate is not None
    assert (estimate.stops_after, estimate.executions > 1e6) == (10.0, True)


def test_a_large_program_is_estimated() -> None:
    ran = run("estimate", *LARGE, "--time-limit", "5", "--json", "-")
    value = json.loads(ran.out)
    assert (ran.status, value["model"], value["fits"]) == (0, "sc", False)
    estimate = Estimate(**value["estimate"])
    assert estimate.high is None
    if estimate.low is None:
        assert estimate.samples < ENOUGH_SAMPLES
    else:
        assert estimate.low <= estimate.executions
    # There are 43 * 2^38 of them, and samples of programs that large are too low more often than too high.
    assert 1e6 < estimate.executions < 43 * 2**38 * 10


@pytest.mark.parametrize("command", ["estimate", "fix", "tune"])
def test_only_check_reads_projects(command: str) -> None:
    ran = run(command)
    assert (ran.status, ran.out) == (2, "")
    assert "no files were given [usage]" in ran.err
    assert "only 'mazurka check' takes those of a mazurka.toml" in ran.err


def test_an_endless_loop_is_suspected() -> None:
    unknown = cast("mazurka.Outcome", SimpleNamespace(model="rc11", warnings=()))
    said = _sentence(unknown, None, 1.0).splitlines()
    assert said[0] == "Unknown under rc11: no sample finished in time"
    assert said[1].startswith("  hint: a loop may be endless: try --unroll N")


def test_violations_are_said(tmp_path: Path) -> None:
    ran = run("estimate", write(tmp_path, "int main(void) { __builtin_trap(); }\n"))
    assert ran.status in (1, 2)
    assert run("estimate", ROOT / "tests" / "programs" / "race_plain_counter.c").status == 1


def test_bad_input_is_refused_as_by_check(tmp_path: Path) -> None:
    missing = tmp_path / "missing.c"
    assert run("estimate", missing).err == run("check", missing).err != ""


def test_the_api() -> None:
    estimate = mazurka.estimate(FIB, model="sc", cflags=["-DN=2"])
    assert estimate is not None
    assert (estimate.executions, estimate.exact, estimate.model) == (140.0, True, "sc")
    assert estimate.fits(1e9)
    assert pickle.loads(pickle.dumps(estimate)) == estimate


def test_a_limit_of_executions_is_told_with_what_it_covers() -> None:
    ran = run("check", FIB, "-DN=3", "--model", "sc", "--max-executions", "100", "--json", "-")
    value = json.loads(ran.out)
    assert (ran.status, value["verdict"]) == (3, "interrupted")
    assert value["executions"]["complete"] == 100
    assert 0 < value["fraction"] < 1
    text = run("check", FIB, "-DN=3", "--model", "sc", "--max-executions", "100").out
    assert "100 complete executions, 0 blocked, " in text
    assert "% of the choices covered" in text


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    outcome = mazurka.check(FIB, model="sc", cflags=["-DN=2"], max_executions=141)
    assert (outcome.verdict, outcome.complete, outcome.fraction) == ("verified", 140, 1.0)


@pytest.mark.parametrize("most", ["0", "-1"])
def test_a_limit_must_be_positive(most: str) -> None:
    ran = run("check", FIB, f"--max-executions={most}")
    assert ran.status == 2
    assert "out of range" in ran.err


@pytest.mark.parametrize("options", some(["", "--progress=never", "--progress=always --quiet"], every=3))
def test_nothing_is_shown_unless_asked(options: str) -> None:
    assert run("check", *LARGE, "--time-limit", "2.2", *options.split()).err == ""


def test_a_log_has_plain_lines() -> None:
    ran = run("check", *LARGE, "--time-limit", "2.5", "--progress", "always", "--workers", "1")
    expected, line = ran.err.splitlines()
    assert "which does not fit within --time-limit 2.5" in expected
    assert re.fullmatch(
        r"mazurka: [\d ]+ executions \(0 blocked\), [\d ]+/s, 1 worker, "
        r"(less than 0.01|\d+\.\d+) % of the choices, about .* left",
        line,
    )
    assert "\r" not in ran.err


def test_a_watch_sees_fractions_that_grow() -> None:
    seen: list[Progress] = []
    watch = Watch(seen.append, patience=0.0)
    outcome = mazurka.check(LARGE[0], model="sc", cflags=["-DN=40"], time_limit=1.5, watch=watch, workers=2)
    fractions = [one.fraction for one in seen]
    assert fractions
    assert fractions == sorted(fractions)
    assert outcome.verdict == "interrupted"
    assert outcome.fraction >= fractions[-1]


def test_a_live_line_is_written_again_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    stream = io.StringIO()
    display = Display(stream, is_live=True, time_limit=None)
    display.show(Progress(1.0, 1_000, 0, 0.5, 1))
    display.show(Progress(2.0, 3_000, 10, 0.75, 1))
    display.end()
    first, second, blank, rest = stream.getvalue().split("\r")[1:]
    assert first.startswith("1 000 executions")
    assert second.startswith("3 010 executions (10 blocked), 1 500/s")
    assert (blank.strip(), rest) == ("", "")
    assert len(blank) == len(second.rstrip())


def test_a_live_line_fits_its_own_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output may be a file, or another terminal; a line that wraps could not be written again."""
    monkeypatch.setenv("COLUMNS", "200")
    ours, theirs = pty.openpty()
    try:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 32, 0, 0))
        with open(theirs, "w", closefd=False) as stream:
            display = Display(stream, is_live=True, time_limit=None)
            display.show(Progress(2.0, 3_000, 10, 0.75, 1))
            written = os.read(ours, 1000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert written.startswith("\r3 010 executions, 75.0 %")
    assert len(written) - 1 < 32


def test_the_time_left() -> None:
    half = Progress(10.0, 1_000, 0, 0.5, 1)
    assert half.seconds_left == 10.0
    assert half._replace(estimate=KNOWN._replace(executions=5_000.0)).seconds_left == 40.0
    assert half._replace(estimate=KNOWN._replace(executions=900.0)).seconds_left == 10.0
    assert half._replace(complete=0).seconds_left is None


def test_words() -> None:
    assert [percent(f) for f in (0.0, 1e-9, 0.0012, 0.125, 0.99999, 1 - 2**-53, 1.0)] == [
        *("0.00 %", "less than 0.01 %", "0.12 %", "12.5 %", "99.9 %", "99.9 %", "100 %")
    ]
    assert [duration(s) for s in (0.2, 0.7, 59, 600, 7200, 9e5, 1e12)] == [
        *("0.2 s", "1 s", "59 s", "10 min", "2 h", "10 days", "32 000 years")
    ]
    said = "about 1 200 000 executions (probably 1 000 000 to 2 000 000), about 2 min in all"
    assert expectation(KNOWN, 100.0, None) == said
    assert expectation(KNOWN, 100.0, 60).endswith("which does not fit within --time-limit 60")
    assert progress_line(Progress(1.0, 0, 0, 0.0, 2)).endswith(
        "2 workers, 0.00 % of the choices, time left unknown"
    )


def test_few_samples_have_no_interval() -> None:
    """They agree by chance: under a slow model, a single one would be an interval of its own."""

    def sampled(samples: int, *, exact: bool = False, mean: float = 900.0) -> Estimate | None:
        raw = SimpleNamespace(executions=(mean, 800.0, 990.0), explored=(90.0,), exact=exact, samples=samples)
        return estimate_of(cast("Explored", SimpleNamespace(estimate=raw, status="interrupted")))

    few, many, exact = sampled(2), sampled(8), sampled(1, exact=True)
    assert few is not None
    assert many is not None
    assert exact is not None
    assert (few.low, few.high) == (None, None)
    assert (many.low, many.high) == (exact.low, exact.high) == (800.0, 990.0)
    about = "about 900 executions (from only 2 samples, so possibly many more), about 3 s in all"
    assert expectation(few, 3.0, None) == about
    assert expectation(few._replace(samples=1), 3.0, None) == about.replace(
        "only 2 samples", "a single sample"
    )
    assert expectation(few, 3.0, 4.0) == about + ", which may fit within --time-limit 4"
    assert expectation(few, 3.0, 2.0) == about + ", which does not fit within --time-limit 2"
    assert few._replace(seconds=3.0).fits(4.0) is None
    assert many._replace(seconds=3.0).fits(4.0) is True
    large = sampled(8, mean=3e9)
    assert large is not None
    assert expectation(large, 3.0, None).startswith("about 3 000 000 000 executions (probably 800 or more), ")
    assert large._replace(seconds=3.0).fits(4.0) is None


def test_a_narrow_terminal_shows_what_matters_most() -> None:
    progress = Progress(2.0, 1_234_567, 8, 0.25, 2)
    whole = progress_line(progress)
    assert progress_line(progress, len(whole)) == whole
    assert progress_line(progress, len(whole) - 1) == whole.replace(", 2 workers", "")
    shortest = progress_line(progress, 1)
    assert shortest.startswith("1 234 575 executions, 25.0 % of the choices, about ")
    assert shortest.endswith(" left")
