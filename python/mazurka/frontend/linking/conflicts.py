"""Refuses modules that do not go together, with the places at fault."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.linking.symbols import Symbols
from mazurka.frontend.llvm.debuginfo import SourceFiles

_LAYOUT = re.compile(r'^target datalayout = "([^"]*)"', re.M)


def refuse_conflicts(modules: Sequence[tuple[str, str]], files: SourceFiles) -> None:
    """Refuses modules, each a file and its text, if two of them define the same name."""
    first: dict[str, tuple[str, Symbols]] = {}
    for shown, text in modules:
        symbols = Symbols(text)
        for name in symbols.strong:
            if name in first:
                before, there = first[name]
                other = there.place(name, files) or Place(before)
                raise SourceError(
                    ErrorCode.DEFINED_TWICE,
                    f"'{name}' is defined twice: it is also defined at {other}",
                    place=symbols.place(name, files) or Place(shown),
                    hint="make one of them static or extern, or leave out one of the files; "
                    "'-- -fcommon' makes one variable of those without a value",
                )
            first[name] = (shown, symbols)
    _compare_targets(modules)


def _compare_targets(modules: Sequence[tuple[str, str]]) -> None:
    """Modules that lay out data differently were not compiled for the same machine."""
    layouts = [(shown, found[1]) for shown, text in modules if (found := _LAYOUT.search(text))]
    for shown, layout in layouts[1:]:
        if layout != layouts[0][1]:
            raise SourceError(
                ErrorCode.UNSUPPORTED,
                f"this file was compiled for another target than '{layouts[0][0]}'",
                place=Place(shown),
                hint="compile both for x86_64-linux-gnu",
            )
