"""A line of assembly: its mnemonic and operands, and the operations that it becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from mazurka.errors import SourceError
from mazurka.litmus.meaning.operations import Branch, Compute, Operand, Operation, Register
from mazurka.litmus.text.columns import Cell
from mazurka.litmus.text.problems import Source, closest
from mazurka.program import Op

_NUMBER = re.compile(r"[#$]?\s*([-+]?)\s*(0[xX][0-9a-fA-F]+|\d+)")
_NAME = re.compile(r"[A-Za-z_.][\w.$]*")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_OPENING = {close: opening for opening, close in _CLOSING.items()}


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine calls its registers, and what its instructions do."""

    name: str
    registers: Callable[[str], tuple[str, int] | None]  # full names, and how many bits are meant
    translate: Callable[[Line], None]


@dataclass
class Line:
    """An instruction, as it is read: the operations are added from left to right."""

    source: Source
    cell: Cell
    operations: list[Operation] = field(default_factory=list)
    temporaries: int = 0

    def __post_init__(self) -> None:
        words = self.cell.text.split(None, 1)
        self.mnemonic = words[0]
        rest = words[1] if len(words) > 1 else ""
        self.operands: list[str] = []
        self.starts: list[int] = []
        self.reset(rest, self.cell.at + len(self.cell.text) - len(rest))

    def reset(self, rest: str, at: int) -> None:
        """Takes a text for the operands."""
        self.operands, self.starts = [], []
        if not rest.strip():
            return
        begin = 0
        for end in [*self._commas(rest, at), len(rest)]:
            raw = rest[begin:end]
            start = at + begin + len(raw) - len(raw.lstrip())
            if not raw.strip():
                side, comma = ("before", end) if end < len(rest) else ("after", begin - 1)
                message = f"an operand is missing {side} ','"
                raise self.source.problem(at + comma, message, hint="write it, or remove the comma")
            self.operands.append(raw.strip())
            self.starts.append(start)
            begin = end + 1

    def _commas(self, rest: str, at: int) -> Iterator[int]:
        """Where the commas outside of brackets are. Brackets come in pairs."""
        is_open: list[int] = []
        for index, character in enumerate(rest):
            if character in _CLOSING:
                is_open.append(index)
            elif character in _CLOSING.values():
                if not is_open or _CLOSING[rest[is_open[-1]]] != character:
                    hint = f"remove it, or open it with '{_OPENING[character]}'"
                    raise self.source.problem(at + index, f"this '{character}' closes nothing", hint=hint)
                is_open.pop()
            elif character == "," and not is_open:
                yield index
        if is_open:
            bracket = rest[is_open[-1]]
            hint = f"close it with '{_CLOSING[bracket]}'"
            raise self.source.problem(at + is_open[-1], f"this '{bracket}' is not closed", hint=hint)

    # errors

    def problem(self, number: int, message: str, hint: str) -> SourceError:
        """An error in an operand."""
        text = self.operands[number] if number < len(self.operands) else ""
        at = self.starts[number] if number < len(self.starts) else self.cell.at
        return self.source.problem(at, message, hint=hint, length=max(1, len(text)))

    def unknown(self, known: Iterable[str], machine: str) -> SourceError:
        """The error about an instruction that is not in the table."""
        return self.source.unsupported(
            self.cell.at,
            f"the {machine} instruction '{self.mnemonic}' is not supported",
            hint=closest(self.mnemonic, known, "rewrite the test without it"),
            length=len(self.mnemonic),
        )

    def unsupported(self, number: int, message: str, hint: str) -> SourceError:
        """The error about an operand that is well-formed, but not supported."""
        at = self.starts[number] if number < len(self.starts) else self.cell.at
        return self.source.unsupported(at, message, hint=hint, length=max(1, len(self.operands[number])))

    def expect(self, *counts: int) -> None:
        """Checks how many operands there are."""
        if len(self.operands) not in counts:
            wanted = " or ".join(map(str, counts))
            raise self.source.problem(
                self.cell.at,
                f"{self.mnemonic} has {wanted} operands, not {len(self.operands)}",
                hint="separate operands by commas",
                length=len(self.cell.text),
            )

    # operands

    def number(self, number: int) -> int | None:
        """An operand that is a number."""
        value = parse_number(self.operands[number])
        if value is not None and not -1 << 63 <= value < 1 << 64:
            raise self.problem(number, "this number does not fit into 64 bits", "use a smaller number")
        return value

    def immediate(self, number: int) -> int:
        """An operand that must be a number."""
        value = self.number(number)
        if value is None:
            raise self.problem(
                number, f"expected a number, found '{self.operands[number]}'", "as in 1 or 0x10"
            )
        return value

    def label(self, number: int) -> str:
        """An operand that must be a label."""
        text = self.operands[number]
        if not _NAME.fullmatch(text):
            raise self.problem(number, f"expected a label, found '{text}'", "name a label of this thread")
        return text

    # operations

    def emit(self, operation: Operation) -> None:
        """Adds an operation."""
        self.operations.append(operation)

    def fresh(self) -> Register:
        """A register for an intermediate result."""
        self.temporaries += 1
        return Register(f"%{self.temporaries}")

    def compute(
        self, op: Op, a: Operand, b: Operand = 0, c: Operand = 0, *, width: int = 64, x: int = 0
    ) -> Register:
        """The result of a computation, in a register of its own."""
        dst = self.fresh()
        self.emit(Compute(op, dst, a, b, c, width, x))
        return dst

    def add(self, a: Operand, b: Operand) -> Operand:
        """The sum; 0 is left out, as adding a constant 0 changes neither values nor dependencies."""
        if b == 0:
            return a
        return self.compute(Op.ADD, a, b)

    def fill(self, dst: Register | None, value: Operand, width: int = 64) -> None:
        """Moves a value to a register; the zero register drops it."""
        if dst is not None:
            self.emit(Compute(Op.MOV, dst, value, width=width))

    def sign_extend(self, value: Operand, bits: int, width: int = 64) -> Operand:
        """A value of some bits, with its sign, in ``width`` bits."""
        if bits >= width:
            return value
        return self.compute(Op.SEXT, value, width=bits, x=width)

    def truncate(self, value: Operand, bits: int) -> Operand:
        """The lower bits of a value."""
        if isinstance(value, int):
            return value & (1 << bits) - 1
        return value if bits >= 64 else self.compute(Op.TRUNC, value, width=bits)

    def is_zero(self, value: Operand, width: int = 64) -> Register:
        """1 if a value is 0, and else 0."""
        return self.compute(Op.EQ, value, 0, width=width)

    def branch(self, condition: Register | None, target: str) -> None:
        """A branch if the condition is not 0, or always."""
        self.emit(Branch(condition, target))


def parse_number(text: str) -> int | None:
    """A number with or without ``#`` or ``$`` before it."""
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        return None
    value = int(match[2], 16) if match[2][:2] in ("0x", "0X") else int(match[2])
    return -value if match[1] == "-" else value
