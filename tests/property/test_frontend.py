"""A test compiled from its C source has as many executions as the same test built as bytecode."""

from __future__ import annotations

import pytest
from hypothesis import given
from mazurka import compile_program
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, to_c, to_program
from mazurka.testing.mixed_strategies import mixed_tests
from mazurka.testing.section_strategies import section_tests
from mazurka.testing.strategies import litmus_tests
from profiles import examples, heavy


@examples(ci=30, slow=60)  # a compilation costs more than an exploration
@given(litmus_tests() | section_tests())
def test_compiled_tests_agree(tmp_path_factory: pytest.TempPathFactory, test: Test) -> None:
    compare(tmp_path_factory, test)


@heavy
@examples(ci=20, slow=40)
@given(mixed_tests(sizes=(2, 8, 16), max_footprints=3, assumes=True))
def test_compiled_tests_with_several_sizes_agree(
    tmp_path_factory: pytest.TempPathFactory, test: Test
) -> None:
    compare(tmp_path_factory, test)


def compare(tmp_path_factory: pytest.TempPathFactory, test: Test) -> None:
    path = tmp_path_factory.mktemp("compiled") / "test.c"
    path.write_text(to_c(test))
    compiled, built = (enumerate_executions(p) for p in (compile_program(path), to_program(test)))
    assert len(compiled.complete) == len(built.complete), to_c(test)
    assert len(compiled.blocked) == len(built.blocked), to_c(test)
