"""Runs a clang on a C file and returns the LLVM IR it prints, unoptimised.

By default it is the clang inside the ``ziglang`` wheel, with that wheel's C library headers
(``compiler``). ``-O1 -disable-llvm-passes`` makes clang describe the accesses of struct copies
(``tbaa.struct``) without optimising anything away.

I1: no pass has run on the IR that is returned.
I2: every failure is a SourceError or UsageError, with a place if there is one.
I3: neither the file's name nor a flag can make the compiler do something else (``flags``), and it neither
outlives us (``process``) nor leaves files behind: its caches are in a private folder that is removed.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from mazurka.errors import ErrorCode, MazurkaError, OutOfTime, Place, SourceError, UsageError
from mazurka.files import NotRegularError, TooLargeError, read_regular
from mazurka.frontend.c.additions import UNFOLDED, may_add_constant
from mazurka.frontend.c.compiler import INCLUDE, Compiler, compiler_environment
from mazurka.frontend.c.dependencies import Trace, traced, tracing
from mazurka.frontend.c.diagnostics import (
    OPENMP_WARNING,
    ORDER_WARNINGS,
    compile_error,
    openmp_ignored,
    order_error,
)
from mazurka.frontend.c.dialect import Dialect
from mazurka.frontend.c.divisions import CHECKED, divides_by_zero, may_divide_by_zero
from mazurka.frontend.c.flags import (
    check_flags,
    check_name,
    flags_for,
    is_silenced,
    language_of,
    safe_name,
    without_silence,
    zig_flags,
)
from mazurka.frontend.c.omissions import (
    LENIENT,
    UNDECLARED,
    Omission,
    declarations_for,
    headers_for,
    omissions_in,
)
from mazurka.frontend.c.process import Job

MOST_SECONDS = 300.0  # without a time limit of the user's
TARGET = ("-target", "x86_64-linux-gnu")
FLAGS = (
    *("-S", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes"),
    *("-fno-sanitize=undefined", "-fno-stack-protector", "-fno-discard-value-names"),
    # zig defines NDEBUG when it optimises; the C library's inline bodies would hide known functions
    *("-UNDEBUG", "-D__NO_INLINE__", "-D__MAZURKA__"),
    # with two results; libc/maths.c has these functions
    *(f"-fno-builtin-{name}{suffix}" for name in ("modf", "frexp") for suffix in ("", "f")),
)
# With --undefined: the IR says only of sums, differences and products that they are of signed numbers, and
# nothing about what the compiler computes itself.
UNDEFINED_FLAGS = (
    *("-fsanitize=shift-base", "-fno-sanitize-recover=shift-base", "-fno-sanitize-trap=shift-base"),
    *("-Werror=integer-overflow", "-Werror=shift-count-overflow", "-Werror=shift-count-negative"),
    "-Werror=literal-conversion",
)
HEADERS = ("-I", INCLUDE)  # behind the user's flags: a header of the user's with such a name is meant
# These override the user's flags. A project may build with -D_FORTIFY_SOURCE, which hides known
# functions, with -Werror, which would reject flags that zig adds without using them, and with
# counters of how often each line runs. The warnings are those that are read here.
_LAST_FLAGS = (
    *("-U_FORTIFY_SOURCE", "-Wno-unused-command-line-argument"),
    *("-fno-profile-instr-generate", "-fno-coverage-mapping"),
    *(*ORDER_WARNINGS, *OPENMP_WARNING, "-Wdivision-by-zero"),
)
# By language: the compiler's command, the flags before the user's, and those after. ``include/cxx`` hides
# some headers.
LANGUAGES = {
    "C": ("cc", (), ("-x", "c")),
    "C++": (
        "c++",
        ("-std=c++20", "-I", os.path.join(INCLUDE, "cxx")),
        ("-x", "c++"),
    ),
}
NO_HANDLERS = "-fignore-exceptions"  # for C++ that catches nothing: no code is made for what follows a throw
# Rust's library, as rustc names its files: by the commit, or below the folder of the toolchain.


def read_source(path: str) -> str:
    """The text of a source file."""
    return check_text(read_bytes(path), path)


def check_text(data: bytes, path: str) -> str:
    """The text of a file; a file that has none is refused."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise _not_text(path) from None
    if "\0" in text:
        raise _not_text(path)
    return text


def read_bytes(path: str) -> bytes:
    """The content of a file that the user names."""
    try:
        return read_regular(path)
    except IsADirectoryError:
        raise SourceError(
            ErrorCode.IS_A_DIRECTORY, f"'{path}' is a directory", hint="name one C file inside it"
        ) from None
    except NotRegularError:
        raise SourceError(
            ErrorCode.NOT_A_FILE,
            f"'{path}' is a pipe or a device, not a file",
            hint="save the program in a file first",
        ) from None
    except TooLargeError as error:
        raise SourceError(
            ErrorCode.TOO_LARGE, f"'{path}' {error.strerror}", hint="check a smaller program"
        ) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: OSError | ValueError) -> SourceError:
    if isinstance(error, FileNotFoundError):
        reason = "does not exist"
    else:  # a name with a null character is a ValueError
        reason = f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"
    hint = "check the spelling and the working directory"
    if path == "-":
        hint = "save the program in a file first: standard input is not read"
    return SourceError(ErrorCode.MISSING_FILE, f"'{path}' {reason}", hint=hint)


def _not_text(path: str) -> SourceError:
    message = f"'{path}' is not a file of UTF-8 text"
    hint = "name a C source file; 'iconv -f latin1 -t utf-8' converts one that is in Latin-1"
    if path.endswith(".ll"):
        hint = "write it with 'clang -S -emit-llvm'"
    elif path.endswith(".bc"):
        message, hint = f"'{path}' is not LLVM bitcode", "write it with 'clang -c -emit-llvm'"
    return SourceError(ErrorCode.NOT_TEXT, message, place=Place(path), hint=hint)


class Compilation:
    """A compiler at work: started by the constructor so that the caller can prepare while it runs."""

    def __init__(
        self,
        path: str,
        shown: str,
        cflags: Sequence[str],
        compiler: Compiler,
        *,
        dialect: Dialect = Dialect(),  # noqa: B008 - a value
        trace: bool = False,
        is_library: bool = False,
        handlers: bool = False,
    ) -> None:
        """A library's flags say themselves whether exceptions may be caught (``NO_HANDLERS``)."""
        if not is_library:
            check_flags(cflags)
            check_name(shown)
        self.ignored: tuple[str, ...] = ()  # warnings about what the compiler ignored
        self.omissions: list[Omission] = []  # what was left out, known when there is a result
        self.undeclared: list[Omission] = []  # what no header declares, either
        self.unfolded: str | None = None  # the IR with all conversions of constants, if these matter
        self._path = path
        self._shown = shown
        self._ours = compiler.is_bundled and not cflags
        self._is_lenient = not dialect.strict and language_of(shown) == "C"
        self._started = time.time_ns()
        try:
            self._directory = tempfile.TemporaryDirectory(prefix="mazurka-", ignore_cleanup_errors=True)
            self._headers = Path(self._directory.name) / "headers"
            extra = tracing(str(self._headers)) if trace else []
            command, own, last = LANGUAGES[language_of(shown)]
            if command == "c++" and not handlers and not is_library:
                own = (NO_HANDLERS, *own)
            lenient = LENIENT if self._is_lenient else ()
            checks = UNDEFINED_FLAGS if dialect.undefined else ()
            given = flags_for(language_of(shown), cflags)
            self._is_silenced = not is_library and is_silenced(given)
            given = without_silence(given) if self._is_silenced else given
            given = zig_flags(given) if compiler.is_bundled else given
            self._command = compiler.command_for(command)
            self._flags = [
                *TARGET,
                *own,
                *FLAGS,
                *checks,
                *lenient,
                *extra,
                *given,
                *HEADERS,
                *_LAST_FLAGS,
                *last,
            ]
            self._start()
        except OSError as error:
            raise UsageError(
                ErrorCode.BAD_COMPILER,
                f"the compiler cannot be started: {error.strerror}",
                hint="check that there is space for temporary files (TMPDIR), and room for another process",
            ) from error

    def _start(self, *supplied: str) -> None:
        self._supplied = supplied
        self._output = Path(self._directory.name) / f"program{len(supplied)}.ll"
        command = [*self._command, *self._flags, *supplied]
        command += [safe_name(self._path), "-o", str(self._output)]
        self._job = Job(command, self._directory.name, compiler_environment(self._directory.name))

    def __enter__(self) -> Compilation:
        return self

    def __exit__(self, *_: object) -> None:
        self._job.stop()
        self._directory.cleanup()

    def result(self, seconds: float | None = None) -> tuple[str, Trace | None]:
        """The printed IR, and which files it was made from, if that is known."""
        ends = time.monotonic() + (MOST_SECONDS if seconds is None else seconds)
        text, trace, noise, status = self._wait(seconds, ends)
        if self._is_lenient:
            self.omissions = self.undeclared = omissions_in(noise)
            again = self._supply(noise, seconds, ends)
            if again is not None:
                text, trace, noise = again
        self.ignored = openmp_ignored(noise)
        invalid = order_error(noise)
        if invalid is not None:
            raise invalid
        if text is None:
            raise compile_error(noise, status, self._shown, strict=not self._is_lenient)
        if self._is_silenced:
            self.omissions = []
        if may_divide_by_zero(text, noise):
            text = self._with_checked_divisions(seconds, ends) or text
        if may_add_constant(text, read_source(self._path)):
            self._start(*self._supplied, *UNFOLDED)
            self.unfolded = self._wait(seconds, ends)[0]
        return text, trace

    def _wait(self, seconds: float | None, ends: float) -> tuple[str | None, Trace | None, str, int]:
        """The printed IR, if there is any; which files were read; what was said; the exit status."""
        status = self._job.wait(max(ends - time.monotonic(), 1e-3))
        if self._job.timed_out:
            raise self._too_slow(seconds)
        noise, trace = traced(self._job.said(), self._path, self._headers, self._started)
        noise = noise.replace(safe_name(self._path), self._shown)
        if status != 0 or not self._output.is_file():
            return None, trace, noise, status
        try:
            return self._output.read_text(encoding="utf-8", errors="replace"), trace, noise, status
        except OSError:
            raise self.unreadable_output() from None

    def _with_checked_divisions(self, seconds: float | None, ends: float) -> str | None:
        """Compiles again with calls in front of divisions; nothing if none of them is by the constant 0."""
        self._start(*self._supplied, *CHECKED)
        text = self._wait(seconds, ends)[0]
        return text if text is not None and divides_by_zero(text) else None

    def _supply(self, noise: str, seconds: float | None, ends: float) -> tuple[str, Trace | None, str] | None:
        """Compiles again with declarations that are missing; nothing if none are, or if that fails."""
        headers = headers_for(self.omissions)
        declarations = (
            declarations_for(noise, read_source(self._path)) if "conflicting types" in noise else []
        )
        if not headers and not declarations:
            return None
        flags = [word for header in headers for word in ("-include", header)]
        if declarations:
            file = Path(self._directory.name) / "declarations.h"
            file.write_text("\n".join(declarations) + "\n", encoding="utf-8")
            flags += ["-include", str(file)]
        # As where nothing says otherwise; the program's own definition of it comes too late.
        self._start("-D_GNU_SOURCE", *flags)
        text, trace, noise, _ = self._wait(seconds, ends)
        if text is None:
            return None
        self.undeclared = omissions_in(noise)
        supplied = [found for found in self.omissions if found.kind == UNDECLARED]
        self.omissions = list(dict.fromkeys((*supplied, *self.undeclared)))
        trace = None if trace is None or declarations else trace._replace(named=tuple(headers))
        return text, trace, noise

    def _too_slow(self, seconds: float | None) -> Exception:
        if seconds is not None:
            return OutOfTime("the compiler was still running")
        message = f"the compiler did not finish in {MOST_SECONDS:.0f} seconds"
        hint = "try a smaller program, or another compiler with --cc"
        return SourceError(ErrorCode.COMPILE_ERROR, message, place=Place(self._shown), hint=hint)

    def unreadable_output(self) -> MazurkaError:
        """The error for output that is not LLVM IR, if the user's flags or compiler are to blame."""
        return UsageError(
            ErrorCode.BAD_COMPILER,
            "the compiler did not write readable LLVM IR",
            hint="leave out --cc and the flags after '--', one by one, to see which of them is at fault",
        )

    @property
    def is_ours(self) -> bool:
        """Whether the compiler is the bundled one, called without flags of the user's."""
        return self._ours
