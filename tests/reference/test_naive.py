"""Bytes as independent accesses: more executions to consider, and in the end the same ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import named_model
from mazurka.reference import Machine, verify
from mazurka.reference.consistency import is_consistent
from mazurka.reference.mixing import verify_mixed
from mazurka.reference.mixing.naive import considered
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.mixed_strategies import mixed_tests
from profiles import examples

MODELS = {name: named_model(name) for name in ("sc", "rc11-ra")}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("whole", "single", "count"),
    [
        pytest.param(
            "Rrlx x[0:1] || Wrlx x[0:1] 0x101",
            "Rrlx x[0]; Rrlx x[1] || Wrlx x[0] 1; Wrlx x[1] 1",
            2 * 2,  # each byte old or new
            id="R2+W2",
        ),
        pytest.param(
            "Wrlx x[0:1] 0x202 || Wrlx x[0:1] 0x101",
            "Wrlx x[0] 2; Wrlx x[1] 2 || Wrlx x[0] 1; Wrlx x[1] 1",
            2 * 2,  # two orders of each byte
            id="W2+W2",
        ),
        pytest.param(
            "Wrlx x[0] 2 || Rrlx x[0:3] || Wrlx x[0:1] 0x101 || Wrlx x[2:3] 0x101",
            "Wrlx x[0] 2 || Rrlx x[0]; Rrlx x[1]; Rrlx x[2]; Rrlx x[3] || Wrlx x[0] 1; Wrlx x[1] 1"
            " || Wrlx x[2] 1; Wrlx x[3] 1",
            6 * 2 * 2 * 2,  # orders of the accesses of each byte
            id="3.4",
        ),
    ],
)
def test_trust_visits_what_is_considered(name: str, whole: str, single: str, count: int) -> None:
    assert len(considered(to_program(parse_litmus(whole)), MODELS[name]).complete) == count
    assert len(verify(to_program(parse_litmus(single)), MODELS[name]).complete) == count


@examples(ci=25, slow=500)
@given(
    mixed_tests(sizes=(1, 2), max_threads=3, max_ops=2, max_events=5, max_candidates=200),
    st.sampled_from(sorted(MODELS)),
)
def test_what_counts_in_the_end(test: Test, name: str) -> None:
    program, model = to_program(test), MODELS[name]
    machine = Machine(program)
    found = [machine.canonical(graph) for graph in verify_mixed(program, model).complete]
    graphs = considered(program, model).complete
    assert len(graphs) >= len(found)
    assert sorted(map(repr, found)) == sorted(
        repr(machine.canonical(graph)) for graph in graphs if is_consistent(graph, model)
    )
