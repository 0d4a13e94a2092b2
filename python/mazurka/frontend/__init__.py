"""The front-end: C source to Program.

A clang compiles the source to LLVM IR without optimising (``driver``), LLVM promotes private locals to
registers (``clean``), the printed IR is parsed (``parser``), and lowered to bytecode (``module``,
``lowering``) with positions, names and types kept for the reports.

Exports ``compile_program`` for files, ``compile_text`` for source held in memory, ``name_of`` for
addresses.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .naming import name_of

if TYPE_CHECKING:
    from ..program import Program

__all__ = ["compile_program", "compile_text", "name_of"]


def compile_program(
    path: str | os.PathLike[str], *, cflags: Sequence[str] = (), cc: str | None = None
) -> Program:
    """Compiles a C file to a Program.

    ``cflags`` are passed to the compiler after Mazurka's own flags; ``cc`` names a clang to use instead of
    the bundled one (default: the environment variable MAZURKA_CC, if set).
    """
    shown = os.fspath(path)
    return _compile(shown, shown, cflags, cc)


def compile_text(
    source: str, name: str = "program.c", *, cflags: Sequence[str] = (), cc: str | None = None
) -> Program:
    """Compiles C source text to a Program; positions name the file ``name``."""
    with tempfile.TemporaryDirectory(prefix="mazurka-") as directory:
        path = os.path.join(directory, os.path.basename(name))
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        return _compile(path, name, cflags, cc)


def _compile(path: str, shown: str, cflags: Sequence[str], cc: str | None) -> Program:
    from .driver import Compilation, read_source

    source = read_source(path)
    compilation = Compilation(path, shown, cflags, cc)
    # loading LLVM and the modules below takes as long as the compiler: do it while that runs
    from .clean import Cleaner
    from .debuginfo import SourceFiles
    from .module import ModuleLowering
    from .parser import parse_module

    cleaner = Cleaner()
    module = parse_module(cleaner.clean(compilation.result()))
    files = SourceFiles(path, shown)
    lowering = ModuleLowering(module, files, shown)
    sources = {shown: source}
    program = lowering.lower(sources)
    for file, real in files.used.items():
        if file not in sources and os.path.isfile(real):  # not "<built-in>" and the like
            with open(real, encoding="utf-8", errors="replace") as header:
                sources[file] = header.read()
    return program
