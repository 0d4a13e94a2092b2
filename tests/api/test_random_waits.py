"""Random programs that wait and decide: in Python they have the executions of the same program in C."""

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


class Step(NamedTuple):
    """What a thread does next."""

    kind: str  # store load wait decide
    one: str
    value: int
    other: str
    more: int


def steps(drawn: random.Random) -> list[Step]:
    """A thread."""
    kinds = ("store", "load", "wait", "decide")
    return [
        Step(*map(drawn.choice, (kinds, NAMES, range(3), NAMES, range(3))))  # type: ignore[arg-type]
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
            elif one.load() == step.value:
                other.store(step.more)

    return run


def waits(one: Atomic, other: Atomic, value: int) -> None:
    """Waits with a condition that decides twice."""
    mazurka.wait_until(lambda: one.load() != value or not other.load())


IN_C = {
    "store": "{one} = {value};",
    "load": "(void){one};",
    "wait": "while (!({one} != {value} || !{other}));",
    "decide": "if ({one} == {value}) {other} = {more};",
}


def in_c(threads: list[list[Step]]) -> str:
    """The program in C."""
    lines = ["#include <pthread.h>", "#include <stdatomic.h>", f"atomic_int {', '.join(NAMES)};"]
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
