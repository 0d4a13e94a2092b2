"""Runs a clang on a C file and returns the LLVM IR it prints, unoptimised.

By default it is the clang inside the ``ziglang`` wheel, with that wheel's C library headers
(``compiler``). ``-O1 -disable-llvm-passes`` makes clang describe the accesses of struct copies
(``tbaa.struct``) without optimising anything away.

I1: no pass has run on the IR that is returned.
I2: whatever goes wrong is a SourceError or UsageError with a place where there is one.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ..errors import ErrorCode, Place, SourceError
from .compiler import INCLUDE, Compiler, zig_directory
from .dependencies import Trace, traced, tracing

_SUFFIXES = frozenset((".c", ".i", ".cc", ".cpp", ".cxx"))  # others would be taken for object files
_TARGET = ("-target", "x86_64-linux-gnu")
_FLAGS = (
    *("-S", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes"),
    *("-fno-sanitize=undefined", "-fno-stack-protector", "-fno-discard-value-names"),
    # zig defines NDEBUG when it optimises; the C library's inline bodies would hide known functions
    *("-UNDEBUG", "-D__NO_INLINE__", "-U_FORTIFY_SOURCE", "-D__MAZURKA__", "-I", INCLUDE),
)
_DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>.*)$", re.M
)


def read_source(path: str) -> str:
    """The text of a source file."""
    try:
        data = Path(path).read_bytes()
    except IsADirectoryError:
        raise SourceError(
            ErrorCode.IS_A_DIRECTORY, f"'{path}' is a directory", hint="name one C file inside it"
        ) from None
    except OSError as error:
        reason = (
            "does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        )
        raise SourceError(
            ErrorCode.MISSING_FILE, f"'{path}' {reason}", hint="check the spelling and the working directory"
        ) from None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise SourceError(
            ErrorCode.NOT_TEXT, f"'{path}' is not a text file", place=Place(path), hint="name a C source file"
        )
    return text


class Compilation:
    """A compiler at work: started by the constructor so that the caller can prepare while it runs."""

    def __init__(
        self, path: str, shown: str, cflags: Sequence[str], compiler: Compiler, *, trace: bool = False
    ) -> None:
        self._path = path
        self._shown = shown
        self._directory = tempfile.TemporaryDirectory(prefix="mazurka-")
        self._output = Path(self._directory.name) / "program.ll"
        self._headers = Path(self._directory.name) / "headers"
        language = () if Path(path).suffix in _SUFFIXES else ("-x", "c")
        extra = tracing(str(self._headers)) if trace else []
        flags = [*_TARGET, *_FLAGS, *extra, *cflags, *language]
        self._started = time.time_ns()
        self._process = subprocess.Popen(
            [*compiler.command, *flags, path, "-o", str(self._output)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # With a path that is new each time, what the bundled compiler keeps is of no use to anybody.
            env=_environment(self._directory.name if trace else None),
        )

    def result(self) -> tuple[str, Trace | None]:
        """The printed IR, and which files it was made from, if that is known."""
        with self._directory:
            said = self._process.communicate()[0].decode(errors="replace")
            noise, trace = traced(said, self._path, self._headers, self._started)
            if self._process.returncode == 0 and self._output.exists():
                return self._output.read_text(), trace
        raise _compile_error(noise.replace(self._path, self._shown), self._shown)


def is_system_file(path: str) -> bool:
    """Whether a file belongs to the compiler or to Mazurka rather than to the checked program."""
    normal = os.path.normpath(path)
    return any(normal.startswith(root + os.sep) for root in (zig_directory(), INCLUDE)) or normal.startswith(
        ("/usr/include/", "/usr/lib/")
    )


def _environment(local_cache: str | None) -> dict[str, str]:
    """Gives zig a cache directory where there is no home to put one."""
    environment = dict(os.environ)
    if local_cache is not None:
        environment.setdefault("ZIG_LOCAL_CACHE_DIR", local_cache)
    home = environment.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    ancestor = home
    while not os.path.exists(ancestor) and ancestor != os.path.dirname(ancestor):
        ancestor = os.path.dirname(ancestor)
    if not os.access(ancestor, os.W_OK):
        environment.setdefault(
            "ZIG_GLOBAL_CACHE_DIR", os.path.join(tempfile.gettempdir(), "mazurka-zig-cache")
        )
    return environment


def _compile_error(noise: str, path: str) -> SourceError:
    found = _DIAGNOSTIC.search(noise)
    if found is None:
        lines = (
            [line for line in noise.splitlines() if "error:" in line] or noise.splitlines() or ["no output"]
        )
        text = lines[0].split("error: ", 1)[-1]
        message = f"the compiler failed: {text}"
        return SourceError(
            ErrorCode.COMPILE_ERROR, message, place=Place(path), hint="check the flags given after '--'"
        )
    place = Place(found["file"], int(found["line"]), int(found["column"]))
    hint = "the compiler rejected the program; flags such as -I and -D go after '--'"
    return SourceError(ErrorCode.COMPILE_ERROR, found["text"], place=place, hint=hint)
