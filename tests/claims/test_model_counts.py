"""The models for proofs, by how many executions small programs have: GenMC's counts, and each other's."""

from __future__ import annotations

import pytest
from claim_files import model
from hypothesis import given
from litmus_candidates import count_executions
from litmus_table import LitmusRow, litmus_rows
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.strategies import litmus_tests
from profiles import examples, some

ROWS = litmus_rows()
# The column of GenMC's table that was counted with a model; rc11-genmc and sc-fm show that the method is
# right.
COLUMNS = {"imm": "imm", "rc11-genmc": "rc11", "sc-fm": "sc"}


@pytest.mark.parametrize("row", some(ROWS), ids=lambda row: row.name)
def test_counts_are_those_of_genmc(row: LitmusRow) -> None:
    found = count_executions(parse_litmus(row.program), tuple(COLUMNS))
    assert found == {name: getattr(row, column) for name, column in COLUMNS.items()}


# Models that are the same, and the one to compare with; rc11-alt has no axiom no-thin-air, which is no
# difference here: the enumerator only makes graphs in which po and rf have no cycle.
SAME = {
    "sc-fm": "sc",
    "tso-fm": "x86",
    "ra2": "ra",
    "ra3": "ra",
    "rc11-alt": "rc11-genmc",
    "coh2": "coh",
}


@examples(ci=25, slow=1_250)  # twelve models each
@given(litmus_tests(max_candidates=300))
def test_two_definitions_have_the_same_executions(test: Test) -> None:
    program = to_program(test)
    found = {
        name: enumerate_executions(program, model(name)).complete for name in {*SAME, *SAME.values(), "tso"}
    }
    for one, other in SAME.items():
        assert found[one] == found[other], (one, other)
    assert found["sc"] <= found["tso"] <= found["x86"] <= found["coh"]
