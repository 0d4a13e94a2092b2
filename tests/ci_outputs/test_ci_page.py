"""``docs/ci.md``: its project does what the page shows, and its workflow runs commands that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from mazurka.cli.commands import main, parse_arguments

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
_SECONDS = re.compile(r"\d+\.\d+ s")
QUEUE = "#include <stdatomic.h>\natomic_int head;\nvoid push(int value) { head = value; }\n"
QUEUE_MAIN = "void push(int value);\nint main(void) { push(1); return 0; }\n"


def block(kind: str) -> str:
    """The only block of a kind on the page."""
    (found,) = re.findall(rf"^```{kind}\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
    return str(found)


def test_the_project_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    racy = (ROOT / "tests" / "programs" / "race_plain_counter.c").read_text(encoding="utf-8")
    litmus = (ROOT / "examples" / "buggy" / "store_buffering_relaxed.c").read_text(encoding="utf-8")
    files = {"src/queue.c": QUEUE, "tests/queue_main.c": QUEUE_MAIN, "tests/racy.c": racy}
    for name, text in {**files, "tests/litmus/sb.c": litmus, "mazurka.toml": block("toml")}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 0
    shown = re.search(r"^```\n\$ mazurka check\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
    assert shown is not None
    assert _SECONDS.sub("0 s", capsys.readouterr().out) == _SECONDS.sub("0 s", shown[1])


def test_the_workflow_of_the_page() -> None:
    commands = re.findall(r"^ *- run: mazurka (.*)$", block("yaml"), re.MULTILINE)
    assert commands
    for command in commands:
        options = parse_arguments(shlex.split(command))
        assert options.sarif in block("yaml")
        assert options.junit in block("yaml")
