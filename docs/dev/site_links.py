"""A hook of MkDocs: lets pages of the site link to files outside of ``docs``, as they do on a forge.

The folder ``docs`` is the root of the site. A page outside of it that some page links to (``LIMITS.md``)
becomes a page of the site, and any other file (an example) is copied, both at their path in the tree; the
README is the first page. Links are rewritten to where their targets are on the site, and headings have the
anchors that forges make.

I1: a link that leads nowhere is left as it is, so that the strict build fails.
I2: no page loads anything from the network; links that a reader may follow are fine.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HOME = ROOT / "README.md"
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!\w+:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")
_LOADED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Gives headings the anchors that forges make."""
    config.mdx_configs["toc"]["slugify"] = lambda title, _: anchor(title)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is outside of ``docs``, and can be reached by links."""
    waiting = [HOME, *DOCS.rglob("*.md")]
    for page in waiting:
        for target in outside(page):
            if target not in waiting and target.suffix == ".md":
                waiting.append(target)
            uri = site_uri(target)
            if files.get_file_from_path(uri) is None:
                files.append(File.generated(config, uri, abs_src_path=str(target)))
    files.append(File.generated(config, site_uri(HOME), abs_src_path=str(HOME)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """A page, with links that lead to where their targets are on the site."""
    assert page.file.abs_src_path is not None  # all pages are files
    return rewritten(markdown, Path(page.file.abs_src_path))


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Refuses a page that needs the network (I2)."""
    loaded = _LOADED.search(output)
    if loaded is not None:
        raise PluginError(f"{page.file.src_uri} loads something from the network: {loaded[0]}")
    return output


def rewritten(markdown: str, source: Path) -> str:
    """The text of a file, with its links as they are on the site; code stays as it is."""

    def link(match: re.Match[str]) -> str:
        target = meant(match["path"], source)
        if target is None:
            return match[0]
        path = os.path.relpath(site_uri(target), os.path.dirname(site_uri(source)) or ".")
        return f"]({path}{match['anchor'] or ''})"

    done, end = "", 0
    for code in _CODE.finditer(markdown):
        done += _LINK.sub(link, markdown[end : code.start()]) + code[0]
        end = code.end()
    return done + _LINK.sub(link, markdown[end:])


def meant(path: str, source: Path) -> Path | None:
    """The file that a link in a file means, if it is in the tree; of a folder, that is its README."""
    target = (source.parent / path).resolve()
    if target.is_dir():
        target /= "README.md"
    return target if target.is_file() and ROOT in target.parents else None


def outside(page: Path) -> list[Path]:
    """The files outside of ``docs`` to which a page links."""
    paths = (match["path"] for match in _LINK.finditer(_CODE.sub("", page.read_text(encoding="utf-8"))))
    targets = (meant(path, page) for path in paths)
    return [
        target for target in targets if target is not None and DOCS not in target.parents and target != HOME
    ]


def anchor(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def site_uri(target: Path) -> str:
    """Where a file of the tree is on the site."""
    return target.relative_to(DOCS if DOCS in target.parents else ROOT).as_posix()
