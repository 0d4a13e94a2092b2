"""The front-end: C source to Program.

A clang compiles each file to LLVM IR without optimising (``driver``), LLVM links the modules if there are
several (``linking``) and promotes private locals to registers (``clean``). The printed IR is parsed
(``parser``), and lowered to bytecode (``module``, ``lowering``) with positions, names and types kept for the
reports. Then the passes over the bytecode run (``program.passes``).

Exports ``compile_program`` for files, ``compile_text`` for source held in memory, and ``compile_traced``,
which also says what the Program was made from. Everything else is loaded when one of them is called:
a check whose program is cached needs only ``compiler``.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from mazurka.errors import ErrorCode, Place, SourceError, UsageError
from mazurka.files import is_source, with_lines_of_c
from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.dialect import Dialect

if TYPE_CHECKING:
    from mazurka.frontend.c.dependencies import Trace
    from mazurka.frontend.cleaning.clean import Cleaner
    from mazurka.frontend.linking.shelf import Shelf
    from mazurka.frontend.linking.units import Unit
    from mazurka.frontend.llvm.debuginfo import SourceFiles
    from mazurka.frontend.lowering.module import ModuleLowering
    from mazurka.program import Program

PLAIN = Dialect()
NO_FLAGS: Mapping[str, Sequence[str]] = {}
__all__ = ["compile_program", "compile_text", "compile_traced"]


def compile_program(
    *paths: str | os.PathLike[str],
    cflags: Sequence[str] = (),
    cc: str | None = None,
    seconds: float | None = None,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
    own: Mapping[str, Sequence[str]] = NO_FLAGS,
) -> Program:
    """Compiles the files of a program, and links them.

    ``cflags`` are passed to the compiler after Mazurka's own flags; ``cc`` names a clang to use instead of
    the bundled one (default: the environment variable MAZURKA_CC, if set). After ``seconds`` the
    compiler is stopped, and ``OutOfTime`` is raised. ``without`` names passes that do not run; ``dialect``
    says how the program is to be understood; ``own`` has flags of single files, which come before ``cflags``.
    """
    for path in paths:
        if not isinstance(path, (str, os.PathLike)) or (isinstance(path, str) and is_source(path)):
            hint = "write its text to a file; mazurka.check takes programs that are in no file, too"
            message = "only files are compiled, and this is not the path of one"
            raise UsageError(ErrorCode.USAGE, message, hint=hint)
    shown = [os.fspath(path) for path in paths]
    files = [(path, path, (*own.get(path, ()), *cflags)) for path in shown]
    return _compile(files, Compiler(cc), seconds=seconds, without=without, dialect=dialect)[0]


def compile_text(
    source: str,
    name: str = "program.c",
    *,
    cflags: Sequence[str] = (),
    cc: str | None = None,
    seconds: float | None = None,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
) -> Program:
    """Compiles C source text to a Program; positions name the file ``name``."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mazurka-") as directory:
        path = os.path.join(directory, os.path.basename(name))
        try:
            with open(path, "wb") as file:
                file.write(_encoded(source, name))
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno not in (errno.EISDIR, errno.ENAMETOOLONG):
                raise
            raise _not_a_file_name(name) from None
        files = [(path, name, cflags)]
        return _compile(files, Compiler(cc), seconds=seconds, without=without, dialect=dialect)[0]


def _encoded(source: str, name: str) -> bytes:
    """A text in UTF-8; one that would be refused as a file is refused by the name that it was given."""
    if "\0" not in source:
        with suppress(UnicodeEncodeError):
            return source.encode()
    message = "the text of a program cannot contain null characters or surrogates"
    raise SourceError(ErrorCode.NOT_TEXT, message, place=Place(name), hint="remove them")


def _not_a_file_name(name: str) -> UsageError:
    message = f"{name!r} cannot be the name of a file"
    return UsageError(ErrorCode.BAD_VALUE, message, hint='such as mazurka.Source(text, "queue.cpp")')


def compile_traced(
    paths: Sequence[str],
    cflags: Sequence[str],
    compiler: Compiler,
    *,
    seconds: float | None = None,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
    shelf: Shelf | None = None,
    own: Mapping[str, Sequence[str]] = NO_FLAGS,
) -> tuple[Program, list[Trace | None]]:
    """Compiles and links a program, and says what each of its files was made from, if that is known.

    ``shelf`` keeps what was compiled of the C and C++ libraries.
    """
    files = [(path, path, (*own.get(path, ()), *cflags)) for path in paths]
    return _compile(
        files, compiler, seconds=seconds, trace=True, without=without, dialect=dialect, shelf=shelf
    )


def _compile(
    named: Sequence[tuple[str, str, Sequence[str]]],
    compiler: Compiler,
    *,
    seconds: float | None = None,
    trace: bool = False,
    without: Collection[str] = (),
    dialect: Dialect = PLAIN,
    shelf: Shelf | None = None,
) -> tuple[Program, list[Trace | None]]:
    from mazurka.frontend.linking.units import Compilations, File

    with Compilations([File(*each) for each in named], compiler, dialect, trace) as compilations:
        # loading LLVM and the modules below takes as long as the compiler: do it while that runs
        from dataclasses import replace

        from mazurka.frontend.analysis.reads import check_reads
        from mazurka.frontend.c.omissions import undeclared, warnings_for
        from mazurka.frontend.cleaning.clean import Cleaner
        from mazurka.frontend.llvm.debuginfo import SourceFiles
        from mazurka.frontend.llvm.folding import fold_constants
        from mazurka.frontend.llvm.lexer import UnknownIR
        from mazurka.frontend.llvm.parser import parse_module
        from mazurka.frontend.llvm.threadlocals import ask_for_thread_locals
        from mazurka.frontend.lowering.module import ModuleLowering
        from mazurka.program.passes import passes_without, run_passes

        cleaner = Cleaner()
        units = list(compilations.units(seconds))
    shown = units[0].file.shown
    files = SourceFiles((path, shown) for path, shown, _ in named)
    sources = {unit.file.shown: with_lines_of_c(unit.source) for unit in units if unit.source is not None}
    try:
        module = parse_module(_cleaned(units, files, cleaner, compiler, dialect, shelf))
        check_reads(module)
        if _is_cpp(units):
            fold_constants(module)
            ask_for_thread_locals(module)
        lowering = ModuleLowering(module, files, shown, dialect=dialect)
        for omission in (o for unit in units if unit.compilation for o in unit.compilation.undeclared):
            if omission.function and not lowering.knows(omission.function):
                raise undeclared(omission)
        _check_stubs(lowering)
        program = run_passes(lowering.lower(sources), passes_without(without))
        if dialect.nondet is not None:
            program = _limited(program, dialect.nondet)
    except UnknownIR as error:
        written = next((unit.file.shown for unit in units if unit.compilation is None), None)
        if written is None:
            raise
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"this file contains unsupported LLVM IR: {error.message}",
            place=Place(written),
            hint="compile the program from its source, or write it in simpler IR",
        ) from None
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
                sources[file] = with_lines_of_c(header.read())
    omissions = [one for unit in units if unit.compilation for one in unit.compilation.omissions]
    stubs = (
        f"--stub {stub}: each call of '{stub.name}' {stub.meaning}; the real function is not checked"
        for stub in dialect.stubs
    )
    ignored = (one for unit in units if unit.compilation for one in unit.compilation.ignored)
    about = (*_about_clocks(lowering, units, files), *_about_target(lowering, units))
    warnings = (*warnings_for(omissions), *ignored, *stubs, *about)
    return replace(program, warnings=warnings), [unit.trace for unit in units]


def _about_clocks(lowering: ModuleLowering, units: Sequence[Unit], files: SourceFiles) -> Iterator[str]:
    from mazurka.frontend.cpp.clocks import clocks_asked

    functions = (
        lowering.ir.functions.get(name) for name in ("clock_gettime", "timespec_get", "gettimeofday")
    )
    of_c = (function.name for function in functions if function and function.is_library)
    of_cpp = (clock for unit in units for clock in clocks_asked(unit.text, files))
    asked = next(chain(of_c, of_cpp), None)
    if asked is not None:
        yield f"'{asked}' always shows the same time, so what happens after time has passed is not explored"


def _about_target(lowering: ModuleLowering, units: Sequence[Unit]) -> Iterator[str]:
    """The warning that a property about calls of a function says nothing: there are none."""
    target = lowering.dialect.target
    if target and not lowering.calls_target:
        inlined = any(unit.compilation is None for unit in units)
        why = f"; in LLVM IR, '{target}' may have been inlined" if inlined else ""
        yield f"the program never calls '{target}', so the property says nothing about it{why}"


def _check_stubs(lowering: ModuleLowering) -> None:
    """Refuses stubs for functions that the program defines, or does not know."""
    for name in lowering.stubs:
        if name in lowering.defined:
            message, hint = (
                f"the program defines '{name}' itself",
                "leave out either '--stub' or the definition",
            )
        elif name not in lowering.ir.functions:
            message, hint = f"the program does not call '{name}'", f"leave out '--stub {name}=…'"
        else:
            continue
        raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


def _limited(program: Program, nondet: tuple[int, int]) -> Program:
    """The program with fewer open values."""
    from mazurka.program.passes.open_values import limit_choices

    program = limit_choices(program, *nondet)
    for one in program.limited:
        if not one.values:
            message = f"this call in {one.function} can return no value in {nondet[0]}..{nondet[1]}"
            hint = "give --nondet a range that includes some of the call's values"
            raise SourceError(ErrorCode.BAD_VALUE, message, place=Place(one.file, one.line), hint=hint)
    return program


def _cleaned(
    units: Sequence[Unit],
    files: SourceFiles,
    cleaner: Cleaner,
    compiler: Compiler,
    dialect: Dialect,
    shelf: Shelf | None,
) -> str:
    """The IR of all units, linked and ready to be parsed."""
    from mazurka.frontend.cleaning.clean import RejectedIR
    from mazurka.frontend.cleaning.compound import refuse_added_constants, with_right_assignments
    from mazurka.frontend.cleaning.screen import screen
    from mazurka.frontend.cleaning.zeros import shorten_zeros
    from mazurka.frontend.linking.link import UnlinkableIR

    texts = [shorten_zeros(unit.text) for unit in units]
    for unit, text in zip(units, texts, strict=True):
        screen(text, files, unit.file.shown)
        if unit.compilation and unit.compilation.unfolded:
            refuse_added_constants(unit.compilation.unfolded, files, unit.file.shown)
    texts = [
        with_right_assignments(text, files, unit.file.shown) if unit.compilation else text
        for unit, text in zip(units, texts, strict=True)
    ]
    try:
        if not _is_cpp(units):
            return cleaner.clean(_linked(units, texts, files, compiler, dialect, shelf))
        from mazurka.frontend.cpp.inlining import inline_system_functions
        from mazurka.frontend.cpp.unwinding import catches, lower_unwinding

        handled = catches(texts, files)
        whole = _linked(units, texts, files, compiler, dialect, shelf, handled=handled)
        inlined = inline_system_functions(whole, files, handled=handled)
        return cleaner.clean(lower_unwinding(inlined) if handled else inlined, twice=True)
    except RejectedIR as error:
        for unit in units:
            unit.refuse_if(cleaner.why_unreadable(unit.text))
        for unit in units:
            if isinstance(error, UnlinkableIR) and unit.compilation is None:
                unit.refuse_if(error.message)
        raise error from None


def _is_cpp(units: Sequence[Unit]) -> bool:
    """Whether modules may come from C++ or another language that writes IR like that."""
    from mazurka.frontend.c.flags import language_of

    return any(language_of(unit.file.shown) != "C" for unit in units)


def _linked(
    units: Sequence[Unit],
    texts: list[str],
    files: SourceFiles,
    compiler: Compiler,
    dialect: Dialect,
    shelf: Shelf | None,
    *,
    handled: bool = False,
) -> str:
    from mazurka.frontend.libc.library import c_library, reusing
    from mazurka.frontend.linking.conflicts import refuse_conflicts
    from mazurka.frontend.linking.link import link
    from mazurka.frontend.linking.shelf import NO_SHELF

    if len(texts) > 1:
        refuse_conflicts([(unit.file.shown, text) for unit, text in zip(units, texts, strict=True)], files)
    if dialect.reuse_memory:
        texts = [reusing(text) for text in texts]
    shelf = shelf or NO_SHELF
    libraries = [c_library(compiler, shelf, reuse_memory=dialect.reuse_memory, handled=handled)]
    if _is_cpp(units):
        from mazurka.frontend.cpp.formats import without_formats
        from mazurka.frontend.cpp.library import cpp_library

        texts = [without_formats(text) for text in texts]
        libraries.insert(0, cpp_library(compiler, shelf, texts, dialect, handled=handled))
    return link(texts, libraries, without=frozenset(stub.name for stub in dialect.stubs))
