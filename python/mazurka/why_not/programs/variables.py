"""Conditions about what global variables hold at the end, such as ``r1 == 1 && queue.head[0] != 0``.

They are written as in C, or as in litmus tests, whose parser reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from mazurka.checking.objects import LITERAL
from mazurka.errors import ErrorCode, SourceError, UsageError
from mazurka.litmus.meaning.conditions import Equals, Proposition, atoms, holds
from mazurka.litmus.meaning.values import Location, Value
from mazurka.litmus.text.places import Places
from mazurka.litmus.text.problems import Source, closest
from mazurka.litmus.text.questions import Propositions
from mazurka.litmus.text.tokens import Token, Tokens
from mazurka.program import Program, TypeInfo

OPTION = "--expect-outcome"
_SYNTAX = "write it as in C, such as 'r1 == 1 && (x != 2 || q.head[0] == 0)'"
_NO_INTEGERS = ("float", "double", "long double", "_Float16", "__float128")
_BITS = "bit-fields"
_ASSIGN = "assign what matters to a global variable of an integer type"
_WIDEST = 16  # bytes of an integer
# Types that C widens to int before it compares them, with what they hold. Whether a char is signed depends.
_RANGES = {
    **dict.fromkeys(("_Bool", "bool"), (0, 1)),
    "signed char": (-(1 << 7), (1 << 7) - 1),
    "unsigned char": (0, (1 << 8) - 1),
    "short": (-(1 << 15), (1 << 15) - 1),
    "unsigned short": (0, (1 << 16) - 1),
}


class Variable(NamedTuple):
    """A global variable, or a part of one."""

    name: str
    address: int
    size: int


class Condition(NamedTuple):
    """What is asked about the end of an execution."""

    text: str
    proposition: Proposition
    variables: Mapping[str, Variable]

    def holds(self, value: Callable[[Variable], int]) -> bool:
        """Whether it holds, given what the variables hold. In 4 bytes, -1 is the same as 0xffffffff."""

        def is_equal(part: Equals) -> bool:
            variable = self.variables[str(part.left)]
            assert isinstance(part.right, int), "only numbers are read"
            return (value(variable) ^ part.right) & (1 << 8 * variable.size) - 1 == 0

        return holds(self.proposition, is_equal)


def read_condition(text: str, program: Program) -> Condition:
    """The condition that a user wrote; what cannot be read, or is not in the program, is refused."""
    try:
        tokens = Tokens(Source(text, OPTION), text)
        variables = _Variables(tokens, program)
        found = Propositions(tokens, variables, "'==' or '!='").proposition()
        if tokens.peek().kind != "end":
            raise tokens.unexpected("expected '&&', '||' or the end", _SYNTAX)
        if any(str(part.left) not in variables.found for part in atoms(found)):
            raise tokens.source.problem(text.index("{"), "only one value can be compared", hint=_SYNTAX)
    except SourceError as error:
        hint = _SYNTAX if error.code is ErrorCode.BAD_LITMUS else error.hint
        raise UsageError(
            ErrorCode.BAD_VALUE, error.message, place=error.place, hint=hint, snippet=error.snippet
        ) from error
    return Condition(" ".join(text.split()), found, variables.found)


class _Variables(Places):
    """Reads names of global variables and their parts, and numbers."""

    def __init__(self, tokens: Tokens, program: Program) -> None:
        super().__init__(tokens, lambda _: None)
        self.types = program.types
        self.globals = [item for item in program.globals if not item.name.startswith(LITERAL)]
        self.found: dict[str, Variable] = {}
        self.last = Variable("", 0, 0)  # the one that was read last
        self.type = ""  # of this one

    def at_thread(self) -> bool:
        return False

    def location(self) -> Location:
        """``x``, ``q.head``, ``a[1].next``."""
        first = self.tokens.peek()
        name = self._name()
        items = [item for item in self.globals if item.name == name]
        if not items:
            known = (item.name for item in self.globals)
            otherwise = "name a global variable; what a thread keeps in a local one has to be assigned to it"
            cure = closest(name.rpartition("::")[2], known, otherwise)  # namespaces are not kept
            self._refuse(first, f"'{name}' is not a global variable", cure)
        if len(items) > 1:
            self._refuse(first, f"there are {len(items)} variables '{name}'", "rename all but one of them")
        (item,) = items
        if item.type < 0:
            self._refuse(first, f"the type of '{name}' is not known", "compile it with -g")
        address, type_ = item.address, self.types[item.type]
        while (mark := self.tokens.peek()).text in (".", "["):
            self.tokens.take()
            offset, type_ = self._member(type_, name) if mark.text == "." else self._element(type_, name)
            address += offset
            name = self.tokens.text_since(first)
        while type_.kind == "struct" and len(type_.members) == 1 and not type_.members[0][0]:
            type_ = self.types[type_.members[0][2]]  # the base classes of std::atomic
        self._check_scalar(first, name, type_)
        if self.tokens.peek().text == "=":
            self._refuse(self.tokens.peek(), "'=' is an assignment in C", "did you mean '=='?")
        self.last = self.found[name] = Variable(name, address, type_.size)
        self.type = type_.name
        return Location(name, None)

    def _name(self) -> str:
        """A name, with the namespaces before it, which C++ has."""
        name = self.tokens.name("a global variable", _SYNTAX).text
        while (self.tokens.peek().text, self.tokens.peek(1).text) == (":", ":"):
            self.tokens.take()
            self.tokens.take()
            name += f"::{self.tokens.name('a name', _SYNTAX).text}"
        return name

    def _member(self, type_: TypeInfo, owner: str) -> tuple[int, TypeInfo]:
        token = self.tokens.name("the name of a member", _SYNTAX)
        members = _members(self.types, type_)
        if any(token.text in fields.strip("{}").split(", ") for fields in members if fields[0] == "{"):
            self._refuse_bits(token, f"{owner}.{token.text}")
        members = {name: member for name, member in members.items() if name[0] != "{"}
        if token.text not in members:
            message = f"'{owner}' has no member '{token.text}'"
            otherwise = f"its members are: {', '.join(members)}" if members else f"it is of type {type_.name}"
            self._refuse(token, message, closest(token.text, members, otherwise))
        return members[token.text]

    def _element(self, type_: TypeInfo, owner: str) -> tuple[int, TypeInfo]:
        token = self.tokens.peek()
        index = self._number("the number of an element")
        self.tokens.expect("]", "close the bracket behind the index")
        element = self.types[type_.element] if type_.element >= 0 else None
        if element is None or type_.kind != "array":
            self._refuse(token, f"'{owner}' is not an array", f"it is of type {type_.name}")
        count = type_.size // max(element.size, 1)
        if not 0 <= index < count:
            self._refuse(token, f"'{owner}' has no element {index}", f"it has {count} elements, from 0 on")
        return index * element.size, element

    def _check_scalar(self, at: Token, name: str, type_: TypeInfo) -> None:
        if type_.kind == "array":
            self._refuse(at, f"'{name}' is an array", f"compare one of its elements, such as {name}[0]")
        if type_.kind != "scalar":
            members = [member for member in _members(self.types, type_) if not member.startswith("{")]
            cure = f"such as {name}.{members[0]}" if members else "if it has any"
            self._refuse(at, f"'{name}' is a {type_.kind}", f"compare one of its members, {cure}")
        if type_.name == _BITS:
            self._refuse_bits(at, name)
        if type_.name in _NO_INTEGERS or not 0 < type_.size <= _WIDEST:
            message = f"'{name}' cannot be compared: it is of type {type_.name}"
            self._refuse(at, message, _ASSIGN)

    def value(self) -> Value:
        """A number; it must fit the variable before it."""
        tokens = self.tokens
        token, variable = tokens.peek(), self.last
        number = self._number("an integer")
        bits = 8 * variable.size
        if not -(1 << bits - 1) <= number < 1 << bits:
            size = f"{variable.size} byte{'s' * (variable.size != 1)}"
            message = f"{number} does not fit '{variable.name}', which has {size}"
            self._refuse(
                token, message, _from_to(*_RANGES.get(self.type, (-(1 << bits - 1), (1 << bits) - 1)))
            )
        if self.type in _RANGES and not _RANGES[self.type][0] <= number <= _RANGES[self.type][1]:
            message = f"'{variable.name}' is never {number} in C: it is of type {self.type}"
            self._refuse(token, message, _from_to(*_RANGES[self.type]))
        return number

    def _number(self, what: str) -> int:
        """A number, which is octal if it begins with 0."""
        token = self.tokens.peek(1) if self.tokens.peek().text == "-" else self.tokens.peek()
        number = self.tokens.number(what, _SYNTAX)
        digits = token.text.rstrip("uUlL")
        if not digits.startswith("0") or not digits.isdigit():
            return number
        if set(digits) & set("89"):
            cure = f"write {abs(number)}, or an octal number"
            self._refuse(token, f"'{token.text}' is not a number in C", cure)
        return int(digits, 8) * (-1 if number < 0 else 1)

    def _refuse_bits(self, at: Token, name: str) -> NoReturn:
        self._refuse(at, f"'{name}' is a bit-field, which cannot be compared", _ASSIGN)

    def _refuse(self, at: Token, message: str, hint: str) -> NoReturn:
        source, code = self.tokens.source, ErrorCode.BAD_VALUE
        raise source.problem(at.at, message, hint=hint, length=len(at.text), code=code)


def _from_to(first: int, last: int) -> str:
    return f"give a number from {first} to {last}"


def _members(types: tuple[TypeInfo, ...], type_: TypeInfo) -> dict[str, tuple[int, TypeInfo]]:
    """The offset and the type of each member; those of a member without a name count as its own."""
    found: dict[str, tuple[int, TypeInfo]] = {}
    for name, offset, index in type_.members:
        inner = {name: (0, types[index])} if name else _members(types, types[index])
        found |= {name: (offset + more, part) for name, (more, part) in inner.items()}
    return found
