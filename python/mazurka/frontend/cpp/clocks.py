"""Finds out whether a program asks what time it is: clocks stand still, which its user should know.

Waits with a limit ask, too, inside libc++. They end in time or late, whatever the clock says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mazurka.frontend.llvm.debuginfo import DebugInfo, SourceFiles

_NOW = re.compile(r"\bcall [^@\n]*@_ZNSt3__16chrono1[23](steady|system)_clock3nowEv\(")
_FUNCTION = re.compile(r"^define [^\n]*!dbg (?P<scope>!\d+)[^\n]*\{\n(?P<body>.*?)^\}$", re.M | re.S)


def clocks_asked(text: str, files: SourceFiles) -> Iterator[str]:
    """The clocks that the program's own functions ask, in a module that is not linked yet."""
    if "_clock3nowEv(" not in text:
        return
    nodes = (node.partition(" = ") for node in text.split("\n") if node.startswith("!"))
    debug = DebugInfo({name: rest for name, _, rest in nodes}, files)
    for function in _FUNCTION.finditer(text):
        if not debug.is_system_function(function["scope"]):
            yield from (f"std::chrono::{clock}_clock::now" for clock in _NOW.findall(function["body"]))
