"""A process that has loaded the package, and forks whenever a command is to be run.

A command that runs in a forked process has its own exit status, streams, environment and folder, and ends as
an interpreter does. It only saves the time to start one and to load modules, which is most of the time of a
short check. Nothing but modules is loaded before: no model, no plan, no program.
"""

from __future__ import annotations

import json
import os
import pkgutil
import socket
import subprocess
import sys
from importlib import import_module
from typing import IO, Any

# What an interpreter, the loader or a library reads when it starts, and a forked process does not.
_READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "COVERAGE", "LLVM")
# Rooms that no command needs.
_UNUSED = ("mazurka.testing", "mazurka.reference")


class Ready:
    """The process, seen from the tests."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        self._environment = dict(os.environ)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    def fits(self, environment: dict[str, str]) -> bool:
        """Whether a command in this environment may run in a forked process."""
        names = {*environment, *self._environment}
        return self._process.poll() is None and all(
            environment.get(name) == self._environment.get(name)
            for name in names
            if name.startswith(_READ_AT_START)
        )

    def run(
        self, request: IO[bytes], out: IO[bytes], err: IO[bytes], timeout: float, **what: Any
    ) -> int | None:
        """Runs a command and gives its exit status, negative after a signal; None if it takes too long."""
        request.write(json.dumps(what).encode())
        request.flush()
        self._line.settimeout(timeout)
        try:
            socket.send_fds(self._line, [b"?"], [request.fileno(), out.fileno(), err.fileno()])
            answer = self._line.recv(100)
        except TimeoutError:
            self.end()
            return None
        assert answer, "the process that forks has ended"
        return int(answer)

    def end(self) -> None:
        """Ends the process, and what it has started."""
        self._line.close()
        if self._process.poll() is None:
            os.killpg(self._process.pid, 9)
            self._process.wait()


def _serve(line: socket.socket) -> int:
    """Forks for each request; returns, in a forked process, with the exit status of its command."""
    for module in pkgutil.walk_packages(import_module("mazurka").__path__, "mazurka."):
        if not module.name.startswith(_UNUSED):
            import_module(module.name)
    while True:
        _, files, _, _ = socket.recv_fds(line, 1, 3)
        if not files:  # the tests have ended
            return 0
        child = os.fork()
        if child == 0:
            line.close()
            return _run(*files)
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        line.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _run(request: int, out: int, err: int) -> int:
    from mazurka import __main__ as command

    os.lseek(request, 0, os.SEEK_SET)
    with open(request, "rb") as file:
        what = json.load(file)
    for number, stream in ((1, out), (2, err)):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(what["environment"])
    os.chdir(what["folder"])
    sys.argv = [command.__file__, *what["arguments"]]
    sys.path[0] = what["folder"]  # as with ``-m``
    return command.main()


if __name__ == "__main__":
    sys.exit(_serve(socket.socket(fileno=int(sys.argv[1]))))
