"""The C11-to-POWER counterexample (thesis §3.7, figure 3.1): the word, the drawing, the program."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from litmus_reader import read_litmus
from mazurka.counterexamples import c_program, counterexample, difference, dot, litmus_test, svg, word_text
from refutations import figure

# The thesis writes rb for fr.
WORD = "[R.sc];po;[W.rel];rfe;[R.sc];fr;[W.sc];po;[R.sc];fr;[W.sc];rfe"
EVENTS = ["W.sc x = 2", "R.sc y = 0", "W.sc y = 1", "R.sc y = 1", "W.rel x = 1", "R.sc x = 1"]


def test_the_word() -> None:
    assert word_text(counterexample(*figure())) == WORD


def test_no_event_can_be_weaker() -> None:
    query, refuted = figure()
    assert counterexample(query, refuted).graph.kinds == refuted.graph.kinds


def test_the_drawing() -> None:
    root = ElementTree.fromstring(svg(counterexample(*figure())))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:2] == [WORD, "x = y = 0 initially"]
    assert texts[2:6] == [f"T{number}" for number in range(1, 5)]
    assert texts[6:12] == EVENTS
    assert sorted(filter(None, texts[12:])) == ["co", "fr", "fr", "po", "po", "rfe", "rfe"]
    marked = [e for e in root.iter("{http://www.w3.org/2000/svg}path") if e.get("stroke-width") == "2.6"]
    assert len(marked) == 6


def test_the_dot_file() -> None:
    text = dot(counterexample(*figure()))
    nodes = re.findall(r'(e\d+) \[label="([^"]*)"', text)
    assert [label for _, label in nodes if " = " in label] == EVENTS
    assert len(re.findall(r"-> .* penwidth=2\.6", text)) == 6
    assert len(re.findall(r" -> ", text)) == 7
    assert text.count("{") == text.count("}") == 5


def test_the_program() -> None:
    """POWER is not run; sc and tso do not have the outcome, and rc11, which was repaired for it, has."""
    program = c_program(counterexample(*figure()))
    assert "assert(!(r0 == 0 && r1 == 1 && r2 == 1 && x == 2));" in program
    seen = difference(program, allowing="power", forbidding="sc")
    assert (seen.allowing.happens, seen.allowing.why) == (None, "the engine does not run power")
    assert seen.forbidding.happens is False
    assert not seen.shown
    assert not seen.contradicted
    assert difference(program, allowing="rc11", forbidding="tso").shown


def test_the_litmus_test() -> None:
    test = read_litmus(litmus_test(counterexample(*figure()), "C11-to-POWER"))
    assert (test.name, test.word, test.places) == ("C11-to-POWER", WORD, ["x", "y"])
    assert test.outcome == [(0, "r0", 0), (2, "r1", 1), (3, "r2", 1), (None, "x", 2)]
