"""Mild changes of model files: most of them still parse, and mean something else.

They stay within the grammar as far as tokens tell: a relation takes the place of a relation, a predicate that
of a predicate, an operator that of one with as many operands; terms are wrapped, joined with others of the
file, assumed and asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from kat_subterms import BINARY, POSTFIX, Place, names_before, operators, terms, text_of

_WRAPS = (
    *("({})?", "({})+", "({})*", "({})^-1", "({})^=", "rot ({})", "({} & loc-overlap)", "({} \\ po-loc)"),
    *("({} & loc-overlap?)", "({} & (loc-overlap | id))", "({} & id)", "({} ; any)", "[R] ; {}"),
    *("{} ; [F & SC]",),
)
_JOINS = ("({} | {})", "({} & {})", "({} \\ {})", "({} ; {})", "({} ; {})+", "({} ; ({})^-1)")
_CLAIMS = (
    *("acyclic {}", "irreflexive {}", "empty {}", "{} = 0", "{} & id <= {}", "irreflexive rot ({} ; {})"),
    *("{} <= {}", "{} = {}", "{} ; {} <= {}", "({})? <= {}", "acyclic {} | {}", "{} <= ({} ; {})?"),
)
_STATEMENTS = (
    "acyclic {} as drawn",
    "irreflexive {} as drawn",
    "empty {} as drawn",
    "coherence {} as drawn",
    "export {} <= {} as drawn",
    "error drawn unless {} <= {}",
    "warning drawn unless {} = 0",
    "ppo = {} & po",
    "acyclic {} unless {} <= {} as drawn",
    "view drawn = {}\nacyclic drawn | {} as drawn-axiom",
    "view rec drawn = {} | drawn ; {}\ncoherence drawn as drawn-axiom",
    "assume total {}",
    "let rec drawn = {} ; also? and also = {} | drawn ; {}\nacyclic drawn as drawn-axiom",
    "relation drawn\nassume drawn <= {}\nassert {} ; drawn <= {}",
    "relation drawn\nassume {} <= drawn\nassert acyclic drawn | {}",
    "predicate Drawn\nassume [Drawn] <= [R]\nassert {} ; [Drawn] <= {}",
    "predicate Drawn\ndisjoint Drawn # W\nassert acyclic [Drawn] ; {}",
)
_INCLUDES = (
    *("sc", "tso", "rc11", "ra", "pso", "c11-base"),
    *("proving/imm", "proving/coh", "proving/dependencies-base"),
)


def change_mildly(tokens: list[str], draw: random.Random) -> None:
    """One change, in place."""
    draw.choice(_CHANGES)(tokens, draw)


def _place(tokens: list[str], draw: random.Random, *, relation: bool = False) -> Place | None:
    found = [place for place in terms(tokens) if not (relation and place.test)]
    return draw.choice(found) if found else None


def _put(tokens: list[str], place: Place, text: str) -> None:
    tokens[place.start : place.end] = [text]


def _fill(form: str, tokens: list[str], draw: random.Random) -> str:
    """A form with relations of the file in its gaps."""
    while "{}" in form:
        place = _place(tokens, draw, relation=True)
        form = form.replace("{}", text_of(tokens, place) if place else "po", 1)
    return form


def _rename(tokens: list[str], draw: random.Random) -> None:
    named = [place for place in terms(tokens) if tokens[place.start][0].isalpha()]
    if named:
        place = draw.choice(named)
        relations, predicates = names_before(tokens, place.start)
        is_predicate = place.test or tokens[place.start] in predicates
        tokens[place.start] = draw.choice(predicates if is_predicate else relations)


def _change_operator(tokens: list[str], draw: random.Random) -> None:
    if found := list(operators(tokens)):
        at, test = draw.choice(found)
        tokens[at] = draw.choice(BINARY[:3] if test else BINARY)


def _change_postfix(tokens: list[str], draw: random.Random) -> None:
    if found := [at for at, token in enumerate(tokens) if token in POSTFIX]:
        tokens[draw.choice(found)] = draw.choice(POSTFIX)


def _graft(tokens: list[str], draw: random.Random) -> None:
    """A term in the place of another one, mostly one that stands before it."""
    to = _place(tokens, draw)
    found = [place for place in terms(tokens) if to and place.test == to.test]
    earlier = [place for place in found if to and place.start <= to.start]
    if to:
        _put(tokens, to, f"({text_of(tokens, draw.choice(earlier if draw.random() < 0.8 else found))})")


def _wrap(tokens: list[str], draw: random.Random) -> None:
    if place := _place(tokens, draw, relation=True):
        _put(tokens, place, f"({draw.choice(_WRAPS).format(text_of(tokens, place))})")


def _join(tokens: list[str], draw: random.Random) -> None:
    """A term together with one that stands before it."""
    if place := _place(tokens, draw, relation=True):
        others = [one for one in terms(tokens) if one.start <= place.start and not one.test]
        parts = [text_of(tokens, place), text_of(tokens, draw.choice(others))]
        draw.shuffle(parts)
        _put(tokens, place, draw.choice(_JOINS).format(*parts))


def _claim(tokens: list[str], draw: random.Random) -> None:
    for _ in range(draw.choice((1, 1, 2, 4))):
        word = draw.choice(("assume", "assert", "assert"))
        tokens.append(f"\n{word} {_fill(draw.choice(_CLAIMS), tokens, draw)}\n")


def _state(tokens: list[str], draw: random.Random) -> None:
    tokens.append(f"\n{_fill(draw.choice(_STATEMENTS), tokens, draw)}\n")


def _include(tokens: list[str], draw: random.Random) -> None:
    """Another file in front, and a claim about what is known then."""
    tokens.insert(0, f'include "{draw.choice(_INCLUDES)}.kat"\n')
    _claim(tokens, draw)


_CHANGES: tuple[Callable[[list[str], random.Random], None], ...] = (
    *(_rename, _rename, _change_operator, _change_postfix, _graft, _wrap, _wrap, _join),
    *(_claim, _claim, _state, _state, _include),
)
