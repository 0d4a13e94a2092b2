"""The pages of the documentation that ``mazurka explain`` prints, by what they are about.

The pages are in ``docs``; the links in this folder make them part of the package, whichever way it is
installed (``pyproject.toml`` has a line about links to folders).

A name is a kind of violation (a page of ``findings``) or what reports call it, the code of an error (a
section of the page about errors), a term of the glossary (its paragraphs), or another word for one of these.
Of several, the first one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from mazurka.errors import ErrorCode, UsageError
from mazurka.spelling import hint_about

_FOLDER = Path(__file__).parent
_FINDINGS = _FOLDER / "findings"
_ERRORS = _FOLDER / "errors.md"
_GLOSSARY = _FOLDER / "glossary.md"
_INDEX = "README"
_SECTION = re.compile(r"^### `(?P<code>[\w-]+)`\n(?P<text>(?:(?!#).*\n)*)", re.MULTILINE)
_TERM = re.compile(r"^\*\*(?P<words>[^*]+?)\.?\*\*(?:.+\n)+", re.MULTILINE)


# What else people, other tools and C call these things.
_ALIASES = {
    **dict.fromkeys(("use-after-free", "dangling-pointer"), "freed"),
    **dict.fromkeys(("out-of-bounds", "buffer-overflow", "out-of-bounds-access"), "unallocated"),
    **dict.fromkeys(("null-pointer", "null-dereference", "segmentation-fault", "segfault"), "unallocated"),
    **dict.fromkeys(("memory-leak", "leaks"), "leak"),
    **dict.fromkeys(("assert", "assertion-failure", "assertion-violation"), "assertion"),
    **dict.fromkeys(("undefined-behavior", "ub"), "undefined"),
    **dict.fromkeys(("integer-overflow", "signed-overflow"), "overflow"),
    **dict.fromkeys(("divide-by-zero", "zero-division"), "division-by-zero"),
    **dict.fromkeys(("livelock", "lost-wakeup", "non-termination"), "liveness"),
    **dict.fromkeys(("uninitialised", "uninitialized-read", "unwritten"), "uninitialized"),
    **dict.fromkeys(("seq-cst", "acq-rel", "acquire", "release", "relaxed", "memory-order"), "mode"),
    **{"happens-before": "hb", "reads-from": "rf", "from-read": "fr"},
}


def page_about(name: str) -> str | None:
    """What the documentation says about a name, in Markdown."""
    wanted = _key(name)
    wanted = _ALIASES.get(wanted.removeprefix("memory-order-"), wanted)
    kind = wanted if wanted in kinds() else _kinds_by_title().get(_without_article(wanted))
    if kind is not None:
        return _read(_FINDINGS / f"{kind}.md")
    errors = _errors()
    if wanted in errors:
        return f"# `{wanted}`: an error\n\n{errors[wanted].strip()}\n"
    paragraphs = _terms().get(wanted)
    return None if paragraphs is None else "\n".join(paragraphs)


def kinds() -> list[str]:
    """The kinds of violations."""
    return sorted(path.stem for path in _FINDINGS.glob("*.md") if path.stem != _INDEX)


def _titles() -> list[tuple[str, str]]:
    """The kinds of violations, and what reports call them."""
    heads = ((kind, _read(_FINDINGS / f"{kind}.md").partition("\n")[0]) for kind in kinds())
    return [(kind, head.partition(": ")[2]) for kind, head in heads]


def _kinds_by_title() -> dict[str, str]:
    return {_without_article(_key(title)): kind for kind, title in _titles()}


def _without_article(key: str) -> str:
    return re.sub(r"^an?-", "", key)


def index() -> str:
    """All names, in Markdown."""
    titles = _titles()
    longest = max(len(kind) for kind, _ in titles)
    lines = [f"{kind:<{longest}}  {title}\n" for kind, title in titles]
    terms = sorted(_terms().keys() - {*kinds(), *_errors()})
    return (
        f"# Kinds of violations\n\n```\n{''.join(lines)}```\n\n"
        f"# Errors\n\n{', '.join(_errors())}\n\n"
        f"# Terms\n\n{', '.join(terms)}\n\n"
        "# Models and their axioms\n\nNames that `mazurka models` and `mazurka models NAME` list.\n"
    )


def unknown(name: str, more: Iterable[str]) -> UsageError:
    """The error about a name that nothing has; ``more`` are names that others know."""
    names = [*kinds(), *_errors(), *_terms(), *_ALIASES, *more]
    others = f"kinds of violations are {', '.join(kinds())}; 'mazurka explain' lists all other names"
    hint = hint_about(_key(name), names, others)
    return UsageError(ErrorCode.BAD_VALUE, f"nothing is called '{name}'", hint=hint)


def _key(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())


def _errors() -> dict[str, str]:
    return {match["code"]: match["text"] for match in _SECTION.finditer(_read(_ERRORS))}


def _terms() -> dict[str, list[str]]:
    """The paragraphs about each term: one that defines ``Revisit, forward`` is about both words."""
    found: dict[str, list[str]] = {}
    for match in _TERM.finditer(_read(_GLOSSARY)):
        for word in re.split(r",\s*(?:and )?| and ", match["words"]):
            found.setdefault(_key(word), []).append(match[0])
    return found


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
