"""A test compiled from its C source has the executions of the same test built as bytecode."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from mazurka import check, compile_program
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, to_c, to_program
from mazurka.testing.strategies import litmus_tests


@settings(max_examples=100)  # a compilation costs more than an exploration
@given(litmus_tests())
def test_compiled_tests_have_the_same_executions(
    tmp_path_factory: pytest.TempPathFactory, test: Test
) -> None:
    path: Path = tmp_path_factory.mktemp("compiled") / "test.c"
    path.write_text(to_c(test))
    expected = enumerate_executions(to_program(test))
    assert len(enumerate_executions(compile_program(path)).complete) == len(expected.complete), to_c(test)
    assert check(path, model="sc").complete == len(expected.complete), to_c(test)
