"""Commands that pages give as examples, without what they print, can be run as they stand.

``test_documented_output`` and ``test_finding_pages`` run those whose output is shown. Here, stand-ins take
the place of the reader's own files.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from tree import ROOT

_EXAMPLE = re.compile(r"^    (?:\$ )?mazurka (?P<arguments>[a-z].*)$", re.MULTILINE)
_IS_SYNOPSIS = re.compile(r"\[|…|\b[A-Z]{4}")
_MAIN = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r1, r2;
void *first(void *_) { x = 1; y = 1; return 0; }
void *second(void *_) { r1 = y; r2 = x; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(WANTED);
}
"""
_RIGHT, _WRONG = _MAIN.replace("WANTED", "r1 <= r2"), _MAIN.replace("WANTED", "r1 == 1")
_LITMUS = """X86 NAME
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
FENCE MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""
_EMPTY = "int unused;\n"
FILES = {
    **dict.fromkeys(("queue.c", "mp.c", "harness.c", "src/queue.c", "program.i"), _RIGHT),
    **dict.fromkeys(("test.c", "queue_test.c", "tests/queue_test.c", "queue.cpp"), _EMPTY),
    "program.c": _WRONG,
    "SB.litmus": _LITMUS.replace("NAME", "SB").replace("FENCE", ""),
    "SB-mfences.litmus": _LITMUS.replace("NAME", "SB-mfences").replace("FENCE", " MFENCE | MFENCE ;\n"),
    "unreach-call.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
}


def examples() -> list[tuple[str, str]]:
    """Pages, and the commands that they give as examples."""
    pages = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    found = (
        (str(page.relative_to(ROOT)), match["arguments"])
        for page in pages
        for match in _EXAMPLE.finditer(page.read_text(encoding="utf-8"))
    )
    return [one for one in found if not _IS_SYNOPSIS.search(one[1])]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a reader may have."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    entries = [
        {"directory": str(tmp_path), "file": name, "command": f"cc -c {name}"}
        for name in ("src/queue.c", "tests/queue_test.c")
    ]
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("page", "arguments"), examples())
def test_an_example_can_be_run(
    page: str, arguments: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(arguments)
    if words[:2] == ["check", "queue.cpp"]:
        (folder / "test.c").write_text(_RIGHT, encoding="utf-8")  # the other file is a library here
    if words[0] == "replay":
        main(["check", "program.c", "--witness", words[1]])
    assert main(words) in (0, 1), capsys.readouterr().err


def test_there_are_examples() -> None:
    pages = {page for page, _ in examples()}
    assert {"docs/reference/cli.md", "docs/replay.md", "docs/reference/litmus.md"} <= pages
    assert ("docs/reference/cli.md", "explain race") in examples()
