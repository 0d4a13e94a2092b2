"""Which compiler is used, and what identifies it. This must be cheap, because every check asks.

By default it is the clang inside the ``ziglang`` wheel, so that the result does not depend on the machine.

I1: the identity of a compiler changes with the compiler: its file, its version if the user named it, LLVM's
library that reads its output, and the variables of the environment that it looks at.
"""

from __future__ import annotations

import os
import re
import sys

from mazurka.errors import ErrorCode, UsageError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
INCLUDE = os.path.join(_PACKAGE, "include")
_VERSION_SECONDS = 20
_RUST_LIBRARY = r"/rustc/[0-9a-f]{40}/library/|.*/lib/rustlib/src/rust/library/"
LLVM_MAJOR = 22  # of the llvmlite that pyproject.toml asks for; clean.py checks the installed one

_VARIABLES = frozenset(
    (
        *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "COMPILER_PATH"),
        *("SDKROOT", "SOURCE_DATE_EPOCH", "PWD"),
    )
)
_PREFIXES = ("ZIG_", "CLANG_", "CCC_", "GCC_", "NIX_")
_LLVM_FILES = ("_version.py", *(f"binding/{name}" for name in ("libllvmlite.so", "libllvmlite.dylib")))


class Compiler:
    """The compiler that is named, by the caller or by MAZURKA_CC, else the bundled one."""

    def __init__(self, cc: str | None = None) -> None:
        self._named = cc or os.environ.get("MAZURKA_CC") or ""
        self._version = _version(self._named) if self._named else ""
        self.is_bundled = not self._named

    def command_for(self, name: str) -> list[str]:
        """How it is called for a language: as cc or c++."""
        if self._named and name != "cc":
            raise UsageError(
                ErrorCode.UNSUPPORTED,
                "C++ can be compiled only with the bundled compiler, because its library is checked, too",
                hint="leave out --cc, and unset MAZURKA_CC",
            )
        return [self._file()] if self._named else [self._file(), name]

    def identity(self) -> list[str]:
        """What identifies it: everything that may change its output, except its arguments (I1)."""
        llvm = _package_directory("llvmlite", "__init__.py") or ""
        states = [_state(os.path.join(llvm, name)) for name in _LLVM_FILES]
        search = os.environ.get("PATH", "") if self._named else ""  # by which a script finds the compiler
        return [self._named, self._version, search, _state(self._file()), *states, *_environment()]

    def _file(self) -> str:
        if not self._named:
            return os.path.join(zig_directory(), "zig")
        import shutil

        # absolute, so that the shell which starts it cannot take the name for one of its own commands
        return os.path.abspath(shutil.which(self._named) or self._named)


def _environment() -> list[str]:
    names = (name for name in os.environ if name in _VARIABLES or name.startswith(_PREFIXES))
    return [f"{name}={os.environ[name]}" for name in sorted(names)]


def _state(path: str) -> str:
    real = os.path.realpath(path)
    try:
        state = os.stat(real)
    except OSError:
        return f"no {real}"
    return f"{real} {state.st_size} {state.st_mtime_ns} {state.st_ino}"


def zig_directory() -> str:
    """Where the ziglang wheel put its files."""
    directory = _package_directory("ziglang", "zig")
    if directory is None:
        raise UsageError(
            ErrorCode.BAD_COMPILER,
            "the package 'ziglang', which contains the compiler, is not installed",
            hint="run 'python -m pip install ziglang', or name a clang with --cc",
        )
    return directory


def _package_directory(package: str, file: str) -> str | None:
    """Where a package is installed that has this file; found without importing it, which takes longer."""
    for entry in sys.path:
        directory = os.path.join(entry or os.curdir, package)
        if os.path.isfile(os.path.join(directory, file)):
            return os.path.abspath(directory)
    return None


def compiler_environment(folder: str) -> dict[str, str]:
    """Keeps what a compiler writes besides its output, caches and reports of crashes, inside a folder."""
    own = dict.fromkeys(("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR", "TMPDIR"), folder)
    return {**os.environ, **own}


def _version(named: str) -> str:
    """The version that a user's compiler reports; it must be a clang whose output can be read."""
    import shutil
    import tempfile

    from mazurka.frontend.c.process import Job

    hint = f"use a clang of version {LLVM_MAJOR} or older, or leave it out to use the bundled one"
    found = shutil.which(named) if "\0" not in named else None
    if found is None:
        message = f"the compiler '{named}' does not exist or cannot be executed"
        raise UsageError(ErrorCode.BAD_COMPILER, message, hint=hint)
    with tempfile.TemporaryDirectory(prefix="mazurka-", ignore_cleanup_errors=True) as folder:
        with Job([os.path.abspath(found), "--version"], folder, compiler_environment(folder)) as job:
            job.wait(_VERSION_SECONDS)
        said = job.said()
    if job.timed_out:
        message = f"the compiler '{named}' does not respond to --version"
        raise UsageError(ErrorCode.BAD_COMPILER, message, hint=hint)
    version = re.search(r"clang version (\d+)\.", said)
    if version is None:
        raise UsageError(ErrorCode.BAD_COMPILER, f"'{named}' is not a clang", hint=hint)
    if int(version[1]) > LLVM_MAJOR:
        message = f"'{named}' is clang {version[1]}, newer than the LLVM {LLVM_MAJOR} that reads its output"
        raise UsageError(ErrorCode.COMPILER_VERSION, message, hint=hint)
    return said


def is_system_file(path: str) -> bool:
    """Whether a file belongs to the compiler or to Mazurka rather than to the checked program."""
    normal = os.path.normpath(path)
    own = any(normal.startswith(root + os.sep) for root in (zig_directory(), INCLUDE))
    return own or normal.startswith(("/usr/include/", "/usr/lib/")) or bool(re.match(_RUST_LIBRARY, normal))
