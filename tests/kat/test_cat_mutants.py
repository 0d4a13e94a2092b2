"""``.cat`` files with random changes are used, or refused with a place and a cure: never a traceback."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from mazurka.errors import ModelError
from mazurka.kat.cat.lexer import KEYWORDS
from mazurka.kat.cat.names import KNOWN, RELATIONS, SETS, UNSUPPORTED
from mazurka.kat.language.load import load_text
from mazurka.reference.consistency import is_consistent, model_errors
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.soundness.derived import unordered_dependencies
from mazurka.soundness.expressible import refuse_inexpressible
from profiles import amount
from random_graphs import random_graph

SOURCES = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "cat").glob("*.cat"))]
TOKEN = re.compile(r"\s+|[\w.-]+|\"[^\"]*\"|\S")
WORDS = (
    *sorted({*KEYWORDS, *KNOWN, *UNSUPPORTED}),
    *(
        "|",
        "||",
        "&",
        ";",
        "\\",
        "*",
        "+",
        "?",
        "^-1",
        "^",
        "~",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "=",
        ",",
        "->",
        "0",
    ),
    *("(*", "*)", '"', '"x"', "'once", "é", "\n", "_", "++"),
)
KINDS = (tuple(RELATIONS), tuple(SETS), ("|", "&", ";", "\\"), ("acyclic", "irreflexive", "empty"))
GRAPHS = [random_graph(seed) for seed in range(3)]


def mildly_changed(tokens: list[str], draw: random.Random) -> list[str]:
    """Names become others of their kind, and operators others."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        kind = draw.choice(KINDS)
        places = [at for at, token in enumerate(tokens) if token in kind]
        if places:
            tokens[draw.choice(places)] = draw.choice(kind)
    return tokens


def mutant(seed: int) -> str:
    """A file with a few tokens replaced, left out, repeated, swapped or put in; half of them only mildly."""
    draw = random.Random(seed)
    tokens = TOKEN.findall(draw.choice(SOURCES))
    if seed % 2:
        return "".join(mildly_changed(tokens, draw))
    for _ in range(draw.choice((1, 1, 2, 4, 10))):
        at, other = draw.randrange(len(tokens)), draw.randrange(len(tokens))
        match draw.randrange(5):
            case 0:
                tokens[at] = f" {draw.choice(WORDS)} "
            case 1:
                del tokens[at]
            case 2:
                tokens[at:at] = [" ", *tokens[at : at + draw.choice((1, 3, 40))], " "] * draw.choice(
                    (1, 2, 30)
                )
            case 3:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 4:
                tokens.insert(at, f" {draw.choice(WORDS)} ")
    return "".join(tokens)


def use(seed: int) -> str:
    """What becomes of a mutant: it is used by the reference and looked at for the engine, or refused."""
    try:
        model = load_text(mutant(seed), "mutant.cat")
    except ModelError as error:
        return "refused" if error.place and error.hint else f"without a place or a cure: {error}"
    for graph in GRAPHS:
        try:
            is_consistent(graph, model)
            model_errors(graph, model)
        except ReferenceUnsupported:
            pass  # dependencies, which random graphs do not have
    try:
        refuse_inexpressible(model)
    except ModelError as error:
        return "not for the engine" if error.hint else f"without a cure: {error}"
    return "not for the engine" if model.derives_ppo and unordered_dependencies(model) else "used"


@pytest.mark.parametrize("part", range(2))
def test_no_mutant_is_a_traceback(part: int) -> None:
    found = Counter(map(use, range(part, amount(600, 12_000), 2)))
    assert found.keys() | {"not for the engine"} == {"refused", "not for the engine", "used"}
    assert part == 0 or found["not for the engine"]  # most of those that are changed a lot are refused before
