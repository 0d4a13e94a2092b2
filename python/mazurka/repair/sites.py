"""Finds the calls of atomic operations in a text, and the orderings that stand in them or could.

A *site* is such a call, or an ordering that stands alone, such as the argument of a function of the user's.
Its *slots* are its orderings; a compare-exchange has two. Accesses without a call (``x = 1``, ``x++``) are
not found: C has no way to give them an ordering.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mazurka.repair import orders
from mazurka.repair.tokens import Stream, Token, matching, streams_of

_WORDS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
_ORDER = re.compile(rf"memory_order_(?P<c>{'|'.join(_WORDS)})|__ATOMIC_(?P<gcc>{'|'.join(_WORDS).upper()})")
_C_CALL = re.compile(
    r"atomic_(?P<name>load|store|exchange|fetch_(?:add|sub|and|or|xor|max|min)|compare_exchange_(?:strong|weak)"
    r"|flag_test_and_set|flag_clear)(?P<explicit>_explicit)?"
)
_GCC_CALL = re.compile(
    r"__atomic_(?P<name>load|store|exchange|compare_exchange|fetch_\w+|\w+_fetch|test_and_set|clear)(?:_n)?"
)
_MEMBER_CALL = re.compile(
    r"load|store|exchange|fetch_\w+|compare_exchange_(?:strong|weak)|test_and_set|clear|test"
)
_FENCE_CALL = re.compile(r"(?:__)?atomic_thread_fence")
# How many arguments a method has before its orderings; a function has the object besides.
_ARGUMENTS = {"load": 0, "test": 0, "test_and_set": 0, "clear": 0, "compare": 2}


class Slot(NamedTuple):
    """An ordering: what it is for, what it is, and where it stands (None: it is left out, so ``seq_cst``)."""

    kind: str
    order: str
    span: tuple[int, int] | None
    role: str = ""  # of a compare-exchange: success or failure


class Site(NamedTuple):
    """A call with orderings; the offsets are those of the call, its name and its closing parenthesis."""

    name: str
    style: str  # how orderings are written: c, std or gcc
    macro: str | None  # the macro in whose definition it stands
    lines: tuple[int, int]
    slots: tuple[Slot, ...]
    start: int
    name_end: int
    closing: int
    end: int
    is_member: bool = False
    has_arguments: bool = True


class Uses(NamedTuple):
    """Which words stand in which line of the code, and in the body of which macro."""

    lines: dict[int, set[str]]
    macros: dict[str, set[str]]


def sites_of(text: str) -> tuple[list[Site], Uses]:
    """The sites of a file, in the order of the text, and which macros it uses where."""
    uses = Uses({}, {})
    found: list[Site] = []
    for stream in streams_of(text):
        taken: set[int] = set()
        for site in _calls(stream):
            found.append(site)
            taken |= {slot.span[0] for slot in site.slots if slot.span}
        found += _lone_orders(stream, taken)
        for token in stream.tokens:
            if stream.macro is None:
                uses.lines.setdefault(token.line, set()).add(token.text)
            else:
                uses.macros.setdefault(stream.macro, set()).add(token.text)
    return sorted(found, key=lambda site: site.start), uses


def _calls(stream: Stream) -> Iterator[Site]:
    tokens = stream.tokens
    for i, token in enumerate(tokens[:-1]):
        if tokens[i + 1].text != "(":
            continue
        before = [other.text for other in tokens[max(i - 2, 0) : i]]
        is_member = bool(before) and before[-1] in (".", "->")
        shape = _shape(token.text, is_member=is_member)
        closing = matching(tokens, i + 1) if shape else None
        if shape is None or closing is None:
            continue
        arguments = _arguments(tokens, i + 1, closing)
        slots = _slots(*shape, arguments)
        if not slots:
            continue
        is_std = is_member or before == ["std", "::"]
        style = "gcc" if token.text.startswith("__") else "std" if is_std else "c"
        yield Site(
            token.text,
            style,
            stream.macro,
            (token.line, tokens[closing].line),
            slots,
            tokens[i - 2].start if before == ["std", "::"] else token.start,
            token.end,
            tokens[closing].start,
            tokens[closing].end,
            is_member,
            bool(arguments),
        )


def _shape(name: str, *, is_member: bool) -> tuple[str, int, bool | None] | None:
    """An operation's bare name, how many arguments precede its orderings, and whether it has any.

    None instead of the last: the number of arguments says it.
    """
    if is_member:
        return (name, _plain_arguments(name), None) if _MEMBER_CALL.fullmatch(name) else None
    if _FENCE_CALL.fullmatch(name):
        return "fence", 0, True
    if match := _C_CALL.fullmatch(name):
        bare = match["name"].removeprefix("flag_")
        return bare, _plain_arguments(bare) + 1, bool(match["explicit"])
    if match := _GCC_CALL.fullmatch(name):
        return match["name"], -1, True
    return None


def _plain_arguments(name: str) -> int:
    return _ARGUMENTS.get(name, _ARGUMENTS.get(name.partition("_")[0], 1))


def _arguments(tokens: list[Token], opening: int, closing: int) -> list[list[Token]]:
    """The tokens of each argument of a call."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[opening + 1 : closing]:
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return found if found != [[]] else []


def _slots(name: str, plain: int, explicit: bool | None, arguments: list[list[Token]]) -> tuple[Slot, ...]:
    """The orderings of a call; none if it is not what its name suggests, or a variable says which."""
    kinds = _kinds(name)
    given = len(arguments) - plain
    if plain < 0:
        given = len(kinds)  # the builtins always have all of their orderings, and come with other arguments
    elif explicit is None:
        explicit = given > 0
        if given == 1:
            kinds = kinds[:1]  # one ordering for success and failure
    if not explicit:
        return tuple(Slot(kind, "seq_cst", None, role) for kind, role in kinds) if given == 0 else ()
    if given != len(kinds):
        return ()
    slots = []
    for (kind, role), argument in zip(kinds, arguments[len(arguments) - given :], strict=True):
        order = _order_at(argument, 0)
        if order is None or order.length != len(argument):
            continue
        word = "acquire" if order.word == "consume" else order.word
        if orders.is_allowed(kind, word):
            slots.append(Slot(kind, word, order.span, role))
    return tuple(slots)


def _kinds(name: str) -> list[tuple[str, str]]:
    if name.startswith("compare_exchange"):
        return [(orders.RMW, "success"), (orders.LOAD, "failure")]
    kinds = {
        "fence": orders.FENCE,
        "load": orders.LOAD,
        "test": orders.LOAD,
        "store": orders.STORE,
        "clear": orders.STORE,
    }
    return [(kinds.get(name, orders.RMW), "")]


class _Order(NamedTuple):
    word: str
    span: tuple[int, int]  # of the token that says which
    length: int  # in tokens


def _order_at(tokens: list[Token], at: int) -> _Order | None:
    """The ordering that begins at a token: ``[std::]memory_order[_|::]acquire`` or ``__ATOMIC_ACQUIRE``."""
    words = tokens[at : at + 5]
    texts = [token.text for token in words]
    skipped = 2 if texts[:2] == ["std", "::"] else 0
    words, texts = words[skipped:], texts[skipped:]
    if texts[:2] == ["memory_order", "::"] and len(texts) > 2 and texts[2] in _WORDS:
        return _Order(texts[2], (words[2].start, words[2].end), skipped + 3)
    match = _ORDER.fullmatch(texts[0]) if texts else None
    if match is None:
        return None
    return _Order(match["c"] or match["gcc"].lower(), (words[0].start, words[0].end), skipped + 1)


def _lone_orders(stream: Stream, taken: set[int]) -> Iterator[Site]:
    """Orderings outside of known calls, unless they are compared with something."""
    tokens, i = stream.tokens, 0
    while i < len(tokens):
        order = _order_at(tokens, i)
        if order is None:
            i += 1
            continue
        first, behind = i, i + order.length
        around = {tokens[j].text for j in (first - 1, behind) if 0 <= j < len(tokens)}
        i = behind
        if order.span[0] in taken or order.word == "consume" or around & {"case", "==", "!="}:
            continue
        start, end = tokens[first].start, order.span[1]
        slot = Slot(orders.kind_of_lone(order.word), order.word, order.span)
        style = "gcc" if tokens[first].text.startswith("__") else "c"
        lines = (tokens[first].line, tokens[first].line)
        yield Site("", style, stream.macro, lines, (slot,), start, end, end, end)
