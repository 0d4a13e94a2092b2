"""Runs a clang on a C file and returns the LLVM IR it prints, unoptimised.

By default it is the clang inside the ``ziglang`` wheel, with that wheel's C library headers, so that the
result does not depend on the machine. ``-O1 -disable-llvm-passes`` makes clang describe the accesses of
struct copies (``tbaa.struct``) without optimising anything away.

I1: no pass has run on the IR that is returned.
I2: whatever goes wrong is a SourceError or UsageError with a place where there is one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import ErrorCode, Place, SourceError, UsageError

INCLUDE = Path(__file__).resolve().parent.parent / "include"
LLVM_MAJOR = 22  # of the llvmlite that pyproject.toml asks for; clean.py checks the installed one

_SUFFIXES = frozenset((".c", ".i", ".cc", ".cpp", ".cxx"))  # others would be taken for object files
_TARGET = ("-target", "x86_64-linux-gnu")
_FLAGS = (
    *("-S", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes"),
    *("-fno-sanitize=undefined", "-fno-stack-protector", "-fno-discard-value-names"),
    # zig defines NDEBUG when it optimises; the C library's inline bodies would hide known functions
    *("-UNDEBUG", "-D__NO_INLINE__", "-U_FORTIFY_SOURCE", "-D__MAZURKA__", "-I", str(INCLUDE)),
)
_DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>.*)$", re.M
)
_VERSION = re.compile(r"clang version (\d+)\.")


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

    def __init__(self, path: str, shown: str, cflags: Sequence[str], cc: str | None) -> None:
        self._path = path
        self._shown = shown
        self._directory = tempfile.TemporaryDirectory(prefix="mazurka-")
        self._output = Path(self._directory.name) / "program.ll"
        self._compiler = _compiler(cc)
        language = () if Path(path).suffix in _SUFFIXES else ("-x", "c")
        command = [*self._compiler, *_TARGET, *_FLAGS, *cflags, *language, path, "-o", str(self._output)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=_environment(),
        )

    def result(self) -> str:
        """The printed IR."""
        with self._directory:
            noise = self._process.communicate()[0].decode(errors="replace")
            if self._process.returncode == 0 and self._output.exists():
                return self._output.read_text()
        raise _compile_error(noise.replace(self._path, self._shown), self._shown)


def is_system_file(path: str) -> bool:
    """Whether a file belongs to the compiler or to Mazurka rather than to the checked program."""
    normal = os.path.normpath(path)
    return any(
        normal.startswith(root + os.sep) for root in (zig_directory(), str(INCLUDE))
    ) or normal.startswith(("/usr/include/", "/usr/lib/"))


def _compiler(cc: str | None) -> list[str]:
    named = cc or os.environ.get("MAZURKA_CC")
    if named:
        _check_compiler(named)
        return [named]
    return [os.path.join(zig_directory(), "zig"), "cc"]


def zig_directory() -> str:
    """Where the ziglang wheel put its files; found without importing it, which saves start-up time."""
    for entry in sys.path:
        directory = os.path.join(entry or os.curdir, "ziglang")
        if os.path.isfile(os.path.join(directory, "zig")):
            return os.path.abspath(directory)
    raise UsageError(
        ErrorCode.BAD_COMPILER,
        "the package 'ziglang', which brings the compiler, is not installed",
        hint="run 'python -m pip install ziglang', or name a clang with --cc",
    )


def _check_compiler(named: str) -> None:
    hint = f"name a clang of version {LLVM_MAJOR} or older, or none at all to use the bundled one"
    try:
        run = subprocess.run([named, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise UsageError(
            ErrorCode.BAD_COMPILER, f"the compiler '{named}' cannot be run: {error}", hint=hint
        ) from None
    version = _VERSION.search(run.stdout)
    if version is None:
        raise UsageError(ErrorCode.BAD_COMPILER, f"'{named}' is not a clang", hint=hint)
    if int(version[1]) > LLVM_MAJOR:
        message = f"'{named}' is clang {version[1]}, newer than the LLVM {LLVM_MAJOR} that reads its output"
        raise UsageError(ErrorCode.COMPILER_VERSION, message, hint=hint)


def _environment() -> dict[str, str]:
    """Gives zig a cache directory where there is no home to put one."""
    environment = dict(os.environ)
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
