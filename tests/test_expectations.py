"""The reader of expectations is strict: what it cannot read fails, and never passes as 'nothing expected'."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.expectations import ExpectationError, Result, claims, parse_result

CODE = "int main(void) { return release(1); }\n"


def write(tmp_path: Path, header: str) -> Path:
    path = tmp_path / "program.c"
    path.write_text(header + CODE)
    return path


def test_reads_options_models_and_numbers(tmp_path: Path) -> None:
    header = "// What it is.\n// mazurka: --unroll 3\n// expect[sc,rc11]: verified complete=4 blocked=0\n"
    first, second = claims(write(tmp_path, header))
    assert first.options == ("--unroll", "3")
    assert (first.model, second.model) == ("sc", "rc11")
    assert first.result == second.result == Result("verified", complete=4, blocked=0)


@pytest.mark.parametrize("twin", ["release->relaxed", "`release` -> `relaxed`", "`release(` -> `relaxed(`"])
def test_a_twin_changes_the_code_and_not_the_comment(tmp_path: Path, twin: str) -> None:
    header = f"// expect[sc]: verified\n// twin[sc] {twin}: violation=race\n"
    _, claim = claims(write(tmp_path, header))
    assert claim.result == Result("violation", "race")
    assert claim.source() == header + CODE.replace("release", "relaxed")


def test_a_twin_of_text_that_is_not_there_fails(tmp_path: Path) -> None:
    _, claim = claims(write(tmp_path, "// expect[sc]: verified\n// twin[sc] absent->x: violation=race\n"))
    with pytest.raises(ExpectationError, match="absent"):
        claim.source()


@pytest.mark.parametrize(
    "header",
    [
        "",
        "// A comment that expects nothing.\n",
        "// expect[sc] verified\n",
        "// expects[sc]: verified\n",
        "//expect[sc]: verified\n",
        "// expect[]: verified\n",
        "// expect[sc]: verifed\n",
        "// expect[sc]: violation\n",
        "// expect[sc]: verified=1\n",
        "// expect[sc]: verified complete\n",
        "// expect[sc]: verified complete=x\n",
        "// expect[sc]: verified complete=1 complete=2\n",
        "// expect[sc]: verified executions=1\n",
        "// expect[sc]: verified line=3\n",
        "// expect[sc]: verified lines=3,4\n",
        "// expect[sc]: violation=race lines=3\n",
        "// expect[sc]: verified\n// twin[sc] a b: violation=race\n",
        "// expect[sc]: verified\n\n// twin[sc] a->b: violation=race\n",
        "// twin[sc] release->relaxed: violation=race\n",
    ],
)
def test_what_cannot_be_read_fails(tmp_path: Path, header: str) -> None:
    with pytest.raises(ExpectationError):
        claims(write(tmp_path, header))


def test_results() -> None:
    assert parse_result("bounded") == Result("bounded")
    assert parse_result("violation=assertion line=17") == Result("violation", "assertion", line=17)
    assert parse_result("violation=race lines=3,17") == Result("violation", "race", lines=(3, 17))
