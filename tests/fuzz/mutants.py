"""Mutants of C programs: small changes that a careless author, or an unlucky one, might make.

A mutant is known by the seed of its random numbers alone, so that a finding can be made again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tests/programs", "tests/frontend/native", "examples", "benchmarks/programs")
LARGEST = 12_000  # characters of a program that is mutated

_TOKEN = re.compile(
    r'\s+|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_]\w*|\d[\w.]*|[-+*/%&|^=<>!]=?|.',
    re.S,
)
_NUMBERS = (
    *(
        "0",
        "1",
        "-1",
        "2",
        "3",
        "7",
        "8",
        "31",
        "32",
        "33",
        "63",
        "64",
        "65",
        "127",
        "128",
        "255",
        "256",
        "1000",
    ),
    *("65536", "1000000", "16777216", "0x7fffffff", "0x80000000", "4294967295", "1000000000", "1UL<<40"),
    *(
        "0x7fffffffffffffff",
        "18446744073709551615UL",
        "1e308",
        "0.0",
        "1.5f",
        "1e-40",
        "sizeof(int)",
        "'\\0'",
    ),
)
_TYPES = (
    *("char", "short", "int", "long", "long long", "unsigned", "unsigned char", "float", "double", "_Bool"),
    *(
        "void",
        "void *",
        "char *",
        "int *",
        "atomic_int",
        "_Atomic long",
        "const int",
        "volatile int",
        "size_t",
    ),
    *("long double", "__int128", "struct { int a; char b; }", "union { int i; float f; }", "pthread_t"),
    *("_Thread_local int", "static int", "int (*)(void)", "int [3]", "register int", "_Complex double"),
    *("pthread_mutex_t", "_Atomic(int *)", "unsigned short", "signed char", "__fp16", "_BitInt(77)"),
)
_TYPE_WORDS = frozenset(
    ("char", "short", "int", "long", "unsigned", "float", "double", "_Bool", "void", "atomic_int", "size_t")
)
_INSERTED = (
    *("for (;;) ;", "while (1) { }", "goto out;", "return;", "return 0;", "break;", "continue;", "abort();"),
    *("exit(0);", "free(0);", "free(&main);", "malloc(-1);", "*(int *)0 = 1;", "__builtin_trap();", "if (0)"),
    *("__builtin_unreachable();", 'printf("%s\\n", 0);', "memset(&main, 0, 8);", "int *p = alloca(64);"),
    *("pthread_exit(0);", "pthread_create(0, 0, 0, 0);", "pthread_join(0, 0);", "switch (0) { case 1: ; }"),
    *(
        '__asm__("nop");',
        "void *q = &&out; out: ;",
        "int n = 5; int v[n]; v[n] = 1;",
        "((void (*)(void))8)();",
    ),
    *(
        "__sync_synchronize();",
        '_Static_assert(1, "");',
        "main();",
        "extern int e; e++;",
        "int a[4]; a[9] = 1;",
    ),
    *(
        "&",
        "*",
        "(",
        ")",
        "{",
        "}",
        ";",
        ",",
        "!",
        "~",
        "-",
        "[0]",
        "->x",
        ".x",
        "#",
        "\\",
        '"',
        "'",
        "?",
        ":",
    ),
)


# What the statements of features.txt need.
_HEADERS = """\
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <mazurka.h>
"""
_C_HEADERS = "#include <stdatomic.h>\n#include <threads.h>\n"
_CPP_HEADERS = "".join(
    f"#include <{name}>\n"
    for name in (
        *(
            "atomic",
            "thread",
            "mutex",
            "condition_variable",
            "latch",
            "semaphore",
            "vector",
            "string",
            "memory",
        ),
        *("optional", "future", "functional", "map", "stdexcept"),
    )
)


def read_sections(name: str) -> dict[str, list[str]]:
    """The lines of a file of this folder by the section that they are in; ``\\n`` stands for a new line."""
    found: dict[str, list[str]] = {}
    for line in filter(None, (ROOT / "tests" / "fuzz" / name).read_text(encoding="utf-8").split("\n")):
        if line.startswith("[") and line.endswith("]") and " " not in line:
            section = found.setdefault(line[1:-1], [])
        elif not line.startswith(";"):
            section.append(line.replace(" \\n ", "\n"))
    return found


_FEATURES = read_sections("features.txt")


def sources(suffix: str = ".c") -> list[Path]:
    """The programs that are mutated."""
    found = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob(f"*{suffix}")))
    return [path for path in found if path.stat().st_size <= LARGEST]


def mutant(seed: int, programs: list[Path]) -> tuple[Path, bytes]:
    """The program that a seed draws, and the mutant."""
    rng = random.Random(seed)
    path = rng.choice(programs)
    text = path.read_text(encoding="utf-8")
    for _ in range(rng.choice((1, 1, 1, 1, 1, 1, 2, 4))):
        text = _mutated(text, rng)
    data = text.encode("utf-8", "surrogateescape")
    return path, _with_random_bytes(data, rng) if rng.random() < 0.03 else data


def _mutated(text: str, rng: random.Random) -> str:
    change = rng.choices(*zip(*_CHANGES, strict=True))[0]
    return change(text, rng) or text


def _words(text: str, wanted: Callable[[str], object]) -> tuple[list[str], list[int]]:
    tokens = _TOKEN.findall(text)
    return tokens, [at for at, token in enumerate(tokens) if wanted(token)]


def _is_code(token: str) -> bool:
    return not token.isspace() and not token.startswith(("//", "/*"))


def _at_a_token(change: Callable[[list[str], int, list[int], random.Random], None]) -> Callable[..., str]:
    def changed(text: str, rng: random.Random) -> str:
        tokens, places = _words(text, _is_code)
        if len(places) > 1:
            change(tokens, rng.choice(places), places, rng)
        return "".join(tokens)

    return changed


@_at_a_token
def _delete(tokens: list[str], at: int, _: list[int], rng: random.Random) -> None:
    del tokens[at : at + rng.choice((1, 1, 1, 3, 8))]


@_at_a_token
def _duplicate(tokens: list[str], at: int, _: list[int], rng: random.Random) -> None:
    end = at + rng.choice((1, 1, 4, 16, 60))
    tokens[at:at] = [*tokens[at:end], " "]


@_at_a_token
def _swap(tokens: list[str], at: int, places: list[int], rng: random.Random) -> None:
    other = rng.choice(places)
    tokens[at], tokens[other] = tokens[other], tokens[at]


@_at_a_token
def _replace(tokens: list[str], at: int, places: list[int], rng: random.Random) -> None:
    tokens[at] = tokens[rng.choice(places)]


@_at_a_token
def _insert(tokens: list[str], at: int, _: list[int], rng: random.Random) -> None:
    tokens.insert(at, f" {rng.choice(_INSERTED)} ")


def _insert_statement(text: str, rng: random.Random) -> str:
    tokens, places = _words(text, lambda token: token in "{;}")
    if places:
        tokens.insert(rng.choice(places) + 1, f" {rng.choice(_INSERTED)} ")
    return "".join(tokens)


def _insert_feature(text: str, rng: random.Random) -> str:
    """The program with a statement that uses something of the language or its libraries."""
    is_cpp = "std::" in text
    tokens, places = _words(text, lambda token: token in "{;}")
    if not places:
        return text
    statement = rng.choice([*_FEATURES["both"], *_FEATURES["c++" if is_cpp else "c"]])
    tokens.insert(rng.choice(places) + 1, f" {statement} ")
    few = [header for header in _CPP_HEADERS.splitlines(True) if rng.randrange(4) == 0]
    return _HEADERS + ("".join(few) if is_cpp else _C_HEADERS) + "".join(tokens)


def _change_number(text: str, rng: random.Random) -> str:
    tokens, places = _words(text, lambda token: token[0].isdigit())
    if places:
        tokens[rng.choice(places)] = rng.choice(_NUMBERS)
    return "".join(tokens)


def _change_type(text: str, rng: random.Random) -> str:
    tokens, places = _words(text, _TYPE_WORDS.__contains__)
    if places:
        tokens[rng.choice(places)] = rng.choice(_TYPES)
    return "".join(tokens)


def _change_operator(text: str, rng: random.Random) -> str:
    tokens, places = _words(
        text, lambda token: token[0] in "+-*/%&|^=<>!" and not token.startswith(("//", "/*"))
    )
    if places:
        operators = (
            "+",
            "-",
            "*",
            "/",
            "%",
            "&",
            "|",
            "^",
            "=",
            "==",
            "!=",
            "<",
            ">",
            "<<",
            ">>",
            "+=",
            "-=",
            "&&",
        )
        tokens[rng.choice(places)] = rng.choice(operators)
    return "".join(tokens)


def _change_name(text: str, rng: random.Random) -> str:
    tokens, places = _words(text, lambda token: token[0].isalpha() or token[0] == "_")
    if places:
        tokens[rng.choice(places)] = tokens[rng.choice(places)]
    return "".join(tokens)


def _shuffle_lines(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    start = rng.randrange(len(lines) or 1)
    part = lines[start : start + rng.choice((2, 3, 6))]
    rng.shuffle(part)
    lines[start : start + len(part)] = part
    return "".join(lines)


def _repeat_line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) or 1)
    return "".join((*lines[:at], *(lines[at : at + 1] * rng.choice((2, 3, 50))), *lines[at + 1 :]))


def _delete_line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    del lines[rng.randrange(len(lines) or 1) :][:1]
    at = rng.randrange(len(lines) or 1)
    return "".join((*lines[:at], *lines[at + 1 :]))


def _truncate(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) or 1)] + rng.choice(("", "\n}\n", ";}", "}}}"))


def _with_random_bytes(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 5))):
        changed[rng.randrange(len(changed) or 1) : 0] = b""
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


_CHANGES: list[tuple[Callable[[str, random.Random], str], int]] = [
    (_change_number, 6),
    (_change_type, 5),
    (_change_operator, 4),
    (_change_name, 4),
    (_insert_statement, 4),
    (_insert_feature, 8),
    (_delete_line, 4),
    (_shuffle_lines, 2),
    (_repeat_line, 2),
    (_delete, 3),
    (_duplicate, 3),
    (_swap, 2),
    (_replace, 2),
    (_insert, 2),
    (_truncate, 1),
]
