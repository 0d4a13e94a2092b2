"""Makes exceptions ordinary control flow: a throw returns from function to function up to a landing pad.

After every call that may throw, the code looks whether the thread is unwinding. If it is, it goes to the
landing pad of the call, or returns if there is none. A landing pad asks for the first of its clauses that
matches (``include/cxx/exceptions.cpp``). What a throw has to know beforehand is whether any handler will
catch it: while a call with handlers is made, the types that these catch have bits in words of the thread.

I1: all of this is in thread-locals that only their thread can reach, so it adds no events.
I2: a call that cannot throw has no code for it: functions that may are found first, through calls by
pointers, too.
I3: where an exception must not leave a function (``noexcept``), handlers further up do not count as open. So
an exception that ends the program does so where it is thrown.
I4: a function that ``nounwind`` promises not to throw, and main, end the program if an exception arrives.
I5: no exception passes through a function that calls others and is not in the module (``pthread_once``):
while it is called, no handlers count as open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mazurka.frontend.cpp.landing import BITS_PER_WORD, CALL, CALLEE, NAME, OPEN, TERMINATE, UNWIND, Landing
from mazurka.frontend.llvm.debuginfo import DebugInfo, SourceFiles
from mazurka.frontend.llvm.lexer import unquote

_FUNCTION = re.compile(r"^define .*?^}", re.M | re.S)
_OWN = re.compile(r"^define [^@\n]*@__cxa_(begin_catch|throw)\(", re.M)
_SCOPE = re.compile(r"!dbg (!\d+)")
_QUIET = re.compile(r"^attributes #(\d+) = \{ (?:[^\n]* )?nounwind[ }]", re.M)
_SITE = re.compile(r"\) #(\d+)\b")
_RESULT = re.compile(r'((?:"[^"]*"|[^"(])*?) \(')
_USED = re.compile(rf"@({NAME})")
_ALIAS = re.compile(rf"^@({NAME}) = [^@\n]*\balias [^@\n]*@({NAME})", re.M)  # such as constructors


def catches(texts: Iterable[str], files: SourceFiles) -> bool:
    """Whether a program catches exceptions, and leaves it to us what that means; from its modules."""
    texts = list(texts)
    return any(_has_handlers(text, files) for text in texts) and not any(map(_OWN.search, texts))


def _has_handlers(text: str, files: SourceFiles) -> bool:
    """Whether the program's own functions catch exceptions, in a module that is not linked yet."""
    if "@__cxa_begin_catch(" not in text:
        return False
    nodes = (node.partition(" = ") for node in text.split("\n") if node.startswith("!"))
    debug = DebugInfo({name: rest for name, _, rest in nodes}, files)
    for function in _FUNCTION.finditer(text):
        header = function[0].split("\n", 1)[0]
        if "@__gxx_personality_v0" in header and "@__cxa_begin_catch(" in function[0]:
            scope = _SCOPE.search(header)
            if scope is None or debug.file_of_scope(scope[1]) is not None:
                return True
    return False


def lower_unwinding(text: str) -> str:
    """The module without ``invoke``, ``landingpad`` and ``resume``, if it has what they become."""
    import llvmlite.binding as llvm

    module: Any = llvm.parse_assembly(text, llvm.create_context())  # I3 of linking.link
    results = {}
    for function in module.functions:
        if not function.is_declaration:
            found = _RESULT.match(str(function.global_value_type))
            assert found is not None
            results[function.name] = found[1]
            for block in function.blocks:
                block.name = block.name or "block"
    return _Module(str(module), results).lowered()


class _Module:
    """What the functions of a module share."""

    def __init__(self, text: str, results: dict[str, str]) -> None:
        self._text = text
        self._results = results
        self._numbers: dict[str, int] = {}
        self._quiet = set(_QUIET.findall(text))
        self._aliases = dict(_ALIAS.findall(text))
        self._functions = [Landing(match[0], self) for match in _FUNCTION.finditer(text)]
        self._throwing = {UNWIND}
        self._pointers_throw = False
        self._find_throwing()

    def number(self, type_: str) -> int:
        return self._numbers.setdefault(type_, len(self._numbers) + 1)

    @property
    def words(self) -> int:
        return max((len(self._numbers) + BITS_PER_WORD - 1) // BITS_PER_WORD, 1)

    def is_quiet(self, number: str) -> bool:
        return number in self._quiet

    def result_of(self, name: str) -> str:
        type_ = self._results[name]
        return "void" if type_ == "void" else f"{type_} zeroinitializer"

    def may_throw(self, rest: str) -> bool:
        site = _SITE.search(rest)
        if site and site[1] in self._quiet:
            return False
        callee = CALLEE.match(rest)
        if callee is None:
            return self._pointers_throw and " asm " not in rest
        name = callee[1]
        while name in self._aliases:
            name = self._aliases[name]
        return unquote("@" + name) in self._throwing

    def _find_throwing(self) -> None:
        taken = self._taken()
        grows = True
        while grows:
            new = {function.name for function in self._functions if function.throws()} - self._throwing
            self._throwing |= new
            grows = bool(new)
            self._pointers_throw = not taken.isdisjoint(self._throwing)

    def _taken(self) -> set[str]:
        """The functions whose addresses are used for more than direct calls."""
        used: set[str] = set()
        for line in self._text.split("\n"):
            if line.startswith(("define ", "declare ", "!")):
                continue
            call = CALL.match(line)
            callee = CALLEE.match(call["rest"]) if call else None
            used.update(_USED.findall(call["rest"][callee.end() :] if call and callee else line))
        return {unquote("@" + name) for name in used}

    def lowered(self) -> str:
        for function in self._functions:
            function.count_types()
        functions = iter(self._functions)
        text = _FUNCTION.sub(lambda _: next(functions).lowered(), self._text)
        types = ", ".join(f"ptr {name}" for name in self._numbers) or "ptr null"
        for name, definition in {
            "@__mazurka_caught_types": f"constant [{max(len(self._numbers), 1)} x ptr] [{types}]",
            "@__mazurka_caught_type_count": f"constant i32 {len(self._numbers)}",
            OPEN: f"thread_local global [{self.words} x i64] zeroinitializer",
        }.items():
            text = re.sub(rf"^{name} = external .*$", f"{name} = {definition}, align 8", text, flags=re.M)
        is_declared = re.search(rf"^(declare|define) [^@\n]*{TERMINATE}\(", text, re.M)
        return text if is_declared else f"{text}\ndeclare void {TERMINATE}()\n"
