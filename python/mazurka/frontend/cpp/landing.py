"""One function without ``invoke``, ``landingpad`` and ``resume``: see ``unwinding``.

The text is that of LLVM, with a name for each block. A block that is split keeps its name for the first
part, and phis that name it get the name of the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from mazurka.frontend.llvm.lexer import unquote

UNWINDING, OPEN, TERMINATE = "@__mazurka_unwinding", "@__mazurka_open_handlers", "@_ZSt9terminatev"
UNWIND = "__mazurka_unwind"  # what starts it
_IS_CAUGHT = "__mazurka_is_caught"  # looks at the handlers that are open
# Functions that are not defined, and call others of the program, which may throw.
_CALLING = frozenset(("pthread_once", "call_once", "exit", "pthread_exit", "thrd_exit"))
NAME = r'(?:"[^"]*"|[-\w.$]+)'
CALL = re.compile(rf"^  (?:%{NAME} = )?(?:tail |notail |(?P<last>musttail ))?(?:call|invoke) (?P<rest>.*)$")
CALLEE = re.compile(rf"[^@]*@({NAME})\(")
BITS_PER_WORD = 64  # of the words that say which handlers are open
_NOTHING = "null"  # the type of catch (...)

_LABEL = re.compile(rf"^({NAME}):")
_ATTRIBUTES = re.compile(r" #(\d+) ")
_EDGES = re.compile(rf" to label %(?P<normal>{NAME}) unwind label %(?P<pad>{NAME})")
_INVOKE = re.compile(rf"^(  (?:%{NAME} = )?)invoke ")
_DEBUG = re.compile(r", !dbg !\d+")
_PAD = re.compile(rf"^  (?P<result>%{NAME}) = landingpad (?P<type>\{{[^}}]*\}}) (?P<clauses>.*)$")
_CLAUSE = re.compile(
    rf"(?P<kind>catch|filter) (?:ptr (?P<type>@{NAME}|null)|\[\d+ x ptr\] (?:\[(?P<list>[^]]*)\]|\w+))"
)
_ASKED = re.compile(
    rf"^  (%{NAME}) = (?:tail )?call i32 @llvm\.eh\.typeid\.for(?:\.p0)?\(ptr (?:\w+ )*(@{NAME}|null)\)"
)
_TYPE = re.compile(rf"ptr (@{NAME}|null)")
_INCOMING = re.compile(rf", %({NAME}) \]")
_TARGET = re.compile(rf"label %({NAME})")


class Shared(Protocol):
    """What the functions of a module share."""

    def number(self, type_: str) -> int:
        """The number of a type that handlers name, from 1 on."""

    def may_throw(self, rest: str) -> bool:
        """Whether a call may throw, from its text after the word."""

    def is_quiet(self, number: str) -> bool:
        """Whether a group of attributes promises that nothing is thrown."""

    def result_of(self, name: str) -> str:
        """What a function returns while it is unwound."""

    @property
    def words(self) -> int:
        """How many words the bits of all types take."""


class _Clause(NamedTuple):
    """A type that is caught, or those that alone may pass (``filter``)."""

    types: tuple[str, ...]
    is_filter: bool


class Pad(NamedTuple):
    """What a landing pad is entered for."""

    clauses: tuple[_Clause, ...]
    is_cleanup: bool
    is_end: bool  # what no clause catches by its type ends the program

    @property
    def takes_all(self) -> bool:
        """Whether it is entered for every exception."""
        return self.is_cleanup or self.catches_all or any(clause.is_filter for clause in self.clauses)

    @property
    def catches_all(self) -> bool:
        """Whether no handler further up matters."""
        return any(_NOTHING in clause.types for clause in self.clauses if not clause.is_filter)

    def caught(self) -> Iterator[str]:
        """The types for which the program has a handler here."""
        for clause in self.clauses:
            if not clause.is_filter and not (self.is_end and clause.types == (_NOTHING,)):
                yield clause.types[0]


class Landing:
    """A function: what it does with exceptions, and its text afterwards."""

    def __init__(self, text: str, shared: Shared) -> None:
        self._shared = shared
        header, *lines, self._end = re.sub(r"\n {10,}", " ", text).split("\n")
        self._header = header
        found = CALLEE.match(header)
        assert found is not None
        self.name = unquote("@" + found[1])
        attributes = _ATTRIBUTES.search(header, found.end())
        self.is_quiet = self.name == "main" or (attributes is not None and shared.is_quiet(attributes[1]))
        self._blocks = _split(lines)
        self.pads = {
            name: self._pad(name) for name, lines in self._blocks.items() if any(map(_PAD.match, lines))
        }
        self._lasts: dict[str, str] = {}
        self._out: list[str] = []
        self._label = ""
        self._fresh = 0

    def _pad(self, name: str) -> Pad:
        match = next(found for found in map(_PAD.match, self._blocks[name]) if found)
        clauses = tuple(
            _Clause((one["type"],), False)
            if one["kind"] == "catch"
            else _Clause(tuple(_TYPE.findall(one["list"] or "")), True)
            for one in _CLAUSE.finditer(match["clauses"])
        )
        is_cleanup = re.match(r"cleanup\b", match["clauses"]) is not None
        return Pad(clauses, is_cleanup, self._ends_program(name))

    def _ends_program(self, name: str) -> bool:
        """Whether an exception that no type of a handler matches leads from a block to the program's end."""
        seen, stack, ends = {name}, [name], False
        while stack:
            lines = self._blocks[stack.pop()]
            asks = any(map(_ASKED.match, lines))
            for line in lines:
                if "@__cxa_begin_catch(" in line or "@__cxa_call_unexpected(" in line:
                    return False
                ends |= "@__clang_call_terminate(" in line or f"{TERMINATE}(" in line
                matches = asks and line.startswith("  br i1 ")  # then the first target is for that
                new = set(_TARGET.findall(line)[matches:]) - seen
                seen |= new
                stack += new
        return ends

    def throws(self) -> bool:
        """Whether an exception may leave the function."""
        resumes = any(line.startswith("  resume ") for lines in self._blocks.values() for line in lines)
        for line in (line for lines in self._blocks.values() for line in lines):
            call = CALL.match(line)
            if call and self._shared.may_throw(call["rest"]):
                edges = _EDGES.search(line)
                if edges is None or resumes or not self.pads[edges["pad"]].takes_all:
                    return not self.is_quiet
        return False

    def count_types(self) -> None:
        """Gives numbers to the types that the function names."""
        for pad in self.pads.values():
            for clause in pad.clauses:
                for type_ in clause.types:
                    self._shared.number(type_)
        for line in (line for lines in self._blocks.values() for line in lines):
            asked = _ASKED.match(line)
            if asked:
                self._shared.number(asked[2])

    def lowered(self) -> str:
        """The function's text; numbers of types are final."""
        used = self._used_words()
        for number, (name, lines) in enumerate(self._blocks.items()):
            self._out.append(f"{name}:")
            self._label = name
            start = 0
            if number == 0 and used:
                start = next(at for at, line in enumerate(lines) if " = alloca " not in line)
                self._out += lines[:start]
                for word in used:
                    self._load_word(word)
            for line in lines[start:]:
                self._line(line)
            self._lasts[name] = self._label
        out = [_INCOMING.sub(self._renamed, line) if " = phi " in line else line for line in self._out]
        return "\n".join((self._header, *out, self._end))

    def _renamed(self, match: re.Match[str]) -> str:
        return f", %{self._lasts.get(match[1], match[1])} ]"

    def _line(self, line: str) -> None:
        call = CALL.match(line)
        if call:
            self._call(line, call)
        elif line.startswith("  resume "):
            self._out.append(f"  store i32 1, ptr {UNWINDING}, align 4{_debug(line)}")
            self._leave(line)
        elif _PAD.match(line):
            self._land(line)
        else:
            self._out.append(line)

    def _call(self, line: str, call: re.Match[str]) -> None:
        asked = _ASKED.match(line)
        if asked:
            self._out.append(f"  {asked[1]} = add i32 {self._shared.number(asked[2])}, 0{_debug(line)}")
            return
        edges = _EDGES.search(line)
        plain = _INVOKE.sub("\\1call ", _EDGES.sub("", line)) if edges else line
        may_throw = self._shared.may_throw(call["rest"])
        is_last = bool(call["last"])  # whatever it returns while unwinding is returned
        if is_last and may_throw and self.is_quiet:
            plain, is_last = plain.replace("musttail call ", "call ", 1), False
        masks = dict(self._masks_around(line, call["rest"]))
        for word, mask in masks.items():
            self._store_word(word, mask, line)
        starts = _callee(call["rest"]) == UNWIND
        self._out.append(f"  store i32 1, ptr {UNWINDING}, align 4{_debug(line)}" if starts else plain)
        for word in masks:
            self._store_word(word, f"%unwinding.open.{word}", line)
        if may_throw and not is_last:
            self._look(edges, line)
        elif edges:
            self._out.append(f"  br label %{edges['normal']}{_debug(line)}")

    def _look(self, edges: re.Match[str] | None, line: str) -> None:
        """Goes where an exception leads, if there is one."""
        is_unwinding = self._new("unwinding")
        self._out.append(f"  %{is_unwinding}.is = load i32, ptr {UNWINDING}, align 4{_debug(line)}")
        self._out.append(f"  %{is_unwinding} = icmp ne i32 %{is_unwinding}.is, 0{_debug(line)}")
        if edges:
            self._branch(is_unwinding, edges["pad"], edges["normal"], line)
        else:
            leaving, going_on = self._new("leave"), self._new("go.on")
            self._branch(is_unwinding, leaving, going_on, line)
            self._out.append(f"{leaving}:")
            self._leave(line)
            self._begin(going_on)

    def _leave(self, line: str) -> None:
        """Returns some value while unwinding (I4)."""
        if self.is_quiet:
            self._out.append(f"  call void {TERMINATE}(){_debug(line)}")
            self._out.append("  unreachable")
        else:
            self._out.append(f"  ret {self._shared.result_of(self.name)}{_debug(line)}")

    def _land(self, line: str) -> None:
        """Finds out which clause matches; if none does and nothing is to be cleaned up, returns further."""
        match, pad, debug = _PAD.match(line), self.pads[self._label], _debug(line)
        assert match is not None
        chosen = "0"
        for clause in pad.clauses:
            found = chosen
            for type_ in clause.types:
                found = self._match(found, type_, debug)
            if clause.is_filter:
                passes, rejected = self._new("passes"), self._new("clause")
                self._out.append(f"  %{passes} = icmp ne i32 {found}, 0{debug}")
                self._out.append(f"  %{rejected} = select i1 %{passes}, i32 {chosen}, i32 -1{debug}")
                chosen = f"%{rejected}"
            else:
                chosen = found
        if not pad.takes_all:
            misses, leaving, going_on = self._new("misses"), self._new("leave"), self._new("land")
            self._out.append(f"  %{misses} = icmp eq i32 {chosen}, 0{debug}")
            self._branch(misses, leaving, going_on, line)
            self._out.append(f"{leaving}:")
            self._leave(line)
            self._begin(going_on)
        exception, whole = self._new("exception"), self._new("landed")
        type_ = match["type"]
        self._out.append(f"  %{exception} = call ptr @__mazurka_land(){debug}")
        self._out.append(f"  %{whole} = insertvalue {type_} poison, ptr %{exception}, 0{debug}")
        self._out.append(f"  {match['result']} = insertvalue {type_} %{whole}, i32 {chosen}, 1{debug}")

    def _match(self, found: str, type_: str, debug: str) -> str:
        clause = self._new("clause")
        number = self._shared.number(type_)
        self._out.append(f"  %{clause} = call i32 @__mazurka_match(i32 {found}, i32 {number}){debug}")
        return f"%{clause}"

    def _masks_around(self, line: str, rest: str) -> Iterator[tuple[int, str]]:
        """The words of open handlers that a call changes, and what they become (I3, I5)."""
        edges, name, may_throw = _EDGES.search(line), _callee(rest), self._shared.may_throw(rest)
        if name in _CALLING and not may_throw:
            yield from ((word, "0") for word in range(self._shared.words))
        elif edges and (may_throw or name == _IS_CAUGHT):
            yield from self._masks(self.pads[edges["pad"]])

    def _masks(self, pad: Pad) -> Iterator[tuple[int, str]]:
        """The same for a call with a landing pad."""
        bits = [0] * self._shared.words
        for type_ in pad.caught():
            at = self._shared.number(type_) - 1
            bits[at // BITS_PER_WORD] |= 1 << at % BITS_PER_WORD
        for word, mask in enumerate(bits):
            signed = mask - (1 << BITS_PER_WORD if mask >> BITS_PER_WORD - 1 else 0)
            if pad.catches_all:
                yield word, str(signed)
            elif mask:
                new = self._new("open")
                self._out.append(f"  %{new} = or i64 %unwinding.open.{word}, {signed}")
                yield word, f"%{new}"

    def _used_words(self) -> list[int]:
        before = len(self._out)
        calls = (found for lines in self._blocks.values() for found in map(CALL.match, lines) if found)
        used = sorted({word for call in calls for word, _ in self._masks_around(call[0], call["rest"])})
        del self._out[before:]
        return used

    def _place(self, word: int) -> str:
        if word == 0:
            return OPEN
        place = self._new("word")
        self._out.append(
            f"  %{place} = getelementptr [{self._shared.words} x i64], ptr {OPEN}, i64 0, i64 {word}"
        )
        return f"%{place}"

    def _load_word(self, word: int) -> None:
        place = self._place(word)
        self._out.append(f"  %unwinding.open.{word} = load i64, ptr {place}, align 8")

    def _store_word(self, word: int, value: str, line: str) -> None:
        place = self._place(word)
        self._out.append(f"  store i64 {value}, ptr {place}, align 8{_debug(line)}")

    def _branch(self, condition: str, yes: str, no: str, line: str) -> None:
        self._out.append(f"  br i1 %{condition}, label %{yes}, label %{no}{_debug(line)}")

    def _begin(self, label: str) -> None:
        self._out.append(f"{label}:")
        self._label = label

    def _new(self, name: str) -> str:
        self._fresh += 1
        return f"unwinding.{name}.{self._fresh}"


def _split(lines: list[str]) -> dict[str, list[str]]:
    """The lines of each block."""
    blocks: dict[str, list[str]] = {}
    for line in lines:
        label = _LABEL.match(line)
        if label:
            blocks[label[1]] = []
        elif line:
            blocks[next(reversed(blocks))].append(line)
    return blocks


def _callee(rest: str) -> str:
    """The name of the function that a call names, if it does."""
    found = CALLEE.match(rest)
    return found[1] if found else ""


def _debug(line: str) -> str:
    found = _DEBUG.search(line)
    return found[0] if found else ""
