"""Reads the litmus tests that are generated, in herd's C, and writes them as programs.

Small on purpose: bodies are C already. A register is declared where it is filled; here it is a global.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TEST = re.compile(
    r'C (?P<name>[\w.-]+)\n"(?P<word>[^"\n]*)"\n\{(?P<initial>[^}]*)\}\n\n'
    r"(?P<threads>.*)^exists \((?P<condition>.*)\)\n",
    re.DOTALL | re.MULTILINE,
)
_THREAD = re.compile(r"^P(\d+) \((.*?)\) \{\n(.*?)^\}\n", re.DOTALL | re.MULTILINE)
_DECLARED = re.compile(r"\bint (r\d+) =")
_TERM = re.compile(r"(?:(?P<thread>\d+):)?(?P<name>\w+)=(?P<value>\d+)")


class Litmus(NamedTuple):
    """A litmus test: what it says about its word, its threads' bodies, and its outcome."""

    name: str
    word: str
    places: list[str]
    bodies: list[str]
    outcome: list[tuple[int | None, str, int]]  # thread, register; or a location


def read_litmus(text: str) -> Litmus:
    """The test; fails on what it does not understand."""
    match = _TEST.fullmatch(text)
    assert match, text
    places = re.findall(r"(\w+) = 0;", match["initial"])
    threads = _THREAD.findall(match["threads"])
    assert "".join(f"P{n} ({a}) {{\n{body}}}\n\n" for n, a, body in threads) == match["threads"]
    assert [int(number) for number, _, _ in threads] == list(range(len(threads)))
    assert all(arguments == ", ".join(f"atomic_int *{p}" for p in places) for _, arguments, _ in threads)
    outcome = []
    for term in match["condition"].split(" /\\ "):
        said = _TERM.fullmatch(term)
        assert said, term
        outcome.append((int(said["thread"]) if said["thread"] else None, said["name"], int(said["value"])))
    return Litmus(match["name"], match["word"], places, [body for _, _, body in threads], outcome)


def as_program(test: Litmus) -> str:
    """The test as a C program whose assertion says that the outcome does not happen."""
    registers = {r: n for n, body in enumerate(test.bodies) for r in _DECLARED.findall(body)}
    for thread, name, _ in test.outcome:
        assert (registers[name] == thread) if thread is not None else name in test.places
    lines = [f"#include <{name}.h>" for name in ("assert", "pthread", "stdatomic", "stddef")]
    lines += [f"static atomic_int {place};" for place in test.places]
    lines += [f"static int {register} = -1;" for register in registers]
    parameters = ", ".join(f"atomic_int *{place}" for place in test.places)
    for number, body in enumerate(test.bodies):
        lines += [f"static void body{number}({parameters}) {{", _DECLARED.sub(r"\1 =", body), "}"]
        arguments = ", ".join(f"&{place}" for place in test.places)
        lines += [f"static void *P{number}(void *u) {{ (void)u; body{number}({arguments}); return NULL; }}"]
    lines += ["int main(void) {", f"pthread_t t[{len(test.bodies)}];"]
    lines += [f"pthread_create(&t[{n}], NULL, P{n}, NULL);" for n in range(len(test.bodies))]
    lines += [f"pthread_join(t[{n}], NULL);" for n in range(len(test.bodies))]
    happened = " && ".join(f"{name} == {value}" for _, name, value in test.outcome)
    return "\n".join([*lines, f"assert(!({happened}));", "}", ""])
