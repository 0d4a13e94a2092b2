"""The files of a program, each as a module of IR with what it was made from.

Source files are compiled, as many at a time as there are cores. Files named .ll and .bc are IR already.

I1: the units have the order of the files, whichever was compiled first.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.c.catches import mentions_handlers
from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.dependencies import Trace
from mazurka.frontend.c.dialect import Dialect
from mazurka.frontend.c.driver import Compilation, check_text, read_bytes, read_source
from mazurka.frontend.c.flags import check_flags, check_standards, language_of
from mazurka.frontend.linking.reading import UnreadableIR, is_bitcode, printed_ir

_DIAGNOSTIC = re.compile(r"^<string>:(\d+):(\d+): error: (.*)$", re.M)


class File(NamedTuple):
    """A file of the program: where it is, what reports call it, and how it is compiled."""

    path: str
    shown: str
    cflags: Sequence[str] = ()


class Unit(NamedTuple):
    """A module of IR; ``source`` is what reports show; ``compilation`` made the module, if any did."""

    file: File
    text: str
    source: str | None
    trace: Trace | None
    compilation: Compilation | None

    def refuse_if(self, why: str | None) -> None:
        """Raises the error for a module that LLVM cannot read, unless only we can be to blame."""
        if why is None or (self.compilation is not None and self.compilation.is_ours):
            return
        raise (
            unreadable_ir(self.file, why)
            if self.compilation is None
            else self.compilation.unreadable_output()
        )


class Compilations:
    """Compilers at work on the files of a program; the first ones are started by the constructor."""

    def __init__(self, files: Sequence[File], compiler: Compiler, dialect: Dialect, trace: bool) -> None:
        languages = {language_of(file.shown) for file in files}
        for file in files:
            check_flags(file.cflags)
            check_standards(languages, file.cflags)
        self._compiler, self._dialect, self._trace = compiler, dialect, trace
        self._handlers = any(mentions_handlers(file.path, file.cflags) for file in files)
        self._stack = ExitStack()
        self._waiting = deque(files)
        self._started: deque[tuple[File, str | None, Compilation | None]] = deque()
        try:
            for _ in range(os.cpu_count() or 1):
                self._start()
        except BaseException:
            self._stack.close()
            raise

    def _start(self) -> None:
        if self._waiting:
            file = self._waiting.popleft()
            if language_of(file.shown) == "LLVM IR":
                self._started.append((file, None, None))
                return
            source = read_source(file.path)
            compilation = Compilation(
                *file,
                self._compiler,
                dialect=self._dialect,
                trace=self._trace,
                handlers=self._handlers,
            )
            self._started.append((file, source, self._stack.enter_context(compilation)))

    def __enter__(self) -> Compilations:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def units(self, seconds: float | None) -> Iterator[Unit]:
        """The modules, in the order of the files (I1), all within some seconds."""
        last = None if seconds is None else time.monotonic() + seconds
        while self._started:
            file, source, compilation = self._started.popleft()
            left = None if last is None else max(last - time.monotonic(), 1e-3)
            if compilation is None:
                yield _ir_file(file)
            else:
                text, trace = compilation.result(left)
                yield Unit(file, text, source, trace, compilation)
            self._start()


def _ir_file(file: File) -> Unit:
    started = time.time_ns()
    data = read_bytes(file.path)
    if not is_bitcode(data):
        check_text(data, file.path)
    try:
        text = printed_ir(data)
    except UnreadableIR as error:
        raise unreadable_ir(file, str(error)) from None
    return Unit(file, text, None, Trace((file.path,), (), started), None)


def unreadable_ir(file: File, why: str) -> SourceError:
    """The error for a file that is not IR, or not of a version that can be read."""
    found = _DIAGNOSTIC.search(why)
    place = Place(file.shown, int(found[1]), int(found[2])) if found else Place(file.shown)
    reason = found[3] if found else (why.splitlines() or ["no reason given"])[0]
    return SourceError(
        ErrorCode.COMPILE_ERROR,
        f"LLVM cannot read this file: {reason}",
        place=place,
        hint="write it with the same LLVM as Mazurka's or an older one, such as clang -S -emit-llvm",
    )
