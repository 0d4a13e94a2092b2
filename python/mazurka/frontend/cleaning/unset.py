"""Finds reads of local variables that have no value, although LLVM moves these variables to registers.

LLVM assumes that such reads never happen: where some ways to a read write the variable, it takes what they
write. So each variable first gets a value that LLVM knows nothing about, an *unset value*: the result of an
opaque function (``UNSET``), stored where the variable begins to exist. LLVM's own construction of registers
then says whether any read can see it. In nearly all functions none can, and nothing remains of the unset
values. A function in which one can is prepared again, with a call of ``READ`` for each read of a local.
What the reads may see, ``analysis.reads`` finds when the promoted IR is parsed.

Reads are the loads of scalars that have a type of their own (``tbaa``): not copies, nor what the compiler
loads to pass a struct by value or to store a bit-field.

I1: unset values are stored only at offsets that are known, and where a load of the same size reads them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mazurka.frontend.llvm.ir import READ, UNSET
from mazurka.frontend.llvm.lexer import unquote

_NAME = r'%(?:"[^"]*"|[-\w.$]+)'
_SCALAR = r"i\d+|ptr|float|double"
_VALUE = f"%{UNSET}."
_LOAD = re.compile(rf"^  ({_NAME}) = load ({_SCALAR}), ptr ({_NAME}), align \d+(, !dbg !\d+)?, !tbaa ")
_ALLOCA = re.compile(rf"^  ({_NAME}) = alloca [^,]*(?:, align \d+)?$")
_BEGIN = re.compile(rf"^  call void @llvm\.lifetime\.start\.p0\(.*?ptr (?:nonnull )?({_NAME})\)")
_COPY = re.compile(
    rf"^  call void @llvm\.mem(?:cpy|move)\.p0\.p0\.i64"
    rf"\(ptr [^%@,]*({_NAME}), ptr [^%@,]*({_NAME}), i64 (\d+),"
)
_BIT_FIELD = "%bf.load"
_FUNCTION = re.compile(r"^define .*?^}", re.M | re.S)
_DEBUG = re.compile(r"^    #dbg_.*\n", re.M)
_USE = re.compile(
    rf"^  (?!{re.escape(_VALUE)})(?:({_NAME}) = )?(?P<op>\w+).*{re.escape(_VALUE)}(?P<function>\d+)\..*\n",
    re.M,
)
_STORE = re.compile(rf"^  store (?!volatile |atomic ).* {re.escape(_VALUE)}[\w.]+, ptr .*\n", re.M)
_ANY = re.compile(rf"^.*{re.escape(_VALUE)}.*\n", re.M)
_CONVERSIONS = frozenset(("trunc", "zext", "lshr", "shl", "and", "or", "bitcast", "inttoptr", "ptrtoint"))
_BYTES = {"ptr": 8, "float": 4, "double": 8}

Places = Mapping[str, tuple[str, int]]  # addresses inside locals, by name: the local and the byte
Scalar = tuple[int, str]  # the offset in a local, and the type, of what a load reads


def _size(type_: str) -> int:
    return _BYTES.get(type_) or (int(type_[1:]) + 7) // 8


@dataclass
class UnsetValues:
    """Gives unset values to locals; ``watched`` are the numbers of functions whose reads are of interest."""

    watched: frozenset[int] | None = None
    _function: int = 0
    _round: int = 0
    _types: set[str] = field(default_factory=set)

    def insert(self, lines: list[str], private: set[str], places: Places) -> list[str]:
        """A function's lines, with unset values for its private locals."""
        self._function += 1
        if self.watched is not None and self._function not in self.watched:
            return lines
        is_private = {unquote(name) for name in private}
        reads = {at: load for at, line in enumerate(lines) if (load := self._read(line, is_private, places))}
        wanted = _wanted(lines, ((places[unquote(load[3])], load[2]) for load in reads.values()), places)
        if not wanted:
            return lines
        begun = {unquote(begin[1]) for line in lines if (begin := _BEGIN.match(line))}
        result: list[str] = []
        for at, line in enumerate(lines):
            result.append(line)
            begin = _BEGIN.match(line)
            local = begin or _ALLOCA.match(line)
            if local and (begin or unquote(local[1]) not in begun) and unquote(local[1]) in is_private:
                result += self._stores(local[1], wanted.get(unquote(local[1]), ()), len(result))
            if self.watched is not None and at in reads:
                name, type_, _, position = reads[at].groups()
                self._types.add(type_)
                result.append(f"  call void @{READ}.{type_}({type_} {name}){position or ''}")
        return result

    def _read(self, line: str, private: set[str], places: Places) -> re.Match[str] | None:
        load = _LOAD.match(line)
        if load is None or load[1].startswith(_BIT_FIELD) or unquote(load[3]) not in private:
            return None
        return load if unquote(load[3]) in places else None

    def _stores(self, local: str, scalars: Iterable[Scalar], number: int) -> list[str]:
        lines = []
        for offset, type_ in scalars:
            value = f"{_VALUE}{self._function}.{self._round}.{number}.{offset}"
            self._types.add(type_)
            lines += [
                f"  {value} = call {type_} @{UNSET}.{type_}()",
                f"  {value}.at = getelementptr i8, ptr {local}, i64 {offset}",
                f"  store {type_} {value}, ptr {value}.at, align 1",
            ]
        return lines

    def again(self) -> UnsetValues:
        """For the same functions, in the same order, when more of their locals are private."""
        return UnsetValues(self.watched, _round=1, _types=self._types)

    def declarations(self) -> str:
        """The declarations of the opaque functions that were used."""
        return "".join(
            f"declare {type_} @{UNSET}.{type_}() nounwind willreturn memory(none)\n"
            f"declare void @{READ}.{type_}({type_})\n"
            for type_ in sorted(self._types)
        )


def _wanted(
    lines: list[str], reads: Iterable[tuple[tuple[str, int], str]], places: Places
) -> dict[str, list[Scalar]]:
    """What is read of each local, or of a local that it is copied to."""
    wanted: defaultdict[str, set[Scalar]] = defaultdict(set)
    for (local, offset), type_ in reads:
        wanted[local].add((offset, type_))
    copies = [copy for line in lines if (copy := _COPY.match(line))]
    ends = [(places.get(unquote(copy[1])), places.get(unquote(copy[2])), int(copy[3])) for copy in copies]
    before = -1
    while before != (before := sum(map(len, wanted.values()))):
        for target, source, length in ends:
            if target is not None and source is not None:
                moved = source[1] - target[1]
                inside = [s for s in wanted[target[0]] if _lies_in(s, target[1], length)]
                wanted[source[0]].update((offset + moved, type_) for offset, type_ in inside)
    return {local: _apart(scalars) for local, scalars in wanted.items()}


def _lies_in(scalar: Scalar, start: int, length: int) -> bool:
    """Whether all of a scalar is copied: the source of a part may be smaller than the scalar."""
    offset, type_ = scalar
    return start <= offset and offset + _size(type_) <= start + length


def _apart(scalars: set[Scalar]) -> list[Scalar]:
    """Without scalars that are in the same bytes as others: one of the same size is enough."""
    by_place = {(offset, _size(type_)): type_ for offset, type_ in sorted(scalars)}
    return [
        (offset, type_)
        for (offset, size), type_ in by_place.items()
        if not any(
            (other, wide) != (offset, size) and other < offset + size and offset < other + wide
            for other, wide in by_place
        )
    ]


def functions_with_unset(cleaned: str) -> frozenset[int]:
    """The numbers of the functions in which a value may be used that was never set."""
    found: set[int] = set()
    if _VALUE in cleaned:
        for function in _FUNCTION.findall(cleaned):
            code = _DEBUG.sub("", function)
            uses = _USE.finditer(code)
            found.update(
                int(use["function"]) for use in uses if not _is_ours(use[0]) and not _is_dead(use, code)
            )
    return frozenset(found)


def _is_ours(line: str) -> bool:
    """Whether a line stores an unset value because ``insert`` says so: it has no place in the source."""
    return _STORE.match(line) is not None and "!dbg" not in line


def _is_dead(use: re.Match[str], code: str) -> bool:
    """Whether a use does nothing: LLVM leaves conversions behind of what a fill has overwritten."""
    name = use[1]
    return use["op"] in _CONVERSIONS and len(re.findall(rf"{re.escape(name)}(?![-\w.$])", code)) == 1


def without_unset(cleaned: str, *, used: bool) -> str:
    """The IR without unset values, or, if some are used, without those that were stored to locals.

    Memory that was never written stays as it is: the engine knows which bytes these are.
    """
    if _VALUE not in cleaned:
        return cleaned
    return (_STORE if used else _ANY).sub("", cleaned)
