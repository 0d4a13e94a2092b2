"""The tests that CI runs again in its own profile are those that do more there, by whatever way."""

from __future__ import annotations

from pathlib import Path

import pytest
from larger import TESTS, larger, read

HELPER = """
from profiles import amount
def many(): return range(amount(100))
def few(): return range(3)
"""
USES = {
    "itself": "from profiles import some\ndef test_it():\n    assert some([1])",
    "a mark": "from profiles import heavy\n@heavy\ndef test_it(): ...",
    "an argument of a mark": "from profiles import some\nROWS = some([1])\n"
    "@mark(ROWS)\ndef test_it(row): ...",
    "Hypothesis": "from hypothesis import given\nfrom hypothesis import strategies as st\n"
    "@given(st.none())\ndef test_it(x): ...",
    "a function": "from profiles import amount\ndef f(): return amount(3)\ndef test_it():\n    f()",
    "another module": "from helper import many as lots\ndef test_it():\n    lots()",
    "a whole module": "import helper\ndef test_it():\n    helper.few()",
    "an import inside": "def test_it():\n    from helper import many\n    many()",
    "a fixture": "from profiles import amount\n@pytest.fixture\n"
    "def size(): return amount(3)\ndef test_it(size): ...",
    "a fixture for all": "from profiles import amount\n@pytest.fixture(autouse=True)\n"
    "def size(): return amount(3)\ndef test_it(): ...",
    "a mark for all": "from profiles import heavy\npytestmark = [heavy]\ndef test_it(): ...",
    "a list that grows": "from profiles import some\nROWS = []\nfor row in some([1]): ROWS.append(row)\n"
    "def test_it():\n    assert ROWS",
}
NONE = {
    "nothing": "def test_it(): ...",
    "its neighbour": "from profiles import some\nROWS = some([1])\ndef test_it():\n    f(3)\ndef f(x): ...",
    "another name of a module": "from helper import few, many\ndef test_it():\n    few()",
}


def listed(text: str) -> list[str]:
    modules = {"helper": read(HELPER), "test_one": read(text)}
    return list(larger({stem: Path(f"{stem}.py") for stem in modules}, modules))


@pytest.mark.parametrize("how", USES)
def test_it_does_more(how: str) -> None:
    assert listed(USES[how]) == ["test_one.py::test_it"]


@pytest.mark.parametrize("how", NONE)
def test_it_does_the_same(how: str) -> None:
    assert listed(NONE[how]) == []


def test_stems_are_unique() -> None:
    stems = [path.stem for path in TESTS.rglob("*.py") if path.name != "conftest.py"]
    assert len(stems) == len(set(stems))
