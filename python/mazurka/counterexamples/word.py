"""Words in the notation of the model language: ``[R.sc];po;[W.rel];rfe``, an event by its kind and mode."""

from __future__ import annotations

from mazurka.counterexamples.execution import Counterexample
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import show

_UPDATES = {"rmw": "U{}", "failed": "UX"}


def word_text(example: Counterexample) -> str:
    """The word, with the weakest events that work; a cyclic word ends before its first event."""
    shown = []
    for first, step, _ in example.steps():
        shown += [f"[{event_name(example, first)}]", show((step.relation, step.inverse))]
    if not example.cyclic or not example.word:
        shown.append(f"[{event_name(example, example.path[-1])}]")
    return ";".join(shown)


def event_name(example: Counterexample, event: int, *, with_mode: bool = False) -> str:
    """An event's kind, with its mode if that matters or is asked for, and its other predicates."""
    shown = example.events[event]
    name = _UPDATES.get(shown.form, "{}").format(shown.kind)
    extra = "".join(f".{name}" for name in sorted(example.graph.kinds[event].extra))
    # A read-modify-write is atomic, so relaxed ones are the weakest.
    weakest = event in example.any_mode or (shown.form in _UPDATES and shown.mode == "rlx")
    if not shown.mode or (weakest and not with_mode):
        return name + extra
    return f"{name}.{shown.mode}{extra}"


def word_term(example: Counterexample) -> terms.Relation:
    """The word as a term, with tests that its events pass."""
    parts: list[terms.Relation] = []
    for first, step, _ in example.steps():
        parts += [_guard(example, first), _relation(step.relation, step.inverse)]
    parts.append(_guard(example, example.path[0] if example.cyclic else example.path[-1]))
    whole = parts[0]
    for part in parts[1:]:
        whole = terms.Sequence(whole, part)
    return whole


def _guard(example: Counterexample, event: int) -> terms.Guard:
    names = event_name(example, event).split(".")
    if names[1:2] == ["acqrel"]:
        names[1:2] = ["ACQ", "REL"]
    test: terms.Test = terms.Primitive(names[0])
    for name in names[1:]:
        test = terms.Both(test, terms.Primitive(name.upper() if name.islower() else name))
    return terms.Guard(test)


def _relation(name: str, inverse: bool) -> terms.Relation:
    return terms.Inverse(terms.Base(name)) if inverse else terms.Base(name)
