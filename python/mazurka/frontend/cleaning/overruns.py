"""Which local variables are overrun by an access at a known offset.

LLVM assumes that such an access never happens, and drops it or cuts it off at the end of the variable.
So the variable is passed to an opaque function (``KEEP``): then LLVM leaves it in memory, and the engine
reports the access when it is reached.
"""

from __future__ import annotations

import re

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed
from mazurka.frontend.llvm.lexer import unquote
from mazurka.frontend.llvm.parser import ModuleParser
from mazurka.frontend.lowering.layout import gep_offset

_NAME = r'%(?:"[^"]*"|[-\w.$]+)'
_ALLOCA = re.compile(rf"^  ({_NAME}) = alloca (.*?)(?:, align \d+)?$")
_STEP = re.compile(rf"^  ({_NAME}) = getelementptr .*?, ptr ({_NAME})")
_ACCESS = re.compile(rf"^  (?:{_NAME} = )?(?:load|store) .*?, ptr ({_NAME})(?:, |$)")
_COPY = re.compile(r"^  call void @llvm\.mem(?:cpy|move|set)\.")


class Overruns:
    """Looks for such accesses, function by function."""

    def __init__(self, text: str) -> None:
        self._parser = ModuleParser()
        self._text = text
        self._prepared = False
        self.places: dict[str, tuple[str, int]] = {}

    def find(self, lines: list[str]) -> set[str]:
        """The local variables of a function that some access overruns.

        Afterwards ``places`` has the addresses inside a local, at a known byte.
        """
        types: dict[str, str] = {}
        self.places = places = {}
        found: set[str] = set()
        for line in lines:
            local = _ALLOCA.match(line)
            if local:
                name = unquote(local[1])
                types[name] = local[2]
                places[name] = (name, 0)
                continue
            step = _STEP.match(line)
            if step:
                self._step(line, unquote(step[1]), unquote(step[2]), places)
            elif _COPY.match(line):
                found |= self._copied_beyond(line, places, types)
            else:
                found |= self._accessed_beyond(line, places, types)
        return found

    def _read(self, line: str) -> ir.Inst:
        if not self._prepared:
            self._parser.define_structs(self._text.split("\n"))
            self._prepared = True
        return self._parser.instruction(line)

    def _size(self, local: str, types: dict[str, str]) -> int:
        inst = self._read(f"  %local = alloca {types[local]}")
        assert inst.source is not None
        return inst.source.size if not inst.operands else 1 << 63  # of a variable length

    def _step(self, line: str, name: str, base: str, places: dict[str, tuple[str, int]]) -> None:
        if base not in places:
            return
        inst = self._read(line)
        numbers = [
            signed(value.bits, ir.width(type_))
            for type_, value in inst.operands[1:]
            if isinstance(value, ir.Number)
        ]
        if len(numbers) + 1 == len(inst.operands) and inst.source is not None:
            local, offset = places[base]
            places[name] = (local, offset + gep_offset(inst.source, numbers))

    def _accessed_beyond(
        self, line: str, places: dict[str, tuple[str, int]], types: dict[str, str]
    ) -> set[str]:
        access = _ACCESS.match(line)
        if access is None or unquote(access[1]) not in places:
            return set()
        local, offset = places[unquote(access[1])]
        if offset == 0 and f" {types[local]}" in line:
            return set()  # an access to the whole variable: by far the most
        inst = self._read(line)
        size = inst.type.size if inst.op == "load" else inst.operands[0][0].size
        return {local} if offset < 0 or offset + size > self._size(local, types) else set()

    def _copied_beyond(
        self, line: str, places: dict[str, tuple[str, int]], types: dict[str, str]
    ) -> set[str]:
        inst = self._read(line)
        length = inst.operands[3][1]
        found = set()
        for _, value in inst.operands[1:3]:
            name = value.name if isinstance(value, ir.Local) else ""
            if name in places and isinstance(length, ir.Number):
                local, offset = places[name]
                if offset < 0 or offset + length.bits > self._size(local, types):
                    found.add(local)
        return found
