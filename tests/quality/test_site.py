"""How links are rewritten for the site. ``make docs`` builds it, and fails on warnings."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType
from typing import Any

import pytest
from test_tree import anchors
from tree import ROOT, files

PAGES = {path.relative_to(ROOT / "docs").as_posix() for path in files(".md") if ROOT / "docs" in path.parents}


@pytest.fixture
def hook() -> ModuleType:
    pytest.importorskip("mkdocs", reason="the site is built with the tools for development")
    spec = importlib.util.spec_from_file_location("site_links", ROOT / "docs" / "dev" / "site_links.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("page", "text", "on_the_site"),
    [
        ("docs/c.md", "[limits](../LIMITS.md#c)", "[limits](LIMITS.md#c)"),
        ("docs/findings/freed.md", "[`x`](../../LIMITS.md)", "[`x`](../LIMITS.md)"),
        ("docs/c.md", "[examples](../examples)", "[examples](examples/README.md)"),
        ("docs/c.md", "[kinds](findings/race.md), [here](#c)", "[kinds](findings/race.md), [here](#c)"),
        (
            "README.md",
            "[C](docs/c.md) and [how](docs/howto/rust.md#x)",
            "[C](c.md) and [how](howto/rust.md#x)",
        ),
        (
            "LIMITS.md",
            "`[C](docs/c.md)` [w](https://example.org)",
            "`[C](docs/c.md)` [w](https://example.org)",
        ),
        ("LIMITS.md", "```\n[C](docs/c.md)\n```\n", "```\n[C](docs/c.md)\n```\n"),
        ("docs/c.md", "[nowhere](../nothing.md)", "[nowhere](../nothing.md)"),
    ],
)
def test_links(hook: Any, page: str, text: str, on_the_site: str) -> None:
    assert hook.rewritten(text, ROOT / page) == on_the_site


@pytest.mark.parametrize(
    "title", ["What `--unroll` cuts", "`race`: a data race", "compile_commands.json", "A — B"]
)
def test_anchors_are_those_of_forges(hook: Any, title: str) -> None:
    assert anchors(f"# {title}\n") == {hook.anchor(title)}


@pytest.mark.parametrize(
    "tag", ['<script src="https://x/y.js">', "<link rel=a href=//x/y.css>", '<img src="http://x">']
)
def test_pages_that_need_the_network_are_refused(hook: Any, tag: str) -> None:
    page = type("Page", (), {"file": type("File", (), {"src_uri": "c.md"})})
    with pytest.raises(Exception, match="network"):
        hook.on_post_page(f"<p>{tag}", page)
    assert hook.on_post_page('<a href="https://x/">', page)


def test_the_menu_has_every_page() -> None:
    """The strict build says so too; this needs no tools."""
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"^ +- (\S+\.md)$", menu, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) >= PAGES
