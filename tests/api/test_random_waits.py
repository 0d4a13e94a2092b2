"""Random programs that wait, decide and clean up: in Python they have the executions of the same one in C."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import mazurka
from mazurka import MazurkaError, Threads
from mazurka.tracing.variables import Atomic
from profiles import amount

NAMES = ("a", "b")
VARIABLES = {name: mazurka.atomic(name) for name in NAMES}
MUTEX = mazurka.mutex("m")


class Step(NamedTuple):
    """What a thread does next."""

    kind: str  # of IN_C
    one: str
    value: int
    other: str
    more: int


def steps(drawn: random.Random) -> list[Step]:
    """A thread."""
    return [
        Step(*map(drawn.choice, (list(IN_C), NAMES, range(3), NAMES, range(3))))  # type: ignore[arg-type]
        for _ in range(drawn.randint(1, 3))
    ]


def in_python(thread: list[Step]) -> Callable[[], None]:
    """The thread as a function."""

    def run() -> None:
        for step in thread:
            one, other = VARIABLES[step.one], VARIABLES[step.other]
            if step.kind == "store":
                one.store(step.value)
            elif step.kind == "load":
                one.load()
            elif step.kind == "wait":
                waits(one, other, step.value)
            elif step.kind == "finally":
                try:
                    waits(one, other, step.value)
                finally:
                    other.store(step.more)
            elif step.kind == "guard":
                guards(one, other, step.value, step.more)
            elif one.load() == step.value:
                other.store(step.more)

    return run


def waits(one: Atomic, other: Atomic, value: int) -> None:
    """Waits with a condition that decides twice."""
    mazurka.wait_until(lambda: one.load() != value or not other.load())


class LeftError(Exception):
    """Leaves a critical section."""


def guards(one: Atomic, other: Atomic, value: int, more: int) -> None:
    """A critical section that an exception may leave."""
    try:
        with MUTEX:
            if one.load() == value:
                raise LeftError
            other.store(more)
    except LeftError:
        pass


IN_C = {
    "store": "{one} = {value};",
    "load": "(void){one};",
    "wait": "while (!({one} != {value} || !{other}));",
    "decide": "if ({one} == {value}) {other} = {more};",
    "finally": "while (!({one} != {value} || !{other})); {other} = {more};",
    "guard": "pthread_mutex_lock(&m); if ({one} != {value}) {other} = {more}; pthread_mutex_unlock(&m);",
}


def in_c(threads: list[list[Step]]) -> str:
    """The program in C."""
    lines = ["#include <pthread.h>", "#include <stdatomic.h>", f"atomic_int {', '.join(NAMES)};"]
    lines.append("pthread_mutex_t m;")
    for number, thread in enumerate(threads):
        body = " ".join(IN_C[step.kind].format(**step._asdict()) for step in thread)
        lines.append(f"void *run{number}(void *p) {{ {body} return p; }}")
    starts = "".join(f"pthread_create(&t[{n}], 0, run{n}, 0); " for n in range(len(threads)))
    joins = "".join(f"pthread_join(t[{n}], 0); " for n in range(len(threads)))
    return "\n".join([*lines, f"int main(void) {{ pthread_t t[{len(threads)}]; {starts}{joins}}}\n"])


def answer(program: Threads | str, model: str) -> tuple[str, int] | str:
    """The verdict and the number of executions, or why there is none."""
    try:
        outcome = mazurka.check(program, model=model, liveness=False, symmetry=False)
    except MazurkaError as error:
        return error.code
    return outcome.verdict, outcome.complete


def test_python_has_the_executions_of_c() -> None:
    for seed in range(amount(ci=320)):
        drawn = random.Random(seed)
        threads = [steps(drawn), steps(drawn)]
        model = drawn.choice(("sc", "tso", "rc11"))
        program = Threads(*map(in_python, threads))
        assert answer(program, model) == answer(in_c(threads), model), (seed, threads)
