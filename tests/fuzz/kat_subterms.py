"""Where the terms of a model file stand among its tokens, and which names it has there.

A term is an atom (a name, ``0``, ``id``, something in brackets) and the postfix operators behind it. Whether
it denotes events or pairs of them is seen from the brackets around it. This reads files that are well-formed;
of others it finds some terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from mazurka.kat.meaning.builtins import PREDICATES, RELATIONS

TOKEN = re.compile(r"\s+|//[^\n]*|[\w'.:-]+|\"[^\"\n]*\"|<=|\^-1|\^=|.", re.DOTALL)
BINARY = ("|", "&", "\\", ";")
POSTFIX = ("*", "+", "?", "^-1", "^=")
_BEFORE = (*BINARY, "(", "[", "=", "<=", "acyclic", "irreflexive", "empty", "coherence", "unless")
_CLAIMS = ("assume", "assert", "export", "total")
_WORDS = (*_CLAIMS, "acyclic", "irreflexive", "empty", "coherence", "error", "warning", "extra")
_CLOSING = {"(": ")", "[": "]"}


class Place(NamedTuple):
    """A term: ``tokens[start:end]``; ``test`` if it stands inside of ``[ ]``."""

    start: int
    end: int
    test: bool


def is_blank(token: str) -> bool:
    return not token.strip() or token.startswith("//")


def terms(tokens: list[str]) -> list[Place]:
    """All terms of a file."""
    found, tests, before = [], 0, ""
    for at, token in enumerate(tokens):
        if is_blank(token):
            continue
        begins = before in _BEFORE or (before in _CLAIMS and token not in _WORDS)
        if begins and token not in (*BINARY, *POSTFIX, "]", ")") and not token.startswith('"'):
            found.append(Place(at, _end(tokens, at), tests > 0))
        tests += (token == "[") - (token == "]")
        before = token
    return found


def _end(tokens: list[str], start: int) -> int:
    """Behind the term that begins at a place."""
    at, open_ = start, []
    while at < len(tokens):
        token = tokens[at]
        if token in _CLOSING:
            open_.append(_CLOSING[token])
        elif open_ and token == open_[-1]:
            open_.pop()
        at += 1
        if not open_:
            break
    while at < len(tokens) and tokens[at] in POSTFIX:
        at += 1
    return at


def text_of(tokens: list[str], place: Place) -> str:
    """A term on one line."""
    return " ".join(token for token in tokens[place.start : place.end] if not is_blank(token))


def operators(tokens: list[str]) -> Iterator[tuple[int, bool]]:
    """Where binary operators stand, and whether between tests."""
    tests = 0
    for at, token in enumerate(tokens):
        tests += (token == "[") - (token == "]")
        if token in BINARY:
            yield at, tests > 0


def names_before(tokens: list[str], end: int) -> tuple[list[str], list[str]]:
    """The relations and the predicates that can be named at a place."""
    words = [token for token in tokens[:end] if not is_blank(token)]
    relations, predicates = sorted(RELATIONS), sorted(PREDICATES)
    for word, name in pairwise(words):
        if word in ("let", "view", "relation", "and") and name != "rec":
            relations += [name] * 3  # what the file itself is about, more often
        if word == "predicate":
            predicates += [name] * 3
    return relations, predicates
