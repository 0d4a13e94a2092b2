"""Mutants of LLVM IR, as text and as bitcode.

Most changes of a token leave no IR, and then LLVM's reader is all that is tried. Changes of the first half
of the list therefore keep the types right more often than not: they change all uses of a type, put a value
in the place of another, or insert instructions that need nothing of what is around them.

A mutant is known by its seed and the modules that are mutated.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from mutants import read_sections

_SNIPPETS = read_sections("ir_snippets.txt")
Change = Callable[[str, random.Random], str]

_TOKEN = re.compile(r'\s+|;[^\n]*|c?"[^"\n]*"|[%@!#]?[-\w.$]+|.', re.S)
_FUNCTION = re.compile(r"^define .*?^}", re.M | re.S)
_VALUE = re.compile(r"(?<=[ (])%[-\w.$]+")
_ASSIGNED = re.compile(r"^  (%[-\w.$]+) = ", re.M)
_NUMBER = re.compile(r"(?<=[ (\[])-?\d+(?=[ ,)\]\n])")
_SCALAR = re.compile(r"\b(?:i1|i8|i16|i32|i64|i128|float|double|ptr|half|x86_fp80)\b")
_ORDERING = re.compile(r"\b(?:unordered|monotonic|acquire|release|acq_rel|seq_cst)\b")
_CALLED = re.compile(r"call (?:fastcc )?(\{.*?\}|<.*?>|\w+) (?:\([^@]*\) )?(@[\w.]+)\((.*)\)")
_ARGUMENT = re.compile(r"(?:<[^>]*>|\([^)]*\)|[^,<(])+")
_WIDTHS = ("i1", "i7", "i8", "i16", "i24", "i32", "i33", "i64", "i65", "i128", "i256")
_FAMILIES = [
    line.split()
    for line in [
        "add sub mul sdiv udiv srem urem shl lshr ashr and or xor",
        "fadd fsub fmul fdiv frem",
        "eq ne slt sle sgt sge ult ule ugt uge",
        "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true false",
        "zext sext trunc bitcast",
        "fptosi fptoui sitofp uitofp fpext fptrunc bitcast",
        "ptrtoint inttoptr bitcast freeze",
        "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap usub_sat",
        "unordered monotonic acquire release acq_rel seq_cst",
        "nsw nuw exact inbounds disjoint nneg samesign volatile weak",
    ]
]
_MEMBERS = {word: family for family in _FAMILIES for word in family}


def mutant(seed: int, modules: Sequence[str]) -> tuple[int, bytes, str]:
    """Which module is mutated, the file, and how its name ends."""
    rng = random.Random(seed)
    which = rng.randrange(len(modules))
    text = modules[which]
    if rng.randrange(5) == 0:
        if rng.randrange(2):
            text = _changed(text, rng)
        return which, _damaged(_bitcode(text) or _bitcode(modules[which]) or b"BC\xc0\xde", rng), ".bc"
    text = _changed(text, rng)
    data = text.encode("utf-8", "replace")
    return which, _damaged(data, rng) if rng.randrange(40) == 0 else data, ".ll"


def _changed(text: str, rng: random.Random) -> str:
    changes, weights = zip(*_CHANGES, strict=True)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        text = rng.choices(changes, weights)[0](text, rng)
    return text


def _bitcode(text: str) -> bytes | None:
    """LLVM's binary form of a module that it reads; in a process of its own, see there."""
    import llvmlite.binding as llvm
    from mazurka.frontend.linking.reading import UnreadableIR, printed_ir

    try:
        return bytes(llvm.parse_assembly(printed_ir(text.encode())).as_bitcode())
    except UnreadableIR:
        return None


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """Some bits, bytes or words are different, missing or there twice."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(changed) or 1)
        kind = rng.randrange(8)
        if kind < 4:
            changed[at : at + 1] = bytes((changed[at] ^ 1 << rng.randrange(8),)) if changed else b""
        elif kind < 6:
            changed[at : at + 1] = rng.randbytes(1)
        elif kind == 6:
            del changed[at : at + rng.choice((1, 4, 32))]
        else:
            changed[at:at] = changed[at : at + rng.choice((1, 4, 32))]
    return bytes(changed[: rng.randrange(len(changed) or 1)] if rng.randrange(20) == 0 else changed)


def _in_a_function(change: Change) -> Change:
    """Applies a change to the text of one function only."""

    def changed(text: str, rng: random.Random) -> str:
        functions = list(_FUNCTION.finditer(text))
        if not functions:
            return text
        one = rng.choice(functions)
        return text[: one.start()] + change(one[0], rng) + text[one.end() :]

    return changed


def _substituted(text: str, found: re.Match[str], instead: str) -> str:
    return text[: found.start()] + instead + text[found.end() :]


def _at_a(pattern: re.Pattern[str], instead: Callable[[re.Match[str], random.Random], str]) -> Change:
    def changed(text: str, rng: random.Random) -> str:
        places = list(pattern.finditer(text))
        if not places:
            return text
        one = rng.choice(places)
        return _substituted(text, one, instead(one, rng))

    return changed


def _other_value(text: str, rng: random.Random) -> str:
    """Another local in the place of one, mostly one that is defined before."""
    uses = [use for use in _VALUE.finditer(text) if text[use.end() : use.end() + 3] != " = "]
    if not uses:
        return text
    use = rng.choice(uses)
    before = [name[1] for name in _ASSIGNED.finditer(text) if name.start() < use.start()]
    return _substituted(text, use, rng.choice(before or [use[0]]))


def _constant_value(text: str, rng: random.Random) -> str:
    """A constant in the place of all uses of a local."""
    names = [name[1] for name in _ASSIGNED.finditer(text)]
    if not names:
        return text
    name, constant = rng.choice(names), rng.choice(_SNIPPETS["constants"])
    return re.sub(rf"(?<![=\w]){re.escape(name)}(?![-\w.$]| = )", lambda _: constant, text)


def _without_an_instruction(text: str, rng: random.Random) -> str:
    places = list(re.finditer(r"^  \S.*\n", text, re.M))
    return _substituted(text, rng.choice(places), "") if places else text


def _inserted(text: str, rng: random.Random) -> str:
    """The module with some instructions more, and declarations of what they call."""
    snippet = rng.choice(_SNIPPETS["instructions"]).replace("%z", f"%z{rng.randrange(10_000)}.")

    def insert(function: str, rng: random.Random) -> str:
        places = list(re.finditer(r"^  (?!%\S+ = phi|#dbg)\S.*$", function, re.M))
        if not places:
            return function
        one = rng.choice(places)
        lines = "".join(f"  {line}\n" for line in snippet.split("\n"))
        return _substituted(function, one, lines + one[0])

    return _in_a_function(insert)(text, rng) + "".join(_declarations(snippet, text))


def _declarations(snippet: str, text: str) -> Iterator[str]:
    for result, name, arguments in _CALLED.findall(snippet):
        if not name.startswith("@llvm.") and not re.search(rf"^(?:define|declare) .*{name}\(", text, re.M):
            types = ", ".join(one.rpartition(" ")[0] for one in _ARGUMENT.findall(arguments))
            yield f"\ndeclare {result} {name}({types})\n"


def _other_end(text: str, rng: random.Random) -> str:
    """Another terminator in the place of one."""
    places = list(re.finditer(r"^  (?:br|ret|switch|unreachable)\b[^\[\n]*(?:\[[^\]]*\])?.*$", text, re.M))
    labels = re.findall(r"^([-\w.$]+):", text, re.M)
    if not places or not labels:
        return text
    new = rng.choice(_SNIPPETS["terminators"])
    for name in ("LABEL", "OTHER"):
        new = new.replace(name, rng.choice(labels))
    return _substituted(text, rng.choice(places), f"  {new}")


def _other_callee(text: str, rng: random.Random) -> str:
    names = re.findall(r"(?:define|declare)[^@\n]*(@[-\w.$]+)\(", text)
    return _at_a(re.compile(r"@[-\w.$]+(?=\()"), lambda _, r: r.choice(names))(text, rng) if names else text


def _other_global(text: str, rng: random.Random) -> str:
    names = re.findall(r"^(@[-\w.$]+) = ", text, re.M)
    return (
        _at_a(re.compile(r"@[-\w.$]+(?![-\w.$(])"), lambda _, r: r.choice(names))(text, rng)
        if names
        else text
    )


def _other_type_everywhere(text: str, rng: random.Random) -> str:
    """All uses of an integer type become another one."""
    old, new = rng.choice(("i8", "i16", "i32", "i64")), rng.choice((*_WIDTHS, "float", "double"))
    return re.sub(rf"\b{old}\b", new, text)


def _other_word(text: str, rng: random.Random) -> str:
    """Another instruction, predicate, ordering or flag of the same family."""
    words = [word for word in re.finditer(r"(?<=[ (])[a-z_]+(?= )", text) if word[0] in _MEMBERS]
    if not words:
        return text
    word = rng.choice(words)
    return _substituted(text, word, rng.choice(_MEMBERS[word[0]]))


def _other_words_of_a_global(text: str, rng: random.Random) -> str:
    places = list(re.finditer(r"^(@[-\w.$]+ = )([^@\n]*?)(global|constant)\b", text, re.M))
    if not places:
        return text
    one = rng.choice(places)
    return _substituted(text, one, f"{one[1]}{rng.choice(_SNIPPETS['linkages'])} {one[3]}")


def _other_words_of_a_function(text: str, rng: random.Random) -> str:
    places = list(re.finditer(r"^(define|declare) [^@\n]*?(?=\S+ @)", text, re.M))
    return (
        _substituted(text, one := rng.choice(places), f"{one[1]} {rng.choice(_SNIPPETS['linkages'])} ")
        if places
        else text
    )


def _attribute(text: str, rng: random.Random) -> str:
    place = re.compile(r"(?<=\()(?:ptr|i8|i32|i64)\b(?! addrspace)|(?<=\)) #\d+")
    return _at_a(place, lambda found, r: f"{found[0]} {r.choice(_SNIPPETS['attributes'])}")(text, rng)


def _line(text: str, rng: random.Random) -> str:
    """A line goes, is repeated, or moves."""
    lines = text.split("\n")
    at, kind = rng.randrange(len(lines)), rng.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at:at] = [lines[at]] * rng.choice((1, 2, 40))
    elif kind == 2:
        lines.insert(rng.randrange(len(lines)), lines.pop(at))
    else:
        part = lines[at : at + 5]
        rng.shuffle(part)
        lines[at : at + 5] = part
    return "\n".join(lines)


def _metadata(text: str, rng: random.Random) -> str:
    """A node of metadata goes, or one refers to another one."""
    if rng.randrange(2):
        nodes = list(re.finditer(r"^![\w.]+ = .*\n", text, re.M))
        return _substituted(text, rng.choice(nodes), "") if nodes else text
    numbers = list(re.finditer(r"!\d+\b(?! =)", text))
    return _substituted(text, rng.choice(numbers), rng.choice(numbers)[0]) if numbers else text


def _token(text: str, rng: random.Random) -> str:
    """A token goes, is repeated, or is exchanged with another one."""
    tokens = _TOKEN.findall(text)
    places = [at for at, token in enumerate(tokens) if not token.isspace()]
    if len(places) < 2:
        return text
    at, other, kind = rng.choice(places), rng.choice(places), rng.randrange(4)
    if kind == 0:
        del tokens[at : at + rng.choice((1, 1, 4))]
    elif kind == 1:
        tokens[at:at] = [*tokens[at : at + rng.choice((1, 3, 30))], " "]
    elif kind == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:
        tokens[at] = tokens[other]
    return "".join(tokens)


def _truncated(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) or 1)] + rng.choice(("", "\n}\n", "\n  ret void\n}\n"))


_number = _at_a(_NUMBER, lambda _, rng: rng.choice(_SNIPPETS["integers"]))
_scalar = _at_a(_SCALAR, lambda _, rng: rng.choice(_SNIPPETS["types"]))
_ordering = _at_a(_ORDERING, lambda _, rng: rng.choice(_FAMILIES[8]))
_scope = _at_a(
    _ORDERING, lambda found, rng: f'syncscope("{rng.choice(("singlethread", "agent"))}") {found[0]}'
)

_CHANGES: list[tuple[Change, int]] = [
    (_in_a_function(_other_value), 6),
    (_in_a_function(_constant_value), 6),
    (_in_a_function(_without_an_instruction), 4),
    (_inserted, 14),
    (_in_a_function(_other_end), 4),
    (_in_a_function(_other_type_everywhere), 3),
    (_in_a_function(_number), 5),
    (_number, 4),
    (_other_type_everywhere, 2),
    (_other_word, 6),
    (_other_callee, 3),
    (_other_global, 3),
    (_other_words_of_a_global, 3),
    (_other_words_of_a_function, 2),
    (_attribute, 3),
    (_ordering, 2),
    (_scope, 1),
    (_metadata, 4),
    (_scalar, 2),
    (_line, 4),
    (_token, 4),
    (_truncated, 1),
]
