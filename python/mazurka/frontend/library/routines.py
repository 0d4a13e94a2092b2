"""C library routines written in bytecode: the ones whose work depends on run-time lengths.

They are small assembly texts, added to the program when it calls them. They contain no LOOP: their loops
end by themselves or run into a memory finding, and a bound on the program's loops must not cut them.

I1: copies and fills with granularity *k* access *k* bytes at a time and what remains byte by byte, so that
shared memory is accessed with the size that the rest of the program uses. Where accesses are not events, the
engine may do all of them at once (FILL, COPY); the loop that follows is for when it does not.
"""

from __future__ import annotations

from mazurka.frontend.assembly.pools import Pools
from mazurka.program import CONST, MOVED, OVERLAPPING, Function, Instr, Mode, Op

DIVIDE = "divide"  # two numbers in two registers each; quotient and remainder
_AT_ONCE = """
         copy r3, r0, r1, r2, {overlapping}
         br r3, done, {else_}
"""

_TURN = """
turn:    ult r3, r1, r0
         br r3, down, copy
"""

_COPY_UP = """
copy:    mov r3, #0
next:    add r5, r3, #{last}
         ult r6, r5, r2
         br r6, chunk, tail
chunk:   add r5, r1, r3
         fetch{w} r6, r5
         add r5, r0, r3
         store{w} r5, r6
         add r3, r3, #{k}
         jmp next
tail:    ult r6, r3, r2
         br r6, byte, done
byte:    add r5, r1, r3
         fetch8 r6, r5
         add r5, r0, r3
         store8 r5, r6
         add r3, r3, #1
         jmp tail
done:    ret r0
"""

_COPY_DOWN = """
down:    mov r3, r2
rest:    urem r5, r3, #{k}
         br r5, last, back
last:    sub r3, r3, #1
         add r5, r1, r3
         fetch8 r6, r5
         add r5, r0, r3
         store8 r5, r6
         jmp rest
back:    br r3, whole, end
whole:   sub r3, r3, #{k}
         add r5, r1, r3
         fetch{w} r6, r5
         add r5, r0, r3
         store{w} r5, r6
         jmp back
end:     ret r0
"""

_TEXTS = {
    "memcpy": ("3", _AT_ONCE.format(overlapping=0, else_="copy") + _COPY_UP),
    "memmove": ("3", _AT_ONCE.format(overlapping=OVERLAPPING, else_="turn") + _TURN + _COPY_UP + _COPY_DOWN),
    "memset": (
        "3",
        """
         fill r3, r0, r1, r2
         br r3, done, ones
ones:    and r1, r1, #255
         mul r1, r1, #{ones}
         mov r3, #0
next:    add r5, r3, #{last}
         ult r6, r5, r2
         br r6, chunk, tail
chunk:   add r5, r0, r3
         store{w} r5, r1
         add r3, r3, #{k}
         jmp next
tail:    ult r6, r3, r2
         br r6, byte, done
byte:    add r5, r0, r3
         and r6, r1, #255
         store8 r5, r6
         add r3, r3, #1
         jmp tail
done:    ret r0
""",
    ),
    "memcmp": (
        "3",
        """
         mov r3, #0
next:    ult r4, r3, r2
         br r4, byte, same
byte:    add r4, r0, r3
         load8 r4, r4
         add r5, r1, r3
         load8 r5, r5
         add r3, r3, #1
         eq r6, r4, r5
         br r6, next, differ
differ:  sub r4, r4, r5
         trunc32 r4, r4
         ret r4
same:    ret #0
""",
    ),
    "strlen": (
        "1",
        """
         mov r1, #0
next:    add r2, r0, r1
         load8 r2, r2
         br r2, more, done
more:    add r1, r1, #1
         jmp next
done:    ret r1
""",
    ),
    "strnlen": (
        "2",
        """
         mov r2, #0
next:    ult r3, r2, r1
         br r3, look, done
look:    add r3, r0, r2
         load8 r3, r3
         br r3, more, done
more:    add r2, r2, #1
         jmp next
done:    ret r2
""",
    ),
    "printf.digits": (
        "2",
        """
         mov r2, #0
next:    br r0, more, done
more:    udiv r0, r0, r1
         add r2, r2, #1
         jmp next
done:    ret r2
""",
    ),
    "strcmp": (
        "2",
        """
next:    load8 r2, r0
         load8 r3, r1
         add r0, r0, #1
         add r1, r1, #1
         eq r4, r2, r3
         br r4, same, differ
same:    br r2, next, equal
equal:   ret #0
differ:  sub r2, r2, r3
         trunc32 r2, r2
         ret r2
""",
    ),
    "strncmp": (
        "3",
        """
next:    br r2, look, equal
look:    load8 r3, r0
         load8 r4, r1
         add r0, r0, #1
         add r1, r1, #1
         sub r2, r2, #1
         eq r5, r3, r4
         br r5, same, differ
same:    br r3, next, equal
equal:   ret #0
differ:  sub r3, r3, r4
         trunc32 r3, r3
         ret r3
""",
    ),
    "strcpy": (
        "2",
        """
         mov r2, r0
next:    load8 r3, r1
         store8 r2, r3
         add r1, r1, #1
         add r2, r2, #1
         br r3, next, done
done:    ret r0
""",
    ),
    "strcat": (
        "2",
        """
         mov r2, r0
find:    load8 r3, r2
         br r3, skip, next
skip:    add r2, r2, #1
         jmp find
next:    load8 r3, r1
         store8 r2, r3
         add r1, r1, #1
         add r2, r2, #1
         br r3, next, done
done:    ret r0
""",
    ),
    "strncpy": (
        "3",
        """
         mov r3, #0
         mov r5, #1
next:    ult r4, r3, r2
         br r4, look, done
look:    br r5, take, write
take:    add r4, r1, r3
         load8 r5, r4
write:   add r4, r0, r3
         store8 r4, r5
         add r3, r3, #1
         jmp next
done:    ret r0
""",
    ),
    "strchr": (
        "2",
        """
         and r1, r1, #255
next:    load8 r2, r0
         eq r3, r2, r1
         br r3, found, more
more:    add r0, r0, #1
         br r2, next, none
found:   ret r0
none:    ret #0
""",
    ),
    "realloc": (
        "2",
        """
         br r0, old, fresh
fresh:   alloc r2, r1, #16, {flag}
         ret r2
old:     br r1, resize, drop
drop:    free r0
         ret #0
resize:  alloc r2, r1, #16, {flag}
         br r2, copy, fail
fail:    ret #0
copy:    objsize r3, r0
         umin r3, r3, r1
         callcopy r2, r0, r3
         free r0
         ret r2
""",
    ),
}
# Quotient and remainder of unsigned integers of 128 bits, bit by bit. A remainder may need 129 bits.
_TEXTS[DIVIDE] = (
    "4",
    """
         or r7, r1, r3
         br r7, long, short
short:   udiv r4, r0, r2
         urem r5, r0, r2
         ret r4, #0, r5, #0
long:    or r7, r2, r3
         udiv r7, #1, r7
         mov r4, #0
         mov r5, #0
         mov r6, #128
next:    lshr r10, r5, #63
         fshl r5, r5, r4, #1
         fshl r4, r4, r1, #1
         fshl r1, r1, r0, #1
         shl r0, r0, #1
         br r10, take, compare
compare: ult r7, r5, r3
         br r7, leave, level
level:   eq r7, r5, r3
         br r7, lower, take
lower:   ult r7, r4, r2
         br r7, leave, take
take:    usubo r8, r4, r2
         sub r5, r5, r3
         sub r5, r5, r9
         mov r4, r8
         or r0, r0, #1
leave:   sub r6, r6, #1
         br r6, next, done
done:    ret r0, r1, r4, r5
""",
)
_REGISTERS = 11
_NO_RESULT = frozenset(("store", "free", "jmp", "br", "ret"))


def has_granularity(name: str) -> bool:
    """Whether a routine comes in several granularities."""
    return name in ("memcpy", "memmove", "memset")


def assemble_routine(name: str, variant: int, pools: Pools, copy: int) -> Function:
    """A routine as a Function.

    ``variant`` is the granularity in bytes; for realloc 256 times that, plus its allocation's flags.
    ``copy`` is the index of the copying routine that realloc calls.
    """
    params, template = _TEXTS[name]
    k = variant if has_granularity(name) else 1
    ones = int.from_bytes(b"\1" * k, "little")
    text = template.format(w=8 * k, k=k, last=k - 1, ones=ones, flag=variant & 255)
    return Assembler(name, int(params), pools, copy).assemble(text)


class Assembler:
    """Reads one routine: one ``label: operation register, operand, ...`` per line.

    ``fetch`` is a load whose value is only moved, ``peek`` a relaxed one. ``calli`` has no results.
    """

    def __init__(self, name: str, params: int, pools: Pools, copy: int = 0) -> None:
        self._name = name
        self._params = params
        self._pools = pools
        self._copy = copy
        self._labels: dict[str, int] = {}

    def assemble(self, text: str) -> Function:
        lines: list[tuple[str, list[str]]] = []
        for line in filter(str.strip, text.splitlines()):
            label, colon, rest = line.rpartition(":")
            if colon:
                self._labels[label.strip()] = len(lines)
            operation, _, arguments = rest.strip().partition(" ")
            lines.append((operation, [a.strip() for a in arguments.split(",")]))
        code = tuple(self._instr(operation, arguments) for operation, arguments in lines)
        return Function(self._name, self._params, _REGISTERS, 0, (), code)

    def _operand(self, text: str) -> int:
        if text.startswith("#"):
            return CONST | ~self._pools.constant(int(text[1:]))
        return int(text[1:]) if text[0] == "r" and text[1:].isdigit() else self._labels.get(text, 0)

    def _instr(self, operation: str, arguments: list[str]) -> Instr:
        word = operation.rstrip("0123456789")
        width = int(operation[len(word) :] or 64)
        if word == "alloc":
            dst, size, align = map(self._operand, arguments[:3])
            return Instr(Op.ALLOC, dst, size, align, x=int(arguments[3]))
        if word == "copy":
            dst, to, source, size = map(self._operand, arguments[:4])
            return Instr(Op.COPY, dst, to, source, size, x=int(arguments[4]))
        operands = [self._operand(argument) for argument in arguments]
        if word == "ret":
            return Instr(Op.RET, c=self._pools.operand_list(tuple(operands)))
        if word == "tlsaddr":
            return Instr(Op.TLSADDR, operands[0], int(arguments[1]))
        if word == "calli":
            return Instr(Op.CALLI, 0, operands[0], c=self._pools.operand_list((operands[1],)))
        if word == "peek":
            return Instr(Op.LOAD, operands[0], operands[1], mode=Mode.RLX)
        if word == "callcopy":
            arguments_list = self._pools.operand_list(tuple(operands))
            return Instr(Op.CALL, 7, self._copy, c=arguments_list, x=1)
        fields = operands if word in _NO_RESULT else operands[1:]
        dst = 0 if word in _NO_RESULT else operands[0]
        a, b, c = [*fields, 0, 0, 0][:3]
        if word == "fetch":
            return Instr(Op.LOAD, dst, a, width=width, x=MOVED)
        return Instr(Op[word.upper()], dst, a, b, c, width)
