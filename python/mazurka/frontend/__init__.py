"""The front-end: C source to Program.

A clang compiles the source to LLVM IR without optimising (``driver``), LLVM promotes private locals to
registers (``clean``), the printed IR is parsed (``parser``), and lowered to bytecode (``module``,
``lowering``) with positions, names and types kept for the reports. Then the passes over the bytecode run
(``program.passes``).

Exports ``compile_program`` for files, ``compile_text`` for source held in memory, and ``compile_traced``,
which also says what the Program was made from. Everything else is loaded when one of them is called:
a check whose program is cached needs only ``compiler``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.dialect import Dialect

if TYPE_CHECKING:
    from mazurka.frontend.c.dependencies import Trace
    from mazurka.program import Program

PLAIN = Dialect()
__all__ = ["compile_program", "compile_text", "compile_traced"]


def compile_program(
    path: str | os.PathLike[str],
    *,
    cflags: Sequence[str] = (),
    cc: str | None = None,
    seconds: float | None = None,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
) -> Program:
    """Compiles a C file to a Program.

    ``cflags`` are passed to the compiler after Mazurka's own flags; ``cc`` names a clang to use instead of
    the bundled one (default: the environment variable MAZURKA_CC, if set). After ``seconds`` the
    compiler is stopped, and ``OutOfTime`` is raised. ``without`` names passes that do not run; ``dialect``
    says how the program is to be understood.
    """
    shown = os.fspath(path)
    return _compile(shown, shown, cflags, Compiler(cc), seconds=seconds, without=without, dialect=dialect)[0]


def compile_text(
    source: str,
    name: str = "program.c",
    *,
    cflags: Sequence[str] = (),
    cc: str | None = None,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
) -> Program:
    """Compiles C source text to a Program; positions name the file ``name``."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mazurka-") as directory:
        path = os.path.join(directory, os.path.basename(name))
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        return _compile(path, name, cflags, Compiler(cc), without=without, dialect=dialect)[0]


def compile_traced(
    path: str,
    cflags: Sequence[str],
    compiler: Compiler,
    *,
    seconds: float | None = None,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
) -> tuple[Program, Trace | None]:
    """Compiles a C file to a Program, and says what it was made from, if that is known."""
    return _compile(
        path, path, cflags, compiler, seconds=seconds, trace=True, without=without, dialect=dialect
    )


def _compile(
    path: str,
    shown: str,
    cflags: Sequence[str],
    compiler: Compiler,
    *,
    seconds: float | None = None,
    trace: bool = False,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
) -> tuple[Program, Trace | None]:
    from mazurka.frontend.c.driver import Compilation, read_source

    source = read_source(path)
    with Compilation(path, shown, cflags, compiler, dialect=dialect, trace=trace) as compilation:
        # loading LLVM and the modules below takes as long as the compiler: do it while that runs
        from dataclasses import replace

        from mazurka.frontend.c.omissions import undeclared, warnings_for
        from mazurka.frontend.cleaning.clean import Cleaner, RejectedIR
        from mazurka.frontend.cleaning.screen import screen
        from mazurka.frontend.cleaning.zeros import shorten_zeros
        from mazurka.frontend.llvm.debuginfo import SourceFiles
        from mazurka.frontend.llvm.parser import parse_module
        from mazurka.frontend.lowering.module import ModuleLowering
        from mazurka.program.passes import passes_without, run_passes

        cleaner = Cleaner()
        text, made_from = compilation.result(seconds)
    files = SourceFiles(path, shown)
    text = shorten_zeros(text)
    screen(text, files, shown)
    try:
        cleaned = cleaner.clean(text)
    except RejectedIR:
        if compilation.is_ours:
            raise
        raise compilation.unreadable_output() from None
    sources = {shown: source}
    try:
        lowering = ModuleLowering(parse_module(cleaned), files, shown)
        for omission in compilation.undeclared:
            if omission.function and not lowering.knows(omission.function):
                raise undeclared(omission)
        program = run_passes(lowering.lower(sources), passes_without(without))
    except RecursionError:
        raise SourceError(
            ErrorCode.TOO_LARGE,
            "types or constants of the program are nested too deeply",
            place=Place(shown),
            hint="nest structs and arrays less deeply",
        ) from None
    for file, real in files.used.items():
        if file not in sources and os.path.isfile(real):  # not "<built-in>" and the like
            with open(real, encoding="utf-8", errors="replace") as header:
                sources[file] = header.read()
    return replace(program, warnings=warnings_for(compilation.omissions)), made_from
