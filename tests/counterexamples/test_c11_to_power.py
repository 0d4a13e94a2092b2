"""The C11-to-POWER counterexample (Z6.U of PLDI 2017): the word, the drawing, the program."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from mazurka.counterexamples import c_program, counterexample, difference, dot, litmus_test, svg, word_text
from mazurka.litmus import parse_litmus_file
from mazurka.litmus.meaning.conditions import Quantifier, atoms
from refutations import figure

# Z6.U, where a value that was written stands for the initial one.
WORD = "[UR.sc];rmw;[UW.sc];co;[W.sc];po;[R.sc];rfe^-1;[W.sc];co;[W.sc];po;[W.rel];rfe"
T1, T2, T3, T4 = (
    ["W.sc x = 3", "R.sc y = 1"],
    ["W.sc y = 1"],
    ["W.sc y = 2", "W.rel x = 1"],
    ["UR.sc x = 1", "UW.sc x = 2"],
)
EVENTS = [*T1, *T2, *T3, *T4]
STEPS = ["rmw", "co", "po", "rfe", "co", "po", "rfe"]  # of the word
OTHERS = ["co", "fr"]  # the halves overwrite what they read, and y is overwritten after it was read


def test_the_word() -> None:
    assert word_text(counterexample(*figure())) == WORD


def test_the_drawing() -> None:
    root = ElementTree.fromstring(svg(counterexample(*figure())))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:2] == [WORD, "x = y = 0 initially"]
    assert texts[2:6] == [f"T{number}" for number in range(1, 5)]
    assert texts[6:13] == EVENTS
    assert sorted(filter(None, texts[13:])) == sorted([*STEPS, *OTHERS])
    marked = [e for e in root.iter("{http://www.w3.org/2000/svg}path") if e.get("stroke-width") == "2.6"]
    assert len(marked) == len(STEPS)


def test_the_dot_file() -> None:
    text = dot(counterexample(*figure()))
    nodes = re.findall(r'(e\d+) \[label="([^"]*)"', text)
    assert [label for _, label in nodes if " = " in label] == EVENTS
    assert len(re.findall(r"-> .* penwidth=2\.6", text)) == len(STEPS)
    assert len(re.findall(r" -> ", text)) == len(STEPS) + len(OTHERS)
    assert text.count("{") == text.count("}") == 5


def test_the_program() -> None:
    """POWER has the outcome, and so has rc11, which was repaired for it; sc and tso do not have it."""
    program = c_program(counterexample(*figure()))
    assert "assert(!(r0 == 1 && r1 == 1 && x == 3 && y == 2));" in program
    assert difference(program, allowing="power", forbidding="sc").shown
    seen = difference(program, allowing="power-weak", forbidding="sc")
    assert (seen.allowing.happens, seen.allowing.why) == (None, "the engine does not run power-weak")
    assert seen.forbidding.happens is False
    assert not seen.shown
    assert not seen.contradicted
    assert difference(program, allowing="rc11", forbidding="tso").shown


def test_the_litmus_test() -> None:
    text = litmus_test(counterexample(*figure()), "C11-to-POWER")
    assert f'"{WORD}"' in text
    test = parse_litmus_file(text, "figure.litmus")
    assert (test.name, [location.name for location in test.locations]) == ("C11-to-POWER", ["x", "y"])
    assert test.condition.quantifier is Quantifier.EXISTS
    outcome = [(str(atom.left), atom.right) for atom in atoms(test.condition.proposition)]
    assert outcome == [("0:r0", 1), ("3:r1", 1), ("x", 3), ("y", 2)]
