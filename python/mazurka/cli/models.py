"""What ``mazurka models`` prints: the table of models, one model's page, and how the engine checks it.

``mazurka explain`` is here, too: what a name means may be a page of the documentation, a model or an axiom.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

from mazurka.cache.plans import read_and_plan
from mazurka.cli.terminal import has_colour, print_text, width
from mazurka.kat.language.load import load_model, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.show import show, show_inclusion
from mazurka.kat.planning.explain import explain
from mazurka.models.registry import (
    DEFAULT_MODEL,
    all_models,
    find_any,
    find_runnable,
    machine_models,
    runnable_models,
)

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


def run_explain(name: str) -> int:
    """Prints what a name means, or all names if none is given; returns the exit status."""
    from mazurka.pages import index, page_about, unknown
    from mazurka.pages.plain import plain

    text = page_about(name) if name else index()
    if text is not None:
        text = plain(text, width(), colour=has_colour(sys.stdout))
    elif name in all_models():
        text = page(name)
    else:
        text = _about_axiom(name)
    if text is None:
        raise unknown(name, all_models())
    print_text(text)
    return 0


def _about_axiom(name: str) -> str | None:
    """What an axiom says in each of the models that have it."""
    lines = [
        _wrapped(f"  {model}: {axiom.kind} {show(axiom.relation)}")
        for model in [*runnable_models(), *machine_models()]
        for axiom in named_model(model).axioms
        if axiom.name == name
    ]
    head = f"'{name}' is an axiom of these models: every execution satisfies it."
    return "\n".join([head, *lines, ""]) if lines else None


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
