"""``mazurka prove`` broken off: by Ctrl-C in the middle of a proof, and by its time limit."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from command import mazurka, write
from endless_question import endless_question

EASY = "assert rf ; fr <= co\n"


def test_ctrl_c_in_the_middle_of_a_proof(tmp_path: Path) -> None:
    path = write(tmp_path, EASY + endless_question() + EASY, "claims.kat")
    # Whoever runs the tests may ignore the signal, and processes inherit that.
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    call = f"import sys; from mazurka.cli import main; {start}; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", call, "prove", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the first claim, which is printed with its answer
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
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
