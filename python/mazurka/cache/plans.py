"""From the name of a model, or a model file, to what the engine runs for one program.

Two steps, each kept on disk (``cache.disk``): a model is read and checked (``choose_model``), then planned
for the classes of events that the program can make (``plan_for``), which is often simpler.

I1: if both are in the cache, no part of the model language is loaded.
I2: the key, the mapping and the plan of one check come from one reading of the files (``ModelSource``).
I3: ``ReadyPlan.axioms`` and ``ReadyPlan.rules`` are in the order in which the engine numbers them.
I4: one check parses a model at most once, asks once whether it may be run, and plans it once, for the
program's classes (tests/cli/test_cold_check.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from mazurka.cache import disk, model_key
from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.models.registry import ModelFile, find_any, find_runnable, flags_of

if TYPE_CHECKING:
    from mazurka.kat.meaning import plan, terms

_OF_PLAIN = "of plain accesses"
_SIMPLIFIED = "simplified: "  # the planner's reasons for simplifications begin with this


class ReadyRule(NamedTuple):
    """An error rule: its name, the kind of its violations, and the order that it requires."""

    name: str
    kind: str
    warning: bool
    order: str


class ModelSource:
    """The files of a model as they were read for one check, parsed when needed (I2, I4)."""

    def __init__(self, path: str, texts: model_key.Texts) -> None:
        self.path = path
        self.texts = texts

    @cached_property
    def model(self) -> terms.Model:
        """What the files state."""
        from pathlib import Path  # late: a check whose plan is in the cache does not need it

        from mazurka.kat.language.load import load_model

        with _errors_with_their_line():
            return load_model(self.path, texts={Path(file): text for file, text in self.texts.items()})


class ChosenModel(NamedTuple):
    """A model that may be run. ``given`` is what the user called it; ``own``: it is a file of the user's."""

    given: str
    path: str
    own: bool
    key: str
    name: str
    title: str
    mapping: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    source: ModelSource
    keeps_rounds: str | None = None  # why rounds that changed nothing cannot be left out


class RulesModel(NamedTuple):
    """A model whose error rules are to be checked under another one."""

    name: str
    key: str
    source: ModelSource


class ReadyPlan(NamedTuple):
    """A Plan as bytes, with the names that the engine does not know."""

    code: bytes
    axioms: tuple[str, ...]
    rules: tuple[ReadyRule, ...]
    simplified: str | None
    gaps: bool = False  # its causal order is smaller than po
    synchronises: bool = False  # its happens-before (hb) requires releases: a read alone orders nothing
    rules_of: str = ""  # the model that its error rules are of, if that is another one
    tells_sizes: bool = True  # its model says what accesses of several sizes mean
    names_dependencies: bool = False  # some relation of its model needs them, whether the engine does or not


def choose_model(
    given: str | os.PathLike[str],
    *,
    unchecked: bool = False,
    looks_for_errors: bool = True,
    file: ModelFile | None = None,
) -> ChosenModel:
    """Reads a model and checks that it may be run; ``unchecked`` turns unmet requirements into warnings.

    Without ``looks_for_errors`` its error rules may be of any form, because they will not be planned.
    ``file`` is the model's, if it is not one of those that programs can be checked under.
    """
    path, own = file or find_runnable(given)
    source = ModelSource(path, model_key.read(path))
    key = f"{model_key.key_of(path, source.texts)}-{'unchecked' if unchecked else 'checked'}"
    key += "" if looks_for_errors else "-lenient"
    kept = disk.load(key)
    facts = (kept and _read(kept)) or _read_anew(source, key, unchecked, looks_for_errors)
    name, title, mapping, warnings, keeps = facts
    return ChosenModel(os.fspath(given), path, own, key, name, title, mapping, warnings, source, keeps)


def choose_rules(given: str | os.PathLike[str]) -> RulesModel:
    """Reads a model for its error rules; it need not be one that programs can be checked under."""
    path = find_any(given).path
    source = ModelSource(path, model_key.read(path))
    key = f"{model_key.key_of(path, source.texts)}-rules"
    entry = disk.load(key)
    if entry is None or "name" not in entry:
        from mazurka.soundness.expressible import refuse_rules

        with _errors_with_their_line():
            refuse_rules(source.model)
        if not source.model.errors:
            message = f"the model '{source.model.name}' has no rules about races or other errors"
            hint = "name one that has some, such as rc11, or use --races off"
            raise ModelError(ErrorCode.BAD_VALUE, message, hint=hint)
        entry = {"name": source.model.name}
        disk.store(key, entry)
    return RulesModel(str(entry["name"]), key, source)


def unread_model(given: str | os.PathLike[str]) -> ChosenModel:
    """A model of which only the name is known, for an answer given before the model is read."""
    path, own = find_runnable(given)
    name = os.path.basename(path).removesuffix(".kat").removesuffix(".cat")
    return ChosenModel(os.fspath(given), path, own, "", name, "", (), (), ModelSource(path, {}))


# Name, title, mapping, warnings, why rounds cannot be left out.
_Facts = tuple[str, str, tuple[tuple[str, str], ...], tuple[str, ...], str | None]


def _read(entry: dict[str, Any]) -> _Facts | None:
    """What an entry says about a model; None if it has another shape."""
    try:
        mapping = tuple((kind, text) for kind, text in entry["mapping"])
        warnings = tuple(entry["warnings"])
        return str(entry["name"]), str(entry["title"]), mapping, warnings, entry["keeps_rounds"]
    except (KeyError, TypeError, ValueError):
        return None


def read_and_plan(path: str, *, unchecked: bool = False) -> tuple[terms.Model, plan.Plan]:
    """A model and its Plan for any program; errors show the faulty line of the model."""
    from mazurka.soundness.requirements import plan_model

    model = ModelSource(path, model_key.read(path)).model
    with _errors_with_their_line():
        return model, plan_model(model, unchecked=unchecked)


def _read_anew(source: ModelSource, key: str, unchecked: bool, looks_for_errors: bool) -> _Facts:
    from dataclasses import replace

    from mazurka.soundness.removal import why_not_removable
    from mazurka.soundness.requirements import check_model

    model = source.model
    with _errors_with_their_line():
        checked = model if looks_for_errors else replace(model, errors=())
        warnings = check_model(checked, unchecked=unchecked)
    keeps_rounds = why_not_removable(model)
    entry = {
        "name": model.name,
        "title": model.title,
        "mapping": [list(rule) for rule in model.mapping],
        "warnings": list(warnings),
        "keeps_rounds": keeps_rounds,
    }
    disk.store(key, entry)
    return model.name, model.title, model.mapping, warnings, keeps_rounds


@contextmanager
def _errors_with_their_line() -> Iterator[None]:
    """Adds the faulty line to errors about a model."""
    try:
        yield
    except ModelError as error:
        error.snippet = error.snippet or _line(error.place)
        raise


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


def plan_for(
    model: ChosenModel,
    classes: int | None,
    *,
    mixed_sizes: bool = False,
    looks_for_errors: bool = True,
    rules: RulesModel | None = None,
) -> ReadyPlan:
    """The Plan for programs whose events are of these classes; None asks for the Plan for any program.

    With ``mixed_sizes`` it is for accesses of several sizes to the same bytes. Without ``looks_for_errors``
    it has the model's axioms, but not its error rules; ``rules`` has some in their place.
    """
    key = f"{model.key}-{'all' if classes is None else format(classes, 'x')}{'-mixed' * mixed_sizes}"
    key += "" if looks_for_errors else "-axioms"
    if rules is None:
        return _ready(disk.load(key)) or _planned(model, classes, key, mixed_sizes, looks_for_errors)
    key += f"-{rules.key}"
    return _ready(disk.load(key)) or _planned(model, classes, key, mixed_sizes, False, rules)


def flags_for(model: ChosenModel, classes: int | None) -> ReadyPlan | None:
    """The Plan whose axioms say which executions are flagged; None if the model has none.

    Its axioms are also its rules: what breaks one is a race. So nothing is flagged without a plain access.
    """
    file = None if model.own else flags_of(model.name)
    if file is None:
        return None
    from mazurka.kat.meaning.classes import PREDICATES

    if classes is not None and not classes & PREDICATES["NA"]:
        return None
    plan = plan_for(choose_model(model.name, looks_for_errors=False, file=file), classes)
    return plan._replace(rules=tuple(ReadyRule(name, "race", False, _OF_PLAIN) for name in plan.axioms))


def forbids_stale_reads(model: ChosenModel, *, ordered: bool) -> bool:
    """What ``soundness.stale_reads`` says about the model."""
    key = f"{model.key}-stale-{'ordered' if ordered else 'all'}"
    entry = disk.load(key)
    if entry is None or "forbidden" not in entry:
        from mazurka.soundness import stale_reads

        entry = {"forbidden": stale_reads.forbids_stale_reads(model.source.model, ordered=ordered)}
        disk.store(key, entry)
    return bool(entry["forbidden"])


def _planned(
    model: ChosenModel,
    classes: int | None,
    key: str,
    mixed_sizes: bool,
    looks_for_errors: bool,
    rules: RulesModel | None = None,
) -> ReadyPlan:
    from dataclasses import replace

    from mazurka.kat.meaning.facts import DEPENDENCIES
    from mazurka.kat.meaning.parts import relations_of
    from mazurka.kat.meaning.terms import Primitive, mentions
    from mazurka.kat.planning.planner import tables_of
    from mazurka.kat.planning.simplify import simplify

    stated = model.source.model
    if not looks_for_errors:
        stated = replace(stated, errors=())
    if classes is None:
        made = tables_of(stated, mixed_sizes=mixed_sizes)
    else:
        made = simplify(stated, classes, mixed_sizes=mixed_sizes)
    if rules is not None:
        from mazurka.kat.planning.computed import with_rules_of

        made = with_rules_of(made, rules.source.model)
    ordered_by = stated if rules is None else rules.source.model
    ready = ReadyPlan(
        made.encode(),
        tuple(axiom.name for axiom in made.axioms),
        tuple(ReadyRule(r.name, r.kind, r.warning, made.order_of(r)) for r in made.errors),
        None if classes is None else _simplification(stated, made),
        made.preserved is not None,
        mentions(ordered_by.views.get("hb"), Primitive("REL")),
        "" if rules is None else rules.name,
        stated.ppo is None or (bool(stated.pieces) and not stated.errors and rules is None),
        not DEPENDENCIES.isdisjoint(relations_of(stated)),
    )
    entry = {
        "code": ready.code.hex(),
        "axioms": list(ready.axioms),
        "rules": [[rule.name, rule.kind, rule.warning, rule.order] for rule in ready.rules],
        "simplified": ready.simplified,
        "gaps": ready.gaps,
        "synchronises": ready.synchronises,
        "rules_of": ready.rules_of,
        "tells_sizes": ready.tells_sizes,
        "names_dependencies": ready.names_dependencies,
    }
    disk.store(key, entry)
    return ready


def _ready(entry: dict[str, Any] | None) -> ReadyPlan | None:
    if entry is None:
        return None
    try:
        rules = tuple(ReadyRule(*rule) for rule in entry["rules"])
        code, axioms = bytes.fromhex(entry["code"]), tuple(entry["axioms"])
        flags = bool(entry["gaps"]), bool(entry["synchronises"])
        of_model = bool(entry["tells_sizes"]), bool(entry["names_dependencies"])
        rules_of = str(entry["rules_of"])
        return ReadyPlan(code, axioms, rules, entry["simplified"] or None, *flags, rules_of, *of_model)
    except (KeyError, TypeError, ValueError):
        return None


def _simplification(model: terms.Model, made: plan.Plan) -> str | None:
    """Describes which checks were left out because the program's events do not need them."""
    if len(model.axioms) == len(made.axioms) == 1:
        return None  # one axiom before and one after: not worth mentioning
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
