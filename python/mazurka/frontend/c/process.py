"""Runs a compiler so that it never outlives the process that started it.

The compiler runs in a process group of its own, under a small shell script. A second process of that group,
the watchdog, reads from a pipe whose other end only we hold. When we end for whatever reason, SIGKILL
included, the pipe closes, and the watchdog removes the compiler's folder and ends the group.
(PR_SET_PDEATHSIG is not enough: it reaches the compiler but not the processes that the compiler started.)

I1: when ``Job.stop`` returns, no process of the group is left.
I2: what a compiler prints goes to a file, so that a process that it left behind cannot make us wait.
I3: a compiler has limits, in time, in memory and in what it writes.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Timer

MOST_MEMORY = 4 << 30  # bytes of address space of one process of the compiler
MOST_WRITTEN = 1 << 30  # bytes in one file
_MOST_SAID = 4 << 20  # bytes that are read of what it prints
_SHELL = "/bin/sh"
_SCRIPT = """\
exec 3<&0 </dev/null 2>/dev/null
ulimit -v $1; ulimit -f $2
folder=$3; shift 3
( exec >/dev/null; trap '' TERM
  read -r ended <&3; kill -s TERM -- -$$; rm -rf -- "$folder"; kill -s KILL -- -$$ ) &
watchdog=$!
( exec 3<&- 2>&1; exec "$@" ) &
wait $!
status=$?
kill -s KILL $watchdog
wait $watchdog
exit $status
"""


class Job:
    """A compiler at work in a folder of its own, where it may leave anything; use it as a context manager."""

    def __init__(self, command: Sequence[str], folder: str, environment: Mapping[str, str]) -> None:
        self._said = Path(folder) / "said"
        self.timed_out = False
        limits = (str(MOST_MEMORY >> 10), str(MOST_WRITTEN >> 9))  # in the units of POSIX's ulimit
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [_SHELL, "-c", _SCRIPT, "mazurka", *limits, folder, *command],
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )

    def wait(self, seconds: float) -> int:
        """The exit status, once the compiler has ended; past the time limit it is ended."""
        timer = Timer(seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        finally:
            timer.cancel()
            timer.join()
        self.stop()
        return self._process.returncode

    def said(self) -> str:
        """What the compiler printed."""
        try:
            with self._said.open("rb") as said:
                return os.fsdecode(said.read(_MOST_SAID))
        except OSError:  # it removed the file that it should write to
            return ""

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the rest of the group (I1)."""
        if self._process.returncode is None:  # otherwise the number may belong to another group by now
            _kill_group(self._process.pid)
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _end_late(self) -> None:
        self.timed_out = True
        _kill_group(self._process.pid)


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # no process is left; macOS: only zombies are
        return
