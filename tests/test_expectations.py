"""The reader of expectations is strict: what it cannot read fails, and never passes as 'nothing expected'."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka import check
from mazurka.cli.project_file import check_options
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
        "// expect[sc]: violation=race lines=3,4 lines=3,4\n",
        "// expect[sc]: verified complete=\u0663\n",
        "// expect[rc12]: verified\n",
        "// expect[sc]: verified\n// twin[sc,rc12] release->relaxed: verified\n",
        "// expect[tso-fm]: verified\n",
        "// expect[rc11]: violation=rase\n",
        "// expect[sc]: verified\n// twin[sc] release->relaxed: violation=rase\n",
        "// mazurka: --stub 'x\n// expect[sc]: verified\n",
        "// expect[sc]: verified\n// expct[tso]: verified\n",
        "// expect[sc]: verified\n// twn[sc] release->x: violation=race\n",
        "// expect[sc]: verified\n// mazurka --unroll 3\n",
    ],
)
def test_what_cannot_be_read_fails(tmp_path: Path, header: str) -> None:
    with pytest.raises(ExpectationError):
        claims(write(tmp_path, header))


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("// expect[rc11]: violation=rase", "no kind of violation 'rase'", "did you mean 'race'? "),
        (
            "// expect[rc11]: violation=odd",
            "no kind of violation 'odd'",
            "the kinds are: annotation, ",
        ),
        (
            "// twin[sc] release->x: violation=Race",
            "no kind of violation 'Race'",
            "did you mean 'race'? ",
        ),
        ("// expect[sc,rc12]: verified", "there is no model 'rc12'", "did you mean 'rc11'? "),
        ("// expect[sc]: verified complet=3", "cannot read 'complet=3'", "did you mean 'complete'? "),
        ("// expect sc[]: verified", "no expectation", "begin the file with a line such as: // expect[rc11]"),
        ("// mazurka: --unrol 3", "unknown option or argument '--unrol'", "did you mean '--unroll'? "),
        ("// mazurka: --unroll 3 --unroll 4", "--unroll was given more than once", "give --unroll only once"),
        (
            "// mazurka: --unroll 3 other.c",
            "'other.c' is not an option",
            "these lines describe only the",
        ),
        ("// mazurka: --json x", "--json applies to a single run", "give --json on the command line"),
    ],
)
def test_mistakes_have_a_place_and_a_cure(tmp_path: Path, line: str, message: str, hint: str) -> None:
    with pytest.raises(ExpectationError) as caught:
        claims(write(tmp_path, f"// What it is.\n{line}\n"), check_options)
    error = caught.value
    assert message in error.message
    assert (error.hint or "").startswith(hint)
    assert error.place is not None
    assert error.place.line == (0 if message == "no expectation" else 2)


@pytest.mark.parametrize("line", ["index[i]: the next one", "see twin and expect", "mazurka checks this"])
def test_other_comments_say_nothing(tmp_path: Path, line: str) -> None:
    (claim,) = claims(write(tmp_path, f"\ufeff// {line}\n// expect[sc]: verified\n"))
    assert claim.source().startswith(f"// {line}\n")


def test_options_of_several_lines_are_one_command_line(tmp_path: Path) -> None:
    header = "// mazurka: --unroll 3\n// mazurka: --strict --unroll 4\n// expect[sc]: verified\n"
    with pytest.raises(ExpectationError, match="--unroll was given more than once"):
        claims(write(tmp_path, header), check_options)


def test_the_error_rules_of_a_model_are_kinds(tmp_path: Path) -> None:
    model = tmp_path / "mine.kat"
    rules = "export error stale unless fr <= hb\nexport warning late unless rf <= hb\n"
    model.write_text(f"view hb = po | rf\nexport coherence hb\n{rules}", encoding="utf-8")
    assert parse_result("violation=stale", [str(model)]) == Result("violation", "stale")
    for kind in ("late", "steal"):
        with pytest.raises(ExpectationError, match="there is no kind of violation") as caught:
            parse_result(f"violation={kind}", [str(model)])
        assert "stale" in (caught.value.hint or "")


def test_a_model_that_cannot_be_read_is_left_to_the_check() -> None:
    assert parse_result("violation=stale", ["./absent.kat"]) == Result("violation", "stale")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_bytes(b"// expect[sc]: verified\n\xff\n")
    with pytest.raises(ExpectationError, match="not UTF-8"):
        claims(path)


def test_results() -> None:
    assert parse_result("bounded") == Result("bounded")
    assert parse_result("violation=assertion line=17") == Result("violation", "assertion", line=17)
    assert parse_result("violation=race lines=3,17") == Result("violation", "race", lines=(3, 17))


def test_two_lines_are_compared_in_any_order_and_with_a_violation_of_one_line(tmp_path: Path) -> None:
    """The answer of a violation with one place ended in an IndexError when it was shown."""
    assert parse_result("violation=race lines=17,3") == parse_result("violation=race lines=3,17")
    path = tmp_path / "fails.c"
    path.write_text("#include <assert.h>\nint main(void) { assert(0); }\n")
    found = parse_result("violation=assertion lines=5,9").observed_in(check(path))
    assert str(found) == "violation=assertion lines=2"
