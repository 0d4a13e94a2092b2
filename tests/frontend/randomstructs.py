"""Random struct and union types, and programs that copy them about: whole, in parts, by value, overlapping.

Every byte of every object is written before it is read, so that padding and other members of a union have
values that copies must keep. Unspecified values are not compared: padding after a struct was passed by value.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_INTEGERS = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
_PACKED = " __attribute__((packed))"
_BIT_TYPES = {"unsigned": 32, "int": 32, "uint8_t": 8, "short": 16, "unsigned long": 64}


@dataclass
class Record:
    """A type, and the paths of its scalars: ``.a.b[1]``, with whether it is a bit-field or a float."""

    name: str
    text: str
    leaves: list[tuple[str, str]] = field(default_factory=list)


class Records:
    """Declares random types."""

    def __init__(self, pick: random.Random, prefix: str) -> None:
        self._pick = pick
        self._prefix = prefix
        self._made = 0

    def record(self) -> Record:
        """A struct type with a tag of its own."""
        name = f"struct {self._prefix}s"
        record = Record(name, "")
        attribute = self._pick.choice(("", "", "", _PACKED, " __attribute__((aligned(16)))"))
        body = ""
        while not record.leaves:
            body += self._members(record, "", 2, attribute == _PACKED)
        record.text = f"struct{attribute} {self._prefix}s {{ {body} }};\n"
        return record

    def _members(self, record: Record, path: str, depth: int, packed: bool, *, union: bool = False) -> str:
        count = self._pick.randrange(1, 3 if union else 5)
        return " ".join(self._member(record, path, depth, packed, union) for _ in range(count))

    def _member(self, record: Record, path: str, depth: int, packed: bool, union: bool) -> str:
        pick = self._pick
        self._made += 1
        name = f"m{self._made}"
        here = f"{path}.{name}"
        if pick.random() < 0.1:
            return self._nothing(name)
        kind = pick.randrange(8 if depth else 5)
        if kind < 2:
            record.leaves.append((here, "integer"))
            return f"{pick.choice(_INTEGERS)} {name};"
        if kind == 2:
            record.leaves.append((here, "float"))
            return f"{pick.choice(('float', 'double'))} {name};"
        if kind == 3 and not union:
            return self._bit_field(record, here, name, packed)
        if kind <= 4:
            count = pick.choice((2, 3, 5, 17))
            record.leaves += [(f"{here}[{i}]", "integer") for i in (0, count - 1)]
            return f"{pick.choice((*_INTEGERS, 'char'))} {name}[{count}];"
        inner = "union" if kind < 7 else "struct"
        attribute = pick.choice(("", "", _PACKED))
        suffix = pick.choice(("", "", "[2]"))
        at = here + ("[1]" if suffix else "")
        members = self._members(record, at, depth - 1, attribute == _PACKED, union=inner == "union")
        return f"{inner}{attribute} {{ {members} }} {name}{suffix};"

    def _nothing(self, name: str) -> str:
        """A member without a byte. Clang crashes if an array of empty structs is passed by value."""
        empty = ("struct {{}} {};", "union {{}} {};", "struct {{ struct {{}} a; }} {};")
        return self._pick.choice((*empty, "int8_t {}[0];", "struct {{ int64_t a; }} {}[0];")).format(name)

    def _bit_field(self, record: Record, here: str, name: str, packed: bool) -> str:
        """In a packed struct clang accesses all neighbours at once: they fit into 128 bits."""
        type_ = self._pick.choice(tuple(_BIT_TYPES))
        record.leaves.append((here, "bits"))
        widest = min(_BIT_TYPES[type_], 32 if packed else 64)
        return f"{type_} {name} : {self._pick.randrange(1, widest + 1)};"


class Copies:
    """Writes the statements of one program about one type."""

    PLACES = ("a", "b", "v[0]", "v[1]", "v[2]", "g", "h[1]", "(*p)", "p[1]", "(*q)")

    def __init__(self, pick: random.Random, prefix: str) -> None:
        self._pick = pick
        self._record = Records(pick, prefix).record()
        self._prefix = prefix

    def declarations(self) -> str:
        type_, prefix = self._record.name, self._prefix
        path, _ = self._leaf()
        return (
            self._record.text
            + f"static {type_} {prefix}g, {prefix}h[2];\n"
            + f"static {type_} {prefix}by({type_} x) {{ {self._change('x', path)} return x; }}\n"
            + f"static {type_} {prefix}pass(int n, {type_} x, {type_} y) {{ return n ? x : y; }}\n"
        )

    def body(self) -> str:
        type_, prefix = self._record.name, self._prefix
        lines = [
            f"{type_} a, b, v[3], r, *q = &v[1], *p = malloc(2 * sizeof *p);",
            f"#define g {prefix}g\n#define h {prefix}h",
            "fill(&a, sizeof a, 3); fill(&b, sizeof b, 5); fill(v, sizeof v, 7); fill(p, 2 * sizeof *p, 11);",
            "fill(&g, sizeof g, 13); fill(h, sizeof h, 17);",
        ]
        for _ in range(self._pick.randrange(3, 8)):
            lines.append(self._step())
        lines += [f"note_bytes(&{place}, sizeof {place});" for place in ("a", "b", "v", "g", "h")]
        lines += ["note_bytes(p, 2 * sizeof *p); free(p);", *(self._note("a", leaf) for leaf in self._some())]
        lines.append("#undef g\n#undef h")
        return "\n".join(lines) + "\n"

    def _some(self) -> list[tuple[str, str]]:
        leaves = self._record.leaves
        return self._pick.sample(leaves, min(4, len(leaves)))

    def _leaf(self) -> tuple[str, str]:
        return self._pick.choice(self._record.leaves)

    def _place(self) -> str:
        return self._pick.choice(self.PLACES)

    def _change(self, place: str, path: str) -> str:
        operator = self._pick.choice(("=", "=", "+=", "-="))
        return f"{place}{path} {operator} {self._pick.randrange(-300, 300)};"

    def _note(self, place: str, leaf: tuple[str, str]) -> str:
        path, kind = leaf
        if kind == "float":
            return f"note_bytes(&{place}{path}, sizeof {place}{path});"
        return f"note((uint64_t){place}{path});"

    def _step(self) -> str:
        pick, x, y = self._pick, self._place(), self._place()
        path, kind = self._leaf()
        integer = kind != "float"
        choices = (
            lambda: f"{x} = {y};",
            lambda: f"{x} = {y};",
            lambda: f"{{ {self._record.name} t = {x}; {x} = {y}; {y} = t; }}",
            lambda: f"memmove(&{x}, &{y}, sizeof {x});",
            lambda: f"if (&{x} != &{y}) memcpy(&{x}, &{y}, sizeof {x});",
            lambda: self._part(x, y),
            lambda: self._overlapping(),
            lambda: (
                f"memset((char *)&{x} + sizeof {x} / 3, {pick.randrange(256)}, "
                f"sizeof {x} / {pick.choice((2, 3))});"
            ),
            lambda: (
                f"memset(&{x}, {pick.randrange(256)}, {pick.choice(('sizeof ' + x, f'sizeof {x} - zero'))});"
            ),
            lambda: self._change(x, path) if integer else f"{x}{path} = {pick.randrange(-9, 9)} / 4.0;",
            lambda: f"{x}{path} = {pick.randrange(-9, 9)};",
            lambda: f"r = {self._prefix}by({y}); {' '.join(self._note('r', leaf) for leaf in self._some())}",
            lambda: f"r = {self._prefix}pass({pick.randrange(2)}, {x}, {y}); {self._note('r', (path, kind))}",
            lambda: f"q = &{pick.choice(('v[0]', 'v[1]', 'v[2]', 'g', 'h[0]'))};",
            lambda: f"p = realloc(p, {pick.choice((2, 3))} * sizeof *p);",
            lambda: f"note_bytes(&{x}, sizeof {x}); {self._note(y, (path, kind))}",
        )
        return pick.choice(choices)()

    def _part(self, x: str, y: str) -> str:
        """memmove of some bytes of one object into another, with a length that is known or not."""
        length = self._pick.choice(
            (f"sizeof {x} / 2", f"sizeof {x} / 2 + zero", f"(sizeof {x} + 1) / 2 - zero")
        )
        return f"memmove((char *)&{x} + (sizeof {x} - ({length})) / 2, &{y}, {length});"

    def _overlapping(self) -> str:
        pick = self._pick
        to, source = pick.randrange(4), pick.randrange(4)
        length = pick.choice(("(sizeof v - 3) / 2", "sizeof v - 3", "sizeof v - 3 - zero"))
        return f"memmove((char *)v + {min(to, 3)}, (char *)v + {min(source, 3)}, {length});"
