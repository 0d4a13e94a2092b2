"""Compiles many small C programs in one call of the compiler: starting it takes longer than a program.

Their global names start with a prefix of their own; what the IR defines under the prefix is one program.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from mazurka.frontend.analysis.reads import check_reads
from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.driver import Compilation
from mazurka.frontend.cleaning.clean import Cleaner
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.debuginfo import SourceFiles
from mazurka.frontend.llvm.parser import parse_module
from mazurka.frontend.lowering.module import ModuleLowering
from mazurka.program import Program
from mazurka.program.passes import passes_without, run_passes

_HEADERS = "".join(
    f"#include <{name}.h>\n" for name in ("pthread", "stdatomic", "stddef", "stdint", "stdlib", "string")
)


class Batch:
    """Programs by prefix."""

    def __init__(self, sources: Sequence[str]) -> None:
        with tempfile.TemporaryDirectory(prefix="mazurka-") as directory:
            self._path = str(Path(directory) / "batch.c")
            Path(self._path).write_text(_HEADERS + "".join(sources))
            text, _ = Compilation(self._path, "batch.c", ("-w",), Compiler(None)).result()
        self._module = parse_module(Cleaner().clean(text))
        check_reads(self._module)

    def program(self, prefix: str, *, share_all: bool = False, without: Collection[str] = ()) -> Program:
        """One of them; with ``share_all``, every local and heap object is taken for shared.

        ``without`` names what is switched off.
        """
        files = SourceFiles([(self._path, "batch.c")])
        lowering = ModuleLowering(self._part(prefix), files, "batch.c", share_all=share_all)
        return run_passes(lowering.lower({}), passes_without(without))

    def _part(self, prefix: str) -> ir.Module:
        whole = self._module
        main = replace(whole.functions[prefix + "main"], name="main")
        functions = {
            name: function
            for name, function in whole.functions.items()
            if not function.blocks or name.startswith(prefix)
        }
        del functions[prefix + "main"]
        globals_ = {name: item for name, item in whole.globals.items() if f".{prefix}" in f".{name}"}
        return replace(whole, globals=globals_, functions={**functions, "main": main})
