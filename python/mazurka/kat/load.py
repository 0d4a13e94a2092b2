"""Reads model files: ``load_model`` for a file, ``load_text`` for a text.

An included file is looked for next to the file that includes it, then among the models of the package.
Each is read once, however many files include it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.kat import syntax
from mazurka.kat.parser import parse
from mazurka.kat.problems import did_you_mean, problem
from mazurka.kat.resolve import File, resolve
from mazurka.kat.terms import Model, Span

MODELS = Path(__file__).resolve().parent.parent / "models"


def load_model(path: str | Path, *, require_axioms: bool = True) -> Model:
    """The model of a file. ``require_axioms=False`` is for files of lemmas, which state none."""
    path = Path(path)
    return _load(_read(path, None), path, require_axioms)


def load_text(text: str, name: str = "model", *, require_axioms: bool = True) -> Model:
    """The model of a text, which may include files of the package and of the working directory."""
    return _load(text, Path(name), require_axioms)


def _load(text: str, path: Path, require_axioms: bool) -> Model:
    reader = _Reader()
    main = reader.file(text, path)
    return resolve(main, reader.files, require_axioms=require_axioms)


def stated_ppo(path: Path) -> Span | None:
    """Where a model's file states the ppo that holds: itself, or else a file it includes."""
    reader = _Reader()
    try:
        reader.file(_read(path, None), path)
    except ModelError:
        return None  # a model of a text
    files = [reader.files[-1], *reader.files[:-1]]
    stated = (s for file in files for s in file.statements if isinstance(s, syntax.Preserved))
    return next((statement.span for statement in stated), None)


@dataclass
class _Reader:
    """Reads a file and those it includes; ``files`` has what is included before what includes it."""

    files: list[File] = field(default_factory=list)
    known: dict[Path, File] = field(default_factory=dict)
    open: list[Path] = field(default_factory=list)

    def file(self, text: str, path: Path) -> File:
        statements = parse(text, str(path))
        if not statements:
            raise ModelError(
                ErrorCode.BAD_MODEL,
                "there is nothing in this model file",
                place=Place(str(path), 1, 1),
                hint="state an axiom, for example: acyclic po | rf | co | fr",
            )
        self.open.append(path.resolve())
        included = [self._include(s, path, text) for s in statements if isinstance(s, syntax.Include)]
        self.open.pop()
        file = File(path, text, statements, included)
        self.files.append(file)
        self.known[path.resolve()] = file
        return file

    def _include(self, statement: syntax.Include, path: Path, text: str) -> File:
        found = _find(statement, path, text)
        key = found.resolve()
        if key in self.open:
            names = [p.name for p in self.open[self.open.index(key) :]]
            raise problem(
                statement.span,
                f"'{statement.path}' includes itself: {' includes '.join([*names, key.name])}",
                hint="put what they share into a file of its own and include that",
                text=text,
            )
        if key in self.known:
            return self.known[key]
        return self.file(_read(found, (statement.span, text)), found)


def _find(statement: syntax.Include, path: Path, text: str) -> Path:
    for directory in (path.parent, MODELS):
        if (directory / statement.path).is_file():
            return directory / statement.path
    stems = (p.stem for directory in (path.parent, MODELS) for p in directory.glob("*.kat"))
    near = did_you_mean(Path(statement.path).stem, stems)
    raise problem(
        statement.span,
        f"there is no file '{statement.path}' to include",
        hint=near or f"it is looked for next to {path.name} and among the models of Mazurka",
        text=text,
    )


def _read(path: Path, included_by: tuple[Span, str] | None) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        message = f"cannot read the model: {error.strerror}"
        if included_by is not None:
            span, text = included_by
            raise problem(span, message, hint="check who may read that file", text=text) from error
        raise ModelError(
            ErrorCode.UNKNOWN_MODEL,
            message,
            place=Place(str(path)),
            hint="check the spelling and the working directory; 'mazurka models' lists the models there are",
        ) from error
    text, bad = _decode(data)
    if bad is None:
        return text
    line = data.count(b"\n", 0, bad) + 1
    raise ModelError(
        ErrorCode.BAD_MODEL,
        "this is not a text file in UTF-8",
        place=Place(str(path), line, bad - (data.rfind(b"\n", 0, bad) + 1) + 1),
        hint="name a .kat file; its reference is docs/reference/models.md",
    )


def _decode(data: bytes) -> tuple[str, int | None]:
    """The text, or where it stops being one."""
    nul = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return "", error.start if nul < 0 else min(nul, error.start)
    return text, None if nul < 0 else nul
