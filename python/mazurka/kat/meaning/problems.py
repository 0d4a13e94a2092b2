"""Errors in model files: the place, the line with carets under the mistake, and a cure."""

from __future__ import annotations

from pathlib import Path

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.excerpts import excerpt
from mazurka.kat.meaning.terms import Span


def problem(span: Span, message: str, *, hint: str, text: str | None = None) -> ModelError:
    """The error to raise about a part of a model; ``text`` is the text of its file, read if not given."""
    place = Place(span.path, span.line, span.column)
    return ModelError(ErrorCode.BAD_MODEL, message, place=place, hint=hint, snippet=_snippet(span, text))


def _snippet(span: Span, text: str | None) -> str | None:
    if text is None:
        try:
            text = Path(span.path).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return None
    lines = text.split("\n")
    if not 1 <= span.line <= len(lines):
        return None
    line = lines[span.line - 1].rstrip("\r")
    if not line.strip():
        return None
    return "\n".join(f"    {text}" for text in excerpt(line, span.column, span.length))
