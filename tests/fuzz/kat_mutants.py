"""Mutated model files: changed mildly (``kat_mild``), or with tokens swapped, deleted, doubled or cut.

Three in four are mild: most of the others are not files of the language any more, and reach the parser only.
A mutant is drawn from its seed alone, so that a failure can be drawn again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from kat_mild import change_mildly
from kat_subterms import TOKEN
from mazurka.kat.meaning.builtins import PREDICATES, RELATIONS, RESERVED, SYNONYMS

MODELS = Path(__file__).resolve().parents[2] / "python" / "mazurka" / "models"
# Models that can be run, models for proofs, and claims. Most are claims, but each kind is drawn as often.
SOURCES = tuple(
    tuple(sorted((MODELS / kind).glob("*.kat"))) for kind in (".", "machines", "proving", "claims")
)
_INCLUDED = re.compile(r'^include "([^"]+)"', re.MULTILINE)
_WORDS = (
    *sorted({*RELATIONS, *PREDICATES, *RESERVED, *SYNONYMS}),
    *("|", "&", ";", "\\", "*", "+", "?", "^-1", "^=", "(", ")", "[", "]", "[]", "=", "<=", "#", "0"),
    *("empty", "coherence", "error", "warning", "model", "cite", "map", "ppo", "total", "as", "extra"),
    *('"text"', "x'", "a.b", "hb", "sw"),
)


def mutant(seed: int) -> bytes:
    """The mutated file of a seed."""
    draw = random.Random(seed)
    tokens = TOKEN.findall(_text(draw.choice(draw.choice(SOURCES))))
    if draw.random() < 0.75:
        for _ in range(draw.choice((1, 1, 2, 3))):
            change_mildly(tokens, draw)
            tokens = TOKEN.findall("".join(tokens))
        return "".join(tokens).encode()
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        draw.choice(_CHANGES)(tokens, draw)
    data = "".join(tokens).encode()
    return _garbled(data, draw) if draw.random() < 0.3 else data


def _text(path: Path) -> str:
    """A file whose includes are found from any folder."""

    def from_anywhere(match: re.Match[str]) -> str:
        beside = path.parent / match[1]
        return f'include "{beside.relative_to(MODELS)}"' if beside.exists() else match[0]

    return _INCLUDED.sub(from_anywhere, path.read_text(encoding="utf-8"))


def _places(tokens: list[str]) -> list[int]:
    """Where something stands that is neither blank nor a comment."""
    return [at for at, token in enumerate(tokens) if token.strip() and not token.startswith("//")] or [0]


def _swap(tokens: list[str], draw: random.Random) -> None:
    one, two = draw.choice(_places(tokens)), draw.choice(_places(tokens))
    tokens[one], tokens[two] = tokens[two], tokens[one]


def _delete(tokens: list[str], draw: random.Random) -> None:
    at = draw.choice(_places(tokens))
    del tokens[at : at + draw.choice((1, 1, 1, 3, 10))]
    tokens.append(" ")


def _double(tokens: list[str], draw: random.Random) -> None:
    at = draw.choice(_places(tokens))
    part = tokens[at : at + draw.choice((1, 2, 5, 30))]
    tokens[at:at] = [*part, " "] * draw.choice((1, 1, 2, 40))


def _replace(tokens: list[str], draw: random.Random) -> None:
    tokens[draw.choice(_places(tokens))] = f" {draw.choice(_WORDS)} "


def _insert(tokens: list[str], draw: random.Random) -> None:
    tokens.insert(draw.choice(_places(tokens)), f" {draw.choice(_WORDS)} ")


def _cut(tokens: list[str], draw: random.Random) -> None:
    del tokens[draw.choice(_places(tokens)) + 1 :]


def _nest(tokens: list[str], draw: random.Random) -> None:
    at = draw.choice(_places(tokens))
    depth = draw.choice((2, 5, 49, 60, 400))
    before, after = draw.choice((("(", ")"), ("[", "]"), ("rot ", ""), ("(", ")+"), ("(", ")?"), ("", "^-1")))
    tokens[at] = before * depth + tokens[at] + after * depth


def _claim(tokens: list[str], draw: random.Random) -> None:
    """What the file states, asked or assumed."""
    at = [
        n for n, token in enumerate(tokens) if token in ("acyclic", "irreflexive", "assert", "assume", "let")
    ]
    if at:
        tokens[draw.choice(at)] = draw.choice(
            (
                "assert acyclic",
                "assume irreflexive",
                "assert",
                "assume",
                "view",
                "let rec",
                "empty",
                "relation",
            )
        )


_CHANGES: tuple[Callable[[list[str], random.Random], None], ...] = (
    *(_swap, _delete, _double, _replace, _replace, _insert, _insert, _cut, _nest, _claim),
)


def _garbled(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data or b"x")
    for _ in range(draw.choice((1, 3, 30))):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)
