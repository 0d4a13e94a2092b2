"""From the name of a model, or a model file, to what the engine runs for one program.

Two steps, each kept on disk (``cache.disk``): a model is read and checked (``choose_model``), then planned
for the classes of events that the program can make (``plan_for``), which is often simpler.

I1: where both are kept, nothing of the model language is loaded.
I2: the key, the mapping and the plan of one check come from one reading of the files (``ChosenModel.texts``).
I3: ``ReadyPlan.axioms`` and ``ReadyPlan.rules`` are in the order in which the engine numbers them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from mazurka.cache import disk, model_key
from mazurka.errors import ErrorCode, ModelError, Place

if TYPE_CHECKING:
    from pathlib import Path

    from mazurka.kat.meaning import plan, terms

DEFAULT_MODEL = "rc11"
_PART = "-base"  # how files end that models share: they state no axioms
_SIMPLIFIED = "simplified: "  # how the planner begins such a reason


class Rule(NamedTuple):
    """An error rule: its name, the kind of its violations, and the order that it asks for."""

    name: str
    kind: str
    warning: bool
    order: str


class ChosenModel(NamedTuple):
    """A model that may be run. ``given`` is what the user called it; ``own`` says that it is a file."""

    given: str
    path: str
    own: bool
    key: str
    name: str
    title: str
    mapping: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    texts: model_key.Texts  # its files (I2)


class ReadyPlan(NamedTuple):
    """A Plan as bytes, with the names that the engine does not know."""

    code: bytes
    axioms: tuple[str, ...]
    rules: tuple[Rule, ...]
    simplified: str | None
    gaps: bool = False  # its causal order is smaller than po
    synchronises: bool = False  # its happens-before (hb) asks for releases: a mere read orders nothing


def shipped_models() -> list[str]:
    """The names of the models that come with Mazurka: files that state axioms."""
    from mazurka.kat.language.load import MODELS, load_model

    names = sorted(file.stem for file in MODELS.glob("*.kat"))
    return [name for name in names if load_model(MODELS / f"{name}.kat", require_axioms=False).axioms]


def model_file(given: str | os.PathLike[str]) -> tuple[str, bool]:
    """The file of a model, and whether it is the user's own; unknown names are errors."""
    text = os.fspath(given)
    if text.endswith(".cat"):
        raise ModelError(
            ErrorCode.BAD_MODEL,
            "model files in the cat language are not supported yet",
            place=Place(text),
            hint="write the model as a .kat file: docs/reference/models.md describes the language",
        )
    if "/" in text or os.sep in text or text.endswith(".kat"):
        from pathlib import Path

        return str(Path(text)), True
    path = os.path.join(model_key.MODELS, f"{text}.kat")
    if text and os.path.isfile(path) and not text.endswith(_PART):
        return path, False
    raise _unknown_model(text)


def _unknown_model(text: str) -> ModelError:
    import difflib

    known = shipped_models()
    near = difflib.get_close_matches(text.lower(), known, n=2, cutoff=0.5)
    meant = f"did you mean {' or '.join(repr(name) for name in near)}? " if near else ""
    return ModelError(
        ErrorCode.UNKNOWN_MODEL,
        f"there is no model '{text}'",
        hint=f"{meant}the models are: {', '.join(known)}; give your own by its path, such as ./mine.kat",
    )


def choose_model(given: str | os.PathLike[str], *, unchecked: bool = False) -> ChosenModel:
    """Reads a model and checks that it may be run; ``unchecked`` turns what is not shown into warnings."""
    path, own = model_file(given)
    texts = model_key.read(path)
    key = f"{model_key.key_of(path, texts)}-{'unchecked' if unchecked else 'checked'}"
    kept = disk.load(key)
    name, title, mapping, warnings = (kept and _read(kept)) or _read_anew(path, texts, key, unchecked)
    return ChosenModel(os.fspath(given), path, own, key, name, title, mapping, warnings, texts)


def unread_model(given: str | os.PathLike[str]) -> ChosenModel:
    """A model of which only the name is known, for an answer that came before it was read."""
    path, own = model_file(given)
    name = os.path.basename(path).removesuffix(".kat")
    return ChosenModel(os.fspath(given), path, own, "", name, "", (), (), {})


_Facts = tuple[str, str, tuple[tuple[str, str], ...], tuple[str, ...]]  # name, title, mapping, warnings


def _read(entry: dict[str, Any]) -> _Facts | None:
    """What an entry says of a model; None if it has another shape."""
    try:
        mapping = tuple((kind, text) for kind, text in entry["mapping"])
        return str(entry["name"]), str(entry["title"]), mapping, tuple(entry["warnings"])
    except (KeyError, TypeError, ValueError):
        return None


def read_and_plan(
    path: str, *, texts: model_key.Texts | None = None, unchecked: bool = False
) -> tuple[terms.Model, plan.Plan]:
    """A model and its Plan for any program; an error shows the line of the model that is at fault."""
    from mazurka.kat.language.load import load_model
    from mazurka.soundness.requirements import plan_model

    try:
        model = load_model(path, texts=_by_path(texts))
        return model, plan_model(model, unchecked=unchecked)
    except ModelError as error:
        error.snippet = error.snippet or _line(error.place)
        raise


def _by_path(texts: model_key.Texts | None) -> dict[Path, bytes | None] | None:
    from pathlib import Path  # late: a check whose plan is kept does without

    return None if texts is None else {Path(file): text for file, text in texts.items()}


def _line(place: Place | None) -> str | None:
    """The line of a place with a caret under its column."""
    if place is None or not place.line:
        return None
    from pathlib import Path

    from mazurka.excerpts import excerpt

    try:
        line = Path(place.file).read_text(encoding="utf-8-sig").splitlines()[place.line - 1]
    except (OSError, ValueError, IndexError):
        return None
    return "\n".join(f"    {text}" for text in excerpt(line, place.column)) if line.strip() else None


def _read_anew(path: str, texts: model_key.Texts, key: str, unchecked: bool) -> _Facts:
    model, planned = read_and_plan(path, texts=texts, unchecked=unchecked)
    warnings = planned.warnings
    entry = {
        "name": model.name,
        "title": model.title,
        "mapping": [list(rule) for rule in model.mapping],
        "warnings": list(warnings),
    }
    disk.store(key, entry)
    return model.name, model.title, model.mapping, warnings


def plan_for(model: ChosenModel, classes: int | None) -> ReadyPlan:
    """The Plan for programs whose events are of these classes; None is the model as it stands."""
    key = f"{model.key}-{'all' if classes is None else format(classes, 'x')}"
    return _ready(disk.load(key)) or _planned(model, classes, key)


def _planned(model: ChosenModel, classes: int | None, key: str) -> ReadyPlan:
    from mazurka.kat.language.load import load_model
    from mazurka.kat.meaning.terms import Primitive, mentions
    from mazurka.kat.planning.planner import tables_of
    from mazurka.kat.planning.simplify import simplify

    stated = load_model(model.path, texts=_by_path(model.texts))
    made = tables_of(stated) if classes is None else simplify(stated, classes)
    ready = ReadyPlan(
        made.encode(),
        tuple(axiom.name for axiom in made.axioms),
        tuple(Rule(r.name, r.kind, r.warning, made.views[r.view].name) for r in made.errors),
        None if classes is None else _simplification(stated, made),
        made.preserved is not None,
        mentions(stated.views.get("hb"), Primitive("REL")),
    )
    entry = {
        "code": ready.code.hex(),
        "axioms": list(ready.axioms),
        "rules": [[rule.name, rule.kind, rule.warning, rule.order] for rule in ready.rules],
        "simplified": ready.simplified,
        "gaps": ready.gaps,
        "synchronises": ready.synchronises,
    }
    disk.store(key, entry)
    return ready


def _ready(entry: dict[str, Any] | None) -> ReadyPlan | None:
    if entry is None:
        return None
    try:
        rules = tuple(Rule(*rule) for rule in entry["rules"])
        code, axioms = bytes.fromhex(entry["code"]), tuple(entry["axioms"])
        flags = bool(entry["gaps"]), bool(entry["synchronises"])
        return ReadyPlan(code, axioms, rules, entry["simplified"] or None, *flags)
    except (KeyError, TypeError, ValueError):
        return None


def _simplification(model: terms.Model, made: plan.Plan) -> str | None:
    """What was left out because the program's events cannot need it, in words."""
    if len(model.axioms) == len(made.axioms) == 1:
        return None  # one axiom for one: nothing was saved that a reader would miss
    merged = [axiom.reason for axiom in made.axioms if axiom.reason.startswith(_SIMPLIFIED)]
    if merged:
        return "; ".join(reason.removeprefix(_SIMPLIFIED) for reason in merged)
    found = []
    for name, reason in made.dropped:
        if reason.startswith(_SIMPLIFIED):
            found.append(f"{name} is not checked: {reason.removeprefix(_SIMPLIFIED)}")
        elif reason.startswith("no two events"):
            found.append(f"{name} is not checked: no two events of this program are related in this way")
    return "; ".join(found) or None
