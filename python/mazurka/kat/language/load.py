"""Reads model files: ``named_model`` by name or path, ``load_model`` for a file, ``load_text`` for a text.

Files whose names end in ``.cat`` are in herd's language (``kat.cat``), all others in that of ``.kat`` files.

An included file is looked for next to the file that includes it, then among the models of the package.
Each is read once, however many files include it.
I1: if texts are given, nothing is read from the disk, so the model is as it was when they were read.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.files import read_regular
from mazurka.kat.cat.model import cat_model
from mazurka.kat.language import syntax
from mazurka.kat.language.parser import parse
from mazurka.kat.language.pieces import told_apart
from mazurka.kat.language.resolve import File, resolve
from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Model, Span
from mazurka.models import registry
from mazurka.spelling import did_you_mean

MOST_OPEN = 50  # nested includes
_SHIPPED = Path(registry.FOLDER)
Texts = Mapping[Path, bytes | None]  # files by their absolute paths; None for a missing file


def named_model(given: str) -> Model:
    """The model with a name or at a path; it may be one for proofs. One of the package is read only once."""
    found = registry.find_any(given)
    return load_model(found.path) if found.own else _shipped(found.path)


@cache
def _shipped(path: str) -> Model:
    return load_model(path)


def load_model(path: str | Path, *, require_axioms: bool = True, texts: Texts | None = None) -> Model:
    """The model of a file. ``require_axioms=False`` is for files of lemmas, which state no axioms.

    ``texts`` has the file and all files that it may include, as ``cache.model_key.read`` read them.
    """
    path = Path(path)
    reader = _Reader(texts=texts)
    return _load(reader, reader.read(path, None), path, require_axioms)


def load_text(text: str, name: str = "model", *, require_axioms: bool = True) -> Model:
    """The model of a text, which may include files of the package and of the working directory."""
    return _load(_Reader(), text, Path(name), require_axioms)


def _load(reader: _Reader, text: str, path: Path, require_axioms: bool) -> Model:
    if path.suffix == registry.CAT_SUFFIX:
        bell = reader.beside(path.with_suffix(registry.BELL_SUFFIX))
        model = cat_model(text, path, reader.included, bell=bell, require_axioms=require_axioms)
        return told_apart(model)
    main = reader.file(text, path)
    return told_apart(resolve(main, reader.files, require_axioms=require_axioms))


def stated_ppo(path: Path) -> Span | None:
    """Where the ppo that holds is stated: in the model's file, or else in a file that it includes."""
    reader = _Reader()
    if path.suffix == registry.CAT_SUFFIX:
        return None
    try:
        reader.file(reader.read(path, None), path)
    except ModelError:
        return None  # a model of a text
    files = [reader.files[-1], *reader.files[:-1]]
    stated = (s for file in files for s in file.statements if isinstance(s, syntax.Preserved))
    return next((statement.span for statement in stated), None)


@dataclass
class _Reader:
    """Reads a file and those it includes; in ``files``, each file comes after those that it includes."""

    texts: Texts | None = None
    files: list[File] = field(default_factory=list)
    known: dict[Path, File] = field(default_factory=dict)
    open: list[Path] = field(default_factory=list)

    def file(self, text: str, path: Path) -> File:
        statements = parse(text, str(path))
        self.open.append(path.resolve())
        included = [self._include(s, path, text) for s in statements if isinstance(s, syntax.Include)]
        self.open.pop()
        file = File(path, text, statements, included)
        self.files.append(file)
        self.known[path.resolve()] = file
        return file

    def _include(self, statement: syntax.Include, path: Path, text: str) -> File:
        found = self._find(statement.path, statement.span, path, text)
        key = found.resolve()
        if key in self.open:
            names = [p.name for p in self.open[self.open.index(key) :]]
            raise problem(
                statement.span,
                f"'{statement.path}' includes itself: {' includes '.join([*names, key.name])}",
                hint="move their common part into a file of its own and include that",
                text=text,
            )
        if key in self.known:
            return self.known[key]
        if len(self.open) >= MOST_OPEN:
            raise problem(
                statement.span,
                f"includes are nested more than {MOST_OPEN} deep here",
                hint="include the needed files directly",
                text=text,
            )
        return self.file(self.read(found, (statement.span, text)), found)

    def included(self, name: str, span: Span, path: Path, text: str) -> tuple[Path, str]:
        """The path and the text of a file that another one includes at a place of its text."""
        found = self._find(name, span, path, text)
        return found, self.read(found, (span, text))

    def beside(self, path: Path) -> tuple[Path, str] | None:
        """The path and the text of a file that need not exist."""
        if self._known(path) is None and (self.texts is not None or not path.is_file()):
            return None
        return path, self.read(path, None)

    def _find(self, name: str, span: Span, path: Path, text: str) -> Path:
        for directory in (path.parent, _SHIPPED):
            found = directory / name
            if self._known(found) is not None or found.is_file():
                return found
        stems = (p.stem for directory in (path.parent, _SHIPPED) for p in directory.glob(f"*{path.suffix}"))
        near = did_you_mean(Path(name).stem, stems)
        raise problem(
            span,
            f"there is no file '{name}' to include",
            hint=near or f"it is looked for next to {path.name} and among the models of Mazurka",
            text=text,
        )

    def read(self, path: Path, included_by: tuple[Span, str] | None) -> str:
        """The text of a file; ``included_by`` is the place of the include, and the text around it."""
        try:
            return _text(path, self._bytes(path))
        except OSError as error:
            raise _unreadable(path, included_by, error) from error

    def _bytes(self, path: Path) -> bytes:
        known = self._known(path)
        if known is not None:
            return known
        data = read_regular(str(path))
        if self.texts is not None:  # it did not exist or was not readable when the others were read (I1)
            raise OSError(errno.EBUSY, "it changed while the model was being read; try again")
        return data

    def _known(self, path: Path) -> bytes | None:
        return None if self.texts is None else self.texts.get(path.absolute())


def _unreadable(path: Path, included_by: tuple[Span, str] | None, error: OSError) -> ModelError:
    message = f"cannot read the model: {error.strerror}"
    if included_by is not None:
        span, text = included_by
        return problem(span, message, hint="check the permissions of that file", text=text)
    return ModelError(
        ErrorCode.UNKNOWN_MODEL,
        message,
        place=Place(str(path)),
        hint="check the spelling and the working directory; 'mazurka models' lists the available models",
    )


def _text(path: Path, data: bytes) -> str:
    text, bad = _decode(data)
    if bad is None:
        return text
    line = data.count(b"\n", 0, bad) + 1
    raise ModelError(
        ErrorCode.BAD_MODEL,
        "this is not a UTF-8 text file",
        place=Place(str(path), line, bad - (data.rfind(b"\n", 0, bad) + 1) + 1),
        hint="name a .kat file; its reference is docs/reference/models.md",
    )


def _decode(data: bytes) -> tuple[str, int | None]:
    """The text, and where it stops being text: at a NUL, or at a byte that is not UTF-8."""
    nul = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return "", error.start if nul < 0 else min(nul, error.start)
    return text, None if nul < 0 else nul
