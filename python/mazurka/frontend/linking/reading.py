"""Reads IR that somebody else wrote, in a process of its own.

LLVM trusts what it reads: a damaged file can make it crash, abort or run for ever. The process is forked, so
that it costs a few milliseconds, and has limits.

I1: the text that is returned is what LLVM prints for a module that it has verified. Later stages rely on its
form: a file may be indented differently, have comments, or use a grammar of the past.
I2: the process ends when we end: it has limits, and nobody to write to.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import select
import signal
import tempfile
import time
import warnings
from typing import IO, NoReturn

from mazurka.deadline import late, look, seconds_left

_MOST_SECONDS = 60.0
_MOST_MEMORY = 4 << 30  # bytes, besides what the process has when it starts
_READ, _REFUSED = b"+", b"-"  # how an answer begins
_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


class UnreadableIR(Exception):  # noqa: N818 - named for what it is
    """LLVM cannot read a file, and this says why."""


def is_bitcode(data: bytes) -> bool:
    """Whether a file has the binary form of IR."""
    return data.startswith(_BITCODE)


def printed_ir(data: bytes) -> str:
    """A module in the form in which LLVM prints it (I1); raises ``UnreadableIR``."""
    import llvmlite.binding  # noqa: F401 - before the fork: the next one need not load it again

    receiving, sending = os.pipe()
    with tempfile.TemporaryFile(prefix="mazurka-") as said, open(receiving, "rb", buffering=0) as answers:
        try:
            child = _forked(data, sending, said)
        finally:
            os.close(sending)
        status = None
        try:
            answer = _answer(answers.fileno())
            _, status = os.waitpid(child, 0)
        finally:
            if status is None:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        if status != 0:
            raise UnreadableIR(_last_words(said))
    if answer.startswith(_REFUSED):
        raise UnreadableIR(answer[1:].decode("utf-8", "replace"))
    return answer[1:].decode()


def _forked(data: bytes, sending: int, said: IO[bytes]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork while other threads run
        child = os.fork()
    if child == 0:
        try:
            _limit_and_silence(said)
            _send(sending, _read(data))
        finally:
            os._exit(1)
    return child


def _limit_and_silence(said: IO[bytes]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    faulthandler.disable()  # it would write elsewhere
    for stream in (1, 2):
        os.dup2(said.fileno(), stream)
    seconds = int(_MOST_SECONDS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    asked = _taken() + _MOST_MEMORY
    if most == resource.RLIM_INFINITY or asked < most:
        resource.setrlimit(resource.RLIMIT_AS, (asked, most))


def _taken() -> int:
    """Bytes of address space that this process has."""
    try:
        with open("/proc/self/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # a system without /proc; what a process maps by itself is less
        return _MOST_MEMORY


def _read(data: bytes) -> bytes:
    import llvmlite.binding as llvm

    try:
        context = llvm.create_context()
        if is_bitcode(data):
            module = llvm.parse_bitcode(data, context)
        else:
            module = llvm.parse_assembly(data.decode(), context)
        module.verify()
        for item in (*module.functions, *module.global_variables):
            item.name  # noqa: B018 - of other bytes than text, later stages cannot ask for it
        module.as_bitcode()  # aborts at debug information of a wrong kind, which nothing before it notices
        text = str(module)
        if is_bitcode(data):  # a damaged one may have numbers that LLVM prints, but does not read
            llvm.parse_assembly(text, llvm.create_context())
        return _READ + text.encode()
    except UnicodeDecodeError:
        return _REFUSED + b"it is not text in UTF-8, or a name in it is not"
    except RuntimeError as error:
        return _REFUSED + str(error).encode("utf-8", "replace")


def _send(sending: int, answer: bytes) -> NoReturn:
    with open(sending, "wb") as pipe:
        pipe.write(answer)
    os._exit(0)


def _answer(receiving: int) -> bytes:
    """All that arrives; raises ``OutOfTime`` or ``UnreadableIR`` if that takes too long."""
    ends = time.monotonic() + seconds_left(_MOST_SECONDS)
    waiting = select.poll()
    waiting.register(receiving, select.POLLIN)
    parts: list[bytes] = []
    while waiting.poll(max(ends - time.monotonic(), 0) * 1000):
        part = os.read(receiving, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)
    look()
    if seconds_left(_MOST_SECONDS) < _MOST_SECONDS:
        raise late()
    raise UnreadableIR(f"it was still reading after {_MOST_SECONDS:.0f} seconds")


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read(1 << 20).decode("utf-8", "replace").splitlines()
    why = next((line.partition("LLVM ERROR: ")[2] for line in lines if "LLVM ERROR: " in line), "")
    return f"it crashed: {why}" if why else "it crashed"
