"""Shortens arrays of characters that end in many zeros, such as ``char a[64000000] = "abc"``.

The compiler writes out every one of the zeros. This does what the compiler does for arrays of other types:
the array becomes a packed struct of what is not zero and of zeros, which has the same bytes.
"""

from __future__ import annotations

import re

_ZERO = "\\00"
# Fewer do no harm.
_MANY = 1 << 16
_RUN = _ZERO * _MANY
_ARRAY = re.compile(r'(?P<start>@[^=]* = [^\[{<"]*\b(?:global|constant) )\[(?P<size>\d+) x i8\] c"')


def shorten_zeros(text: str) -> str:
    """The IR with the zeros at the end of long arrays of characters written in short."""
    if _RUN not in text:
        return text
    return "\n".join(_shortened(line) if _RUN in line else line for line in text.split("\n"))


def _shortened(line: str) -> str:
    array = _ARRAY.match(line)
    if array is None:  # part of something larger, which fixes the types of its parts
        return line
    end = line.index('"', array.end())  # a quote inside would be written as \22
    begin = end
    while line.endswith(_RUN, array.end(), begin):
        begin -= len(_RUN)
    while line.endswith(_ZERO, array.end(), begin):
        begin -= len(_ZERO)
    zeros = (end - begin) // len(_ZERO)
    if zeros < _MANY:
        return line
    head, tail = f"[{int(array['size']) - zeros} x i8]", f"[{zeros} x i8]"
    value = f'<{{ {head} c"{line[array.end() : begin]}", {tail} zeroinitializer }}>'
    return f"{array['start']}<{{ {head}, {tail} }}> {value}{line[end + 1 :]}"
