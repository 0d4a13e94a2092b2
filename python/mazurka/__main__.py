"""The entry point of the command ``mazurka`` and of ``python -m mazurka``: sets up signals and streams first.

SIGTERM and SIGHUP do what Ctrl-C does: the exploration ends with its partial answer, the compiler is stopped,
and temporary folders are removed. A signal that is ignored when we start (``nohup``) stays ignored.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> int:
    """Runs the command of ``sys.argv`` and returns its exit status."""
    try:
        _end_as_by_ctrl_c()
        from mazurka.cli.terminal import open_streams

        open_streams()
        return _loaded()()
    except KeyboardInterrupt:
        from mazurka.cli.terminal import interrupted

        return interrupted()
    finally:
        _ignore_signals()


def _loaded() -> Callable[[], int]:
    """The command's code. Modules are never freed, so garbage collection while they load gains nothing."""
    import gc

    gc.disable()
    from mazurka.cli.commands import main as run

    gc.freeze()
    gc.enable()
    return run


class Interrupt(KeyboardInterrupt):
    """A signal asks us to end.

    A type of its own: an interpreter that saw a plain KeyboardInterrupt leave ``exec``, by which named tuples
    are made, kills itself at its end, even if the exception was caught.
    """


def _interrupt(*_: object) -> None:
    raise Interrupt


def _end_as_by_ctrl_c() -> None:
    import signal  # inside the guard of ``main``, as everything that takes time

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)


def _ignore_signals() -> None:
    """The answer has been given: no signal may change the exit status while the interpreter ends."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
