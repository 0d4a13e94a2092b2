"""Random tests as litmus files: reading and running these gives the executions of the test's own bytecode.

The bytecode comes from ``mazurka.testing``, which knows nothing of litmus files. The file is made from the C
program of the same test: its variables become the elements of an array, which the threads get as a parameter.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from mazurka import _engine
from mazurka._engine import RawEvent, RawGraph
from mazurka.cache.plans import choose_model, plan_for
from mazurka.litmus import parse_litmus_file
from mazurka.litmus.c.calls import CELL
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program as lower
from mazurka.program import Program
from mazurka.testing import Indexed, Test, to_c, to_program
from mazurka.testing.build import SPACING
from mazurka.testing.operations import count_registers, flatten
from mazurka.testing.strategies import litmus_tests
from profiles import examples
from x86_text import REGISTERS, plain, to_x86

_THREAD = re.compile(
    r"static void \*thread(\d+)\(void \*argument\)\n\{\n(.*?)\n    return NULL;\n\}", re.DOTALL
)


def to_litmus(test: Test) -> str:
    """The test as a file in herd's C."""
    names = [name for name, _ in test.variables]
    values = ", ".join(str(value) for _, value in test.variables)
    lines = ["C random", f"{{ atomic_int v[{len(names)}] = {{{values}}}; }}"]
    for number, body in _THREAD.findall(to_c(test)):
        body = body.replace("(void)argument;", "")
        body = re.sub(r"places\[([^]]*)\]", r"(v + (\1))", body)
        body = re.sub(rf"&({'|'.join(names)})\b", lambda match: f"(v + {names.index(match[1])})", body)
        lines += [f"P{number}(atomic_int *v) {{", body, "}"]
    return "\n".join([*lines, "exists (true)", ""])


@cache
def axioms(model: str) -> bytes:
    return plan_for(choose_model(model), None, looks_for_errors=False).code


def executions(program: Program, model: str, step: int) -> Counter[object]:
    """The graphs of a program, with the order of variables instead of addresses, which are ``step`` apart."""
    found = _engine.explore(program.encode(), axioms(model), collect=True, liveness=False)
    assert found.status == "finished"
    first = program.globals[0].address
    return Counter(shape(graph, first, step) for graph in found.graphs)


def shape(graph: RawGraph, first: int, step: int) -> object:
    def event(e: RawEvent) -> object:
        variable = None if e.kind == "F" else (e.address - first) // step
        return e.kind, e.mode, variable, e.value, e.exclusive, e.rf

    threads = tuple(tuple(map(event, thread.events)) for thread in graph.threads[1:])
    return threads, tuple(sorted(((at - first) // step, tuple(writes)) for at, _, writes in graph.co))


def litmus_program(text: str, model: str) -> Program:
    read = parse_litmus_file(text, "random.litmus")
    return lower(read, Layout(read), model)


@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
@examples(ci=600, slow=1_200)
@given(test=litmus_tests(mutexes=False, assumes=False, non_atomic=True, max_candidates=2_000))
def test_a_file_has_the_executions_of_its_test(model: str, test: Test) -> None:
    assert executions(litmus_program(to_litmus(test), model), model, CELL) == executions(
        to_program(test), model, SPACING
    )


def is_small(test: Test) -> bool:
    """Whether x86's registers are enough, and every place is a variable."""
    places = (getattr(o, "place", None) for thread in test.threads for o in flatten(thread))
    few = all(count_registers(thread) <= REGISTERS for thread in test.threads)
    return few and not any(isinstance(place, Indexed) for place in places)


@examples(ci=600, slow=1_200)
@given(test=litmus_tests(mutexes=False, assumes=False, max_candidates=2_000).filter(is_small))
def test_an_x86_file_has_the_executions_of_its_test(test: Test) -> None:
    test = plain(test)
    text = to_x86(test)
    read = parse_litmus_file(text, "random.litmus")
    places = [item.address for item in Layout(read).objects.values()]
    step = places[1] - places[0] if len(places) > 1 else CELL
    assert executions(litmus_program(text, "tso"), "tso", step) == executions(
        to_program(test), "tso", SPACING
    )
