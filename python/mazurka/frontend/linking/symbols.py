"""Which names a module of IR defines and which it uses without defining them."""

from __future__ import annotations

import re
from functools import cached_property

from mazurka.errors import Place
from mazurka.frontend.llvm.debuginfo import DebugInfo, SourceFiles
from mazurka.frontend.llvm.lexer import unquote, words

_NAME = r'@(?P<name>"[^"]*"|[-\w.$]+)'
_FUNCTION = re.compile(rf"^(?P<kind>define|declare) (?P<words>[^@\n]*?){_NAME}\(", re.M)
_GLOBAL = re.compile(
    rf"^{_NAME} = (?P<words>[^\"@\n]*?)\b(?P<kind>global|constant|alias|ifunc)\b(?P<rest>.*)$", re.M
)
# A definition with one of these yields to another one, or is not seen by other modules.
_WEAK = words("private internal linkonce linkonce_odr weak weak_odr common appending")
_ELSEWHERE = words("external extern_weak available_externally")
_LOCAL = words("private internal")
_DEBUG = re.compile(r"!dbg (!\d+)")


class Symbols:
    """The names of a module's text that other modules may mean, too."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.strong: dict[str, int] = {}  # where the one definition of a name begins
        self.defined: set[str] = set()
        self.undefined: set[str] = set()
        for found in (*_FUNCTION.finditer(text), *_GLOBAL.finditer(text)):
            self._add(found)
        self.undefined -= self.defined

    def _add(self, found: re.Match[str]) -> None:
        name, linkage = unquote("@" + found["name"]), set(re.findall(r"\w+", found["words"]))
        if name.startswith("llvm.") or linkage & _LOCAL:
            return
        if found["kind"] == "declare" or linkage & _ELSEWHERE:
            self.undefined.add(name)
            return
        self.defined.add(name)
        if not linkage & _WEAK:
            self.strong[name] = found.start()

    @cached_property
    def _metadata(self) -> dict[str, str]:
        nodes = (node.partition(" = ") for node in self._text.split("\n") if node.startswith("!"))
        return {name: rest for name, _, rest in nodes}

    def place(self, name: str, files: SourceFiles) -> Place | None:
        """Where the source defines a name."""
        at = self.strong[name]
        number = _DEBUG.search(self._text, at, self._text.find("\n", at))
        if number is None:
            return None
        debug = DebugInfo(self._metadata, files)
        node = debug.node(number[1]).get("var", number[1])
        where = debug.function_position(node)
        return Place(where.file, where.line) if where is not None else None
