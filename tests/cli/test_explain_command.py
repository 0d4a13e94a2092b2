"""``mazurka explain``: kinds, errors, terms, models and axioms. Help fits a screen."""

from __future__ import annotations

import re
from pathlib import Path

import mazurka
import pytest
from mazurka.cli.commands import main
from mazurka.cli.models import _about_axiom
from mazurka.errors import ErrorCode
from mazurka.models.registry import all_models
from mazurka.pages import _ALIASES, _terms, kinds, page_about
from mazurka.pages.plain import plain


@pytest.fixture(autouse=True)
def _screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def explained(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["explain", *words]) == 0
    return capsys.readouterr().out


def test_the_pages_are_part_of_the_package() -> None:
    """CI tests the wheel as it is installed."""
    folder = Path(mazurka.__file__).parent / "pages"
    assert {path.stem for path in (folder / "findings").glob("*.md")} == {*kinds(), "README"}
    assert len(kinds()) >= 25


@pytest.mark.parametrize("kind", kinds())
def test_each_kind(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, kind)
    assert text.startswith(f"{kind}: ")
    assert "\nIts report\n──────────\n" in text
    assert "    $ mazurka check " in text
    prose = [line for line in text.splitlines() if not line.startswith("    ")]
    assert max(map(len, prose)) <= 80
    assert not [line for line in prose if "](" in line or line.startswith(("#", "```"))]


@pytest.mark.parametrize("code", list(ErrorCode))
def test_each_error(code: ErrorCode, capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, str(code)).startswith(f"{code}: an error\n═")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hb"], "hb, happens-before."),
        (["release", "sequence"], "Release sequence."),
        (["Release-Sequence"], "Release sequence."),
        (["bounded"], "Verified, bounded, interrupted."),
        (["data", "race"], "race: a data race"),
        (["a data race"], "race: a data race"),
        (["use", "after", "free"], "freed: memory is used after it was freed"),
        (["out-of-bounds"], "unallocated: "),
        (["null-pointer"], "unallocated: "),
        (["memory_order_seq_cst"], "Mode."),
        (["seq_cst"], "Mode."),
        (["happens-before"], "hb, happens-before."),
        (["rc11"], "rc11: RC11: C11 repaired"),
        (["no-thin-air"], "'no-thin-air' is an axiom of these models"),
    ],
)
def test_terms_models_and_axioms(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, *words).startswith(said)


def test_other_words_lead_to_pages_and_hide_none() -> None:
    for word, meant in _ALIASES.items():
        assert page_about(meant) is not None, word
        assert page_about(word) == page_about(meant)
    assert not {*_ALIASES} & {*kinds(), *map(str, ErrorCode), *_terms(), *all_models()}
    assert [word for word in _ALIASES if _about_axiom(word)] == []


def test_without_a_name_it_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys)
    assert {*kinds(), *map(str, ErrorCode), "hb", "revisit"} <= set(re.findall(r"[\w-]+", text))


@pytest.mark.parametrize(
    ("name", "near"), [("rase", "race"), ("endles-loop", "endless-loop"), ("rc-11", "rc11"), ("zzz", None)]
)
def test_unknown_names(name: str, near: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", name]) == 2
    said = capsys.readouterr().err
    assert f"nothing is called '{name}'" in said
    assert ", ".join(kinds()) in said
    assert ("did you mean" in said) == (near is not None)
    assert near is None or f"did you mean '{near}'?" in said


def test_no_name_of_a_model_hides_another_page() -> None:
    assert [name for name in all_models() if page_about(name) is not None] == []


def test_markdown_becomes_plain_text() -> None:
    page = "# A `b`\n\nSee [this](race.md) and\n**that**.\n\n- one\n  two\n- three\n\n```c\n  x;\n```\nEnd.\n"
    said = "A b\n═══\n\nSee this and that.\n\n- one two\n- three\n\n      x;\n\nEnd.\n"
    assert plain(page, 80) == f"{said}\nSee also:\n  mazurka explain race\n"
    assert plain(page, 80, colour=True).startswith("\x1b[1mA b\x1b[0m\n")
    assert plain("- a bb ccc", 6) == "- a bb\n  ccc\n"
    assert plain("A bound ([more](B.md)), or `c` ([`d`](D.md)).", 80) == "A bound, or `c` (`d`).\n"


def test_help_fits_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 24, "with a line for the prompt"
    assert max(map(len, lines)) <= 80
    assert {"check", "explain", "fix", "tune", "estimate", "litmus", "prove", "models"} <= {
        word for line in lines for word in line.split()[:1]
    }


def test_help_of_check_has_groups(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    text = capsys.readouterr().out
    headings = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert headings[1:4] == ["the program", "the memory model", "what to look for"]
    assert max(map(len, text.splitlines())) <= 80
    for group in re.split(r"^\S.*:$", text, flags=re.MULTILINE)[1:]:
        assert len(re.findall(r"^  -", group, re.MULTILINE)) <= 12


REPORTING = [
    "--html x",
    "--svg=x",
    "--dot x",
    "--junit x",
    "--sarif x",
    "--witness x",
    "--all-executions",
    "--verbose",
]


@pytest.mark.parametrize("option", REPORTING)
def test_an_estimate_refuses_options_of_the_report(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", *option.split(), "a.c"]) == 2
    name = re.split("[ =]", option)[0]
    said = capsys.readouterr().err
    assert f"'mazurka estimate' has no {name}, because it prints a number of executions" in said
    assert f"'mazurka check {name}'" in said
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", ["estimate", "fix", "tune"])
def test_other_commands_take_no_project(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mazurka.toml").write_text('[[program]]\nfiles = ["a.c"]\n', encoding="utf-8")
    assert main([command, "mazurka.toml"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("mazurka.toml: error: ")
    assert "only 'mazurka check' takes a mazurka.toml" in said


def test_an_option_before_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--nonsense", "fix", "a.c"]) == 2
    assert "unknown option or argument '--nonsense'" in capsys.readouterr().err
