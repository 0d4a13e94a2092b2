"""Each kind of violation has a page with a program, its report and the fix, as the command prints them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from howto import write_files
from mazurka.models.registry import runnable_models
from profiles import heavy, some
from test_documented_output import check, shown
from test_violation_catalogue import KINDS
from tree import ROOT

FOLDER = ROOT / "docs" / "findings"
PAGES = sorted(FOLDER.glob("[a-z]*.md"))
_RULE = re.compile(r"^export error (?P<kind>[\w-]+) unless", re.MULTILINE)
QUICK = some([page.stem for page in PAGES if "```cpp" not in page.read_text(encoding="utf-8")])


def rules() -> set[str]:
    """The error rules of the models that come with Mazurka."""
    models = [ROOT / "python" / "mazurka" / "models" / f"{name}.kat" for name in runnable_models()]
    return {kind for model in models for kind in _RULE.findall(model.read_text(encoding="utf-8"))}


def test_every_kind_has_a_page_and_every_page_a_kind() -> None:
    assert {page.stem for page in PAGES} == KINDS | rules()


def test_the_index_has_all_pages() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\[`([\w-]+)`\]\(\1\.md\)", index)) == [page.stem for page in PAGES]


@pytest.mark.parametrize("kind", [page.stem for page in PAGES])
def test_a_page_has_all_parts(kind: str) -> None:
    text = (FOLDER / f"{kind}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# `{kind}`: ")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[:3] == ["A program", "Its report", "The fix"]
    before, after = shown(f"docs/findings/{kind}.md")
    assert before[1].startswith("Violation under ")
    assert after[1].startswith("Verified under ")


@pytest.mark.parametrize(
    "kind", [pytest.param(page.stem, marks=() if page.stem in QUICK else heavy) for page in PAGES]
)
def test_reports(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first program has a violation of the page's kind, and the second has none."""
    page = f"docs/findings/{kind}.md"
    write_files((ROOT / page).read_text(encoding="utf-8"), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    kinds = []
    for arguments, output in shown(page):
        check(f"{arguments} --json found.json", f"{output}written: found.json\n", capsys)
        violation = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["violation"]
        kinds.append(violation and (violation["kind"], violation["help"]))
    assert kinds == [(kind, page), None]
