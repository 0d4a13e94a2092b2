"""Names of C++ as people write them, from the symbols that the compiler makes of them.

Only what names things is read: namespaces, classes, functions. Template arguments and parameters are left
out, and so is the version of the library's namespace. Of operators, those of streams are known.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"(\d+)")
_SUBSTITUTION = re.compile(r"S(?:[0-9A-Z]*_|[tabsiod])")
_LITERAL = re.compile(r"L[^E]*E")
_QUALIFIERS = re.compile(r"[rVKRO]*")
_OPENING = "INXJFZ"  # what ends with an E
_NUMBER_OF_LAMBDA = re.compile(r"\d*_")
_LOCAL = re.compile(r"^_Z(?:GV)?Z")
_REST = re.compile(r"(?:B\w+)?(?:_\d*_?)?")  # which of several variables of that name it is
_GUARD = "_ZGV"  # what says whether a static variable has been initialised
_OPERATORS = {"ls": "operator<<", "rs": "operator>>"}
_SPECIAL = re.compile(r"C[1-5]|D[0-5]")
_VERSION = "__1"
_TABLE = re.compile(r"^_ZT[VTI]")  # virtual functions, virtual bases, the type


def readable(symbol: str) -> str:
    """The name that a symbol such as ``_ZNSt3__14coutE`` stands for; empty if it is not understood.

    The name of a table of a class, such as ``_ZTVSt13runtime_error``, is that of the class.
    """
    symbol = _TABLE.sub("_Z", symbol)
    nested = symbol.startswith("_ZN")
    at = _after(_QUALIFIERS, symbol, 3) if nested else 2
    parts: list[str] = []
    while at < len(symbol) and symbol[at] != "E" and (nested or not parts or parts == ["std"]):
        if symbol.startswith("St", at):
            parts.append("std")
            at += 2
        elif symbol[at] == "I" and parts:
            at = _after_arguments(symbol, at)
        elif symbol[at : at + 2] in _OPERATORS:
            parts.append(_OPERATORS[symbol[at : at + 2]])
            at += 2
        elif parts and (special := _SPECIAL.match(symbol, at)):  # a constructor or a destructor
            parts.append(("~" if special[0][0] == "D" else "") + parts[-1])
            at += 2
        elif symbol[at] == "B" and parts:  # a tag of the name before
            at = _named(symbol, at + 1)[1]
        else:
            name, at = _named(symbol, at)
            parts.append(name)
        if not parts[-1]:
            return ""
    names = [part for part in parts if part != _VERSION]
    is_whole = symbol.startswith("_Z") and (not nested or symbol.startswith("E", at))
    return "::".join(names) if is_whole and names not in ([], ["std"]) else ""


def readable_variable(symbol: str) -> str:
    """The name of a variable, or ``guard of x``; of one in a function, without the function."""
    if symbol.startswith(_GUARD):
        guarded = readable_variable(symbol.replace(_GUARD, "_Z", 1))
        return f"guard of {guarded}" if guarded else ""
    if not _LOCAL.match(symbol):
        return "" if symbol.startswith("_ZT") else readable(symbol)
    # The name is the last part, after the function's own symbol and its E.
    for found in reversed(list(re.finditer("E(?=[0-9])", symbol))):
        name, end = _named(symbol, found.end())
        if name and _REST.fullmatch(symbol, end):
            return name
    return ""


def _named(symbol: str, at: int) -> tuple[str, int]:
    """The name that begins there, after its length, and where it ends."""
    found = _NAME.match(symbol, at)
    if found is None:
        return "", len(symbol)
    end = found.end() + int(found[1])
    return (symbol[found.end() : end], end) if end <= len(symbol) else ("", len(symbol))


def _after(pattern: re.Pattern[str], symbol: str, at: int) -> int:
    found = pattern.match(symbol, at)
    return at if found is None else found.end()


def _after_arguments(symbol: str, at: int) -> int:
    """Where template arguments end."""
    open_ones: list[str] = []
    while at < len(symbol):
        letter = symbol[at]
        if letter.isdigit():
            at = _named(symbol, at)[1]
        elif letter == "L":
            at = max(_after(_LITERAL, symbol, at), at + 1)
        elif letter == "S":
            at = max(_after(_SUBSTITUTION, symbol, at), at + 1)
        elif letter == "E":
            of_lambda = open_ones.pop() == "U"
            at = _after(_NUMBER_OF_LAMBDA, symbol, at + 1) if of_lambda else at + 1
            if not open_ones:
                return at
        elif letter in _OPENING or symbol.startswith("Ul", at):
            open_ones.append(letter)
            at += 2 if letter == "U" else 1
        else:
            at += 1
    return at
