"""Random programs: written in Python, they have the executions of the same program as bytecode."""

from __future__ import annotations

from collections import Counter
from typing import Any

import mazurka
from hypothesis import assume, given
from hypothesis import strategies as st
from mazurka.testing import Test, to_program
from mazurka.testing.strategies import litmus_tests
from profiles import examples
from python_threads import can_be_traced, traced

# Without those of machines: in Python, a variable that a value selects is found by decisions, and what
# follows a decision depends on it.
MODELS = ("sc", "tso", "ra", "rc11")


def values(executions: Any) -> Counter[tuple[Any, ...]]:
    """What the threads read and what is left in memory, execution by execution."""
    found: Counter[tuple[Any, ...]] = Counter()
    for execution in executions:
        reads = tuple((e.thread, e.place, e.value) for e in execution.events if e.kind in ("R", "CHOOSE"))
        found[reads, tuple(sorted(execution.final.items()))] += 1
    return found


@examples(ci=600)
@given(litmus_tests(non_atomic=True, choices=True), st.sampled_from(MODELS))
def test_python_has_the_executions_of_the_bytecode(test: Test, model: str) -> None:
    assume(can_be_traced(test))
    options: dict[str, Any] = {"model": model, "races": "off"}
    program = traced(test)
    bytecode = to_program(test)
    one, other = mazurka.check(program, **options), mazurka.check(bytecode, **options)
    assert one.verdict == other.verdict
    if one.verdict == "verified":
        assert (one.complete, one.blocked) == (other.complete, other.blocked)
        assert values(mazurka.explore(program, **options)) == values(mazurka.explore(bytecode, **options))


@examples(ci=600)
@given(litmus_tests(non_atomic=True, choices=True), st.sampled_from(MODELS))
def test_results_are_what_was_read(test: Test, model: str) -> None:
    assume(can_be_traced(test))
    for execution in mazurka.explore(traced(test), model=model, races="off", liveness=False):
        for thread, result in enumerate(execution.results, 1):
            own = Counter(
                e.value for e in execution.events if e.thread == thread and e.kind in ("R", "CHOOSE")
            )
            if isinstance(result, tuple):
                assert not Counter(result) - own - Counter({0: len(result)})
