"""The reference has what the code has: options of all commands, and names that Python programs use."""

from __future__ import annotations

import argparse
import inspect
import re

import mazurka
import pytest
from mazurka.cli.commands import _parser
from tree import ROOT

COMMANDS = ("check", "replay", "explain", "estimate", "fix", "tune", "litmus", "prove", "models")
OF_OTHERS = {"--std", "--help", "--version"}  # of the compiler; and of all commands
_OPTION = re.compile(r"`(--[a-z][a-z-]*)")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(command: str) -> str:
    """What the page about the command line says of a command; some also take what ``check`` has."""
    parts = re.split(r"^## ", page("reference/cli.md"), flags=re.MULTILINE)
    own = "".join(part for part in parts if f"`mazurka {command}`" in part.partition("\n")[0])
    assert own, f"no section about {command}"
    if command in ("estimate", "fix", "tune"):
        own += section("check")
    return own


def options(command: str) -> set[str]:
    _, parsers = _parser(command, comes_first=True)
    actions = parsers[command]._actions
    shown = [action for action in actions if action.help != argparse.SUPPRESS]
    return {name for action in shown for name in action.option_strings if name.startswith("--")} - {"--help"}


@pytest.mark.parametrize("command", COMMANDS)
def test_each_option_is_on_the_page(command: str) -> None:
    assert options(command) - set(_OPTION.findall(section(command))) == set()


def test_each_option_on_the_page_exists() -> None:
    named = set(_OPTION.findall(page("reference/cli.md")))
    assert named - {option for command in COMMANDS for option in options(command)} - OF_OTHERS == set()


def test_the_page_lists_all_commands() -> None:
    head = page("reference/cli.md").partition("\n## ")[0]
    assert set(re.findall(r"^    mazurka ([a-z]+)", head, re.MULTILINE)) == set(COMMANDS)


def test_each_name_for_python_is_on_a_page() -> None:
    text = page("reference/python.md") + page("python.md")
    assert [name for name in mazurka.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_each_option_for_python_is_on_the_page() -> None:
    keywords = [
        name
        for name, parameter in inspect.signature(mazurka.check).parameters.items()
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY
    ]
    assert keywords
    assert [name for name in keywords if f"`{name}`" not in page("reference/python.md")] == []
