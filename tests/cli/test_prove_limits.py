"""``mazurka prove`` interrupted: by Ctrl-C in the middle of a proof, and by its time limit."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import mazurka, write
from endless_question import endless_question

EASY = "assert rf ; fr <= co\n"


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_in_the_middle_of_a_proof(number: str, tmp_path: Path) -> None:
    path = write(tmp_path, EASY + endless_question() + EASY, "claims.kat")
    # The signal may be ignored where the tests are run, and processes inherit that.
    start = f"import signal; signal.signal(signal.{number}, signal.default_int_handler)"
    call = f"import sys; from mazurka.__main__ import main; {start}; sys.exit(main())"
    command = [sys.executable, "-c", call, "prove", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the first claim, which is printed with its answer
        time.sleep(0.5)
        process.send_signal(getattr(signal, number))
        out, err = process.communicate(timeout=300)
    assert process.returncode == 3, (out, err)
    assert not err
    assert out.count("  unknown: interrupted\n") == 2
    assert out.endswith("1 proved, 2 unknown\n")


def test_the_time_limit_is_that_of_all_claims(tmp_path: Path) -> None:
    path = write(tmp_path, EASY + endless_question() + EASY, "claims.kat")
    ran = mazurka("prove", path, "--time-limit", "1")
    assert ran.status == 3
    assert ran.out.endswith("1 proved, 2 unknown\n")
