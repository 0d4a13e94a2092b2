"""What ``mazurka models`` prints: the table of models, one model's page, and how the engine checks it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from mazurka.cache.plans import read_and_plan
from mazurka.kat.language.load import load_model, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.show import show, show_inclusion
from mazurka.kat.planning.explain import explain
from mazurka.models.registry import DEFAULT_MODEL, find_any, find_runnable, machine_models, runnable_models

WIDTH = 100


def listing() -> str:
    """One line per model: its name and its title."""
    names = [*runnable_models(), *machine_models()]
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {_title(named_model(name), name)}" for name in names]
    return "\n".join(lines) + "\n"


def _title(model: terms.Model, name: str) -> str:
    return f"{model.title} (default)" if name == DEFAULT_MODEL else model.title


def page(given: str) -> str:
    """A model: its comment, what it cites, its definitions, axioms and rules."""
    path = find_any(given).path
    model = load_model(path)
    lines = [f"{model.name}: {model.title}" if model.title else model.name, f"file: {path}"]
    blocks = [_comment(Path(path))]
    blocks.append([_wrapped(f"cites {text}", "      ") for text in model.citations])
    blocks.append([_wrapped(f"view {name} = {show(body)}") for name, body in model.views.items()])
    for axiom in model.axioms:
        blocks.append([f"axiom {axiom.name}", _wrapped(f"    {axiom.kind} {show(axiom.relation)}")])
    for rule in model.errors:
        kind = "warning" if rule.warning else "error"
        blocks.append([f"{kind} {rule.name}", _wrapped(f"    unless {show_inclusion(rule.constraint)}")])
    blocks.append([f'map {kind} "{text}"' for kind, text in model.mapping])
    for block in blocks:
        lines += ["", *block] if block else []
    return "\n".join(lines) + "\n"


def explained(given: str, *, unchecked: bool = False) -> str:
    """Which check the engine runs for each axiom, and why."""
    model, plan = read_and_plan(find_runnable(given).path, unchecked=unchecked)
    return explain(plan, model)


def _comment(path: Path) -> list[str]:
    """The comment that a file begins with."""
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return lines


def _wrapped(text: str, indent: str = "        ") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
