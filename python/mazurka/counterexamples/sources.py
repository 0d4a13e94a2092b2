"""A counterexample as a C program whose assertion fails in this execution, and as a litmus test of herd's.

The program asserts that the outcome does not happen: a model that allows the execution has a violation. One
that forbids it has none, if the outcome fixes the execution; ``realise`` says how it does.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.counterexamples.execution import Counterexample
from mazurka.counterexamples.realise import MASK, Realised, realise
from mazurka.counterexamples.statements import NEVER, Dialect, has_dependency
from mazurka.counterexamples.word import word_text

_C = Dialect("&", "")
_HERD = Dialect("", "int ")


def c_program(example: Counterexample, title: str = "") -> str:
    """The C program (C11, pthreads); ``title`` is a line for its head."""
    program = realise(example)
    return "\n".join([*_head(example, program, title), *_functions(program), *_main(program), ""])


def _head(example: Counterexample, program: Realised, title: str) -> Iterator[str]:
    yield from (f"// {line}" for line in (title, word_text(example)) if line)
    if any(map(has_dependency, program.threads)):
        yield f"// `r & {MASK}` is 0, as all values are smaller, but no compiler knows that: it depends on r."
    yield ""
    yield from (f"#include <{name}.h>" for name in ("assert", "pthread", "stdatomic", "stddef"))
    yield ""
    if program.places:
        yield f"static atomic_int {', '.join(program.places)};"
    names = [f"{name} = {NEVER}" for registers in program.registers for name, _ in registers]
    if names:
        yield f"static int {', '.join(names)};"
    yield ""


def _functions(program: Realised) -> Iterator[str]:
    for number, statements in enumerate(program.threads, 1):
        yield f"static void *thread{number}(void *unused)"
        yield "{"
        yield "    (void)unused;"
        yield from _C.block(statements)
        yield "    return NULL;"
        yield "}"
        yield ""


def _main(program: Realised) -> Iterator[str]:
    count = len(program.threads)
    yield "int main(void)"
    yield "{"
    yield f"    pthread_t threads[{count}];"
    yield from (f"    pthread_create(&threads[{n}], NULL, thread{n + 1}, NULL);" for n in range(count))
    yield from (f"    pthread_join(threads[{n}], NULL);" for n in range(count))
    yield from (f"    // In this outcome, {line}." for line in program.fixed)
    outcome = [f"{name} == {value}" for registers in program.registers for name, value in registers]
    outcome += [f"{place} == {value}" for place, value in program.finals]
    yield f"    assert(!({' && '.join(outcome) or '1'}));"
    yield "    return 0;"
    yield "}"


def litmus_test(example: Counterexample, name: str) -> str:
    """The litmus test, in herd's syntax for C."""
    program = realise(example)
    arguments = ", ".join(f"atomic_int *{place}" for place in program.places)
    initial = " ".join(f"{place} = 0;" for place in program.places)
    lines = [f"C {name}", f'"{word_text(example)}"', f"{{ {initial} }}", ""]
    for number, statements in enumerate(program.threads):
        lines += [f"P{number} ({arguments}) {{", *_HERD.block(statements), "}", ""]
    outcome = [f"{n}:{r}={value}" for n, registers in enumerate(program.registers) for r, value in registers]
    outcome += [f"{place}={value}" for place, value in program.finals]
    condition = " /\\ ".join(outcome) or "true"
    return "\n".join([*lines, f"exists ({condition})", ""])
