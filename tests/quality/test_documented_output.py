"""What the README, the tutorial, the how-tos and pages like the tour of the prover show is what is printed.

Times are ignored; pictures are what the commands draw. ``rewrite_outputs.py`` updates everything.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from howto import compile_rust, has_rust, pictures, write_files, written_by
from mazurka.cli import commands
from profiles import some
from tree import ROOT

_SHOWN = re.compile(r"^```\n\$ mazurka (?P<arguments>.*)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)
_C_BLOCK = re.compile(r"^```c\n(?P<code>(?:.*\n)*?)```$", re.MULTILINE)
_SECONDS = re.compile(r"\d+\.\d+ s")


def shown(page: str) -> list[tuple[str, str]]:
    """Commands and their output, as a page shows them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(match["arguments"], match["output"]) for match in _SHOWN.finditer(text)]


def tutorial_programs(directory: Path) -> None:
    """Writes the programs that the tutorial asks its reader to write."""
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    counter, fixed, waiting, tries = (match["code"] for match in _C_BLOCK.finditer(text))
    thread = re.search(r"^void \*increment.*?^}\n", counter, re.MULTILINE | re.DOTALL)
    assert thread is not None
    loop = "while (!ready)\n        ;\n"
    assert loop in waiting
    programs = {
        "counter.c": counter,
        "plain.c": _plain(counter),
        "fixed.c": counter.replace(thread[0], fixed),
        "waiting.c": waiting,
        "tries.c": waiting.replace(loop, tries),
    }
    for name, code in programs.items():
        (directory / name).write_text(code, encoding="utf-8")


def _plain(counter: str) -> str:
    """The program with a plain variable: the reader is told what to change."""
    lines = "    int seen = atomic_load(&count);\n    atomic_store(&count, seen + 1);\n"
    assert lines in counter
    return counter.replace(lines, "    count++;\n").replace("atomic_int count;", "int count;")


def check(arguments: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands.main(shlex.split(arguments))
    printed = capsys.readouterr()
    assert _SECONDS.sub("0 s", printed.out + printed.err) == _SECONDS.sub("0 s", output)


@pytest.mark.parametrize(("arguments", "output"), shown("README.md"))
def test_readme(
    arguments: str, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    check(arguments, output, capsys)


@pytest.mark.parametrize(("arguments", "output"), some(shown("docs/tutorial.md"), every=2))
def test_tutorial(
    arguments: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tutorial_programs(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    check(arguments, output, capsys)


MODEL_PAGE = "docs/howto/model.md"
PROVER_PAGE = "docs/prover.md"
MIXED_PAGE = "docs/mixed-sizes.md"
SECTIONS_PAGE = "docs/atomic-sections.md"
RUST_PAGE = "docs/howto/rust.md"
PICTURES_PAGE = "docs/pictures.md"
FIXING_PAGE = "docs/fixing.md"
QUEUE_PAGE = "docs/queue.md"
PAGES = (
    MODEL_PAGE,
    PROVER_PAGE,
    MIXED_PAGE,
    SECTIONS_PAGE,
    RUST_PAGE,
    PICTURES_PAGE,
    FIXING_PAGE,
    QUEUE_PAGE,
)


@pytest.mark.parametrize(
    ("page", "arguments", "output"),
    some([(page, *each) for page in PAGES for each in shown(page)], every=2),
)
def test_pages_with_files(
    page: str,
    arguments: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    write_files(text, tmp_path)
    if has_rust(text):
        if shutil.which("rustc") is None:
            pytest.skip("there is no rustc")
        compile_rust(text, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for earlier, _ in shown(page):
        if earlier != arguments and set(written_by(earlier)) & set(shlex.split(arguments)):
            commands.main(shlex.split(earlier))
            capsys.readouterr()
    check(arguments, output, capsys)
    for picture in pictures(text):
        if picture.name in written_by(arguments):
            kept = (ROOT / page).parent / picture
            assert (tmp_path / picture.name).read_text("utf-8") == kept.read_text("utf-8")


def test_each_picture_is_drawn_by_a_command() -> None:
    text = (ROOT / PROVER_PAGE).read_text(encoding="utf-8")
    drawn = [name for arguments, _ in shown(PROVER_PAGE) for name in written_by(arguments)]
    assert pictures(text)
    assert all(picture.name in drawn for picture in pictures(text))


def test_the_pages_show_something() -> None:
    assert len(shown("README.md")) >= 3
    assert len(shown("docs/tutorial.md")) >= 5
    assert len(shown(MODEL_PAGE)) >= 6
    assert len(shown(PROVER_PAGE)) >= 30
    assert len(shown(PICTURES_PAGE)) >= 3
    assert len(shown(QUEUE_PAGE)) >= 8


@pytest.mark.parametrize(
    ("written", "example"), [("work_queue.c", "buggy/work_queue.c"), ("fixed.c", "work_queue.c")]
)
def test_the_queue_is_among_the_examples(written: str, example: str, tmp_path: Path) -> None:
    write_files((ROOT / QUEUE_PAGE).read_text(encoding="utf-8"), tmp_path)
    code = (ROOT / "examples" / example).read_text(encoding="utf-8")
    assert code[code.index("#include") :] == (tmp_path / written).read_text(encoding="utf-8")
