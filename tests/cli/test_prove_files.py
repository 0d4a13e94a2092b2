"""``mazurka prove FILE.kat``: what it prints and returns, and what it says about files without assertions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import Ran, write
from mazurka.cli import commands
from mazurka.prover import Answer, Query, decide
from mazurka.prover.questions import asking

SECONDS = re.compile(r"\d+\.\d+ s")
TRUE = "assert rf ; fr <= co\n"
FALSE = "assert irreflexive [W] ; po ; [W] ; co\n"
OUTSIDE = "assert po & rfe <= co\n"  # true, but an intersection of relations, which no automaton has


class Prove:
    """The command, in a directory of its own."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.directory, self._capsys = directory, capsys

    def __call__(self, text: str | bytes, *options: str) -> Ran:
        data = text.encode() if isinstance(text, str) else text
        (self.directory / "claims.kat").write_bytes(data)
        return self.run("claims.kat", *options)

    def run(self, *arguments: str) -> Ran:
        status = commands.main(["prove", *arguments])
        printed = self._capsys.readouterr()
        return Ran(status, SECONDS.sub("0 s", printed.out), printed.err)


@pytest.fixture
def prove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Prove:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return Prove(tmp_path, capsys)


def test_what_is_proved(prove: Prove) -> None:
    ran = prove("assume acyclic po | rf | co | fr\nassert acyclic po | rf\n\n" + TRUE)
    assert ran.status == 0
    assert ran.out == (
        "claims.kat:2: acyclic po | rf\n  proved in 0 s from line 1\n"
        "claims.kat:4: rf ; fr <= co\n  proved in 0 s\n2 proved\n"
    )


def test_what_is_refuted_has_its_cycle_and_an_execution(prove: Prove) -> None:
    ran = prove(FALSE)
    assert ran.status == 1
    assert "refuted in 0 s by an execution with the cycle\n    [W] ; po ; [W] ; co\n" in ran.out
    # One thread writes twice, and the first of its writes is the last in coherence order.
    assert "    T1\n    ───────\n    W x = 2\n    W x = 1\n" in ran.out


def test_a_path_that_one_side_lacks(prove: Prove) -> None:
    ran = prove("relation r relation s\nassert r <= s\nassert s = r ; r | s\n")
    assert ran.status == 1
    assert "a path of the left side that the right side does not have\n    [R] ; r ; [R]\n" in ran.out
    assert (
        "a path of the right side that the left side does not have\n    [R] ; r ; [R] ; r ; [R]\n" in ran.out
    )
    assert "r: a → b\n" in ran.out


def test_modes_are_shown_where_they_matter(prove: Prove) -> None:
    ran = prove("assert [W & REL] ; po ; [R] <= po-loc\nassert [W] ; po <= po-loc\n")
    assert "[W.rel] ; po ; [R]" in ran.out
    assert "W.rel x = 1" in ran.out
    assert "[W] ; po ; [R]" in ran.out


def test_dependencies_are_shown(prove: Prove) -> None:
    ran = prove("assert ctrl ; [W] <= po-loc\n")
    assert "a: R x = 0\n    b: W y = 1\n    ctrl: a → b\n" in ran.out


def test_what_is_unknown_says_what_is_missing(prove: Prove) -> None:
    ran = prove(TRUE + OUTSIDE)
    assert ran.status == 3
    assert "unknown after 0 s: " in ran.out
    assert "\n  - an intersection of po and rfe\n" in ran.out
    assert ran.out.endswith("\n1 proved, 1 unknown\n")


def test_a_refutation_outweighs_what_is_unknown(prove: Prove) -> None:
    ran = prove(OUTSIDE + FALSE)
    assert ran.status == 1
    assert ran.out.endswith("\n1 refuted, 1 unknown\n")


def test_several_files(prove: Prove) -> None:
    write(prove.directory, TRUE, "one.kat")
    write(prove.directory, FALSE, "two.kat")
    ran = prove.run("one.kat", "two.kat")
    assert ran.status == 1
    assert re.findall(r"^\w+\.kat:\d+", ran.out, re.MULTILINE) == ["one.kat:1", "two.kat:1"]


def test_the_claim_is_quoted_as_it_stands(prove: Prove) -> None:
    text = "assert  acyclic po |\n    // why not\n  rf /* or */ | (co|fr)\nlet eco = rf\nassert eco <= eco\n"
    assert "claims.kat:1: acyclic po | rf | (co|fr)\n" in prove(text).out
    assert "claims.kat:5: eco <= eco\n" in prove(text).out


def test_lines_that_follow_each_other_are_a_range(prove: Prove) -> None:
    assumed = {name: f"relation {name} assume {name} <= co\n" for name in "abcdefg"}
    write(prove.directory, "".join(assumed[name] for name in "abc"), "facts.kat")
    own = "".join(assumed[name] for name in "def")
    ran = prove(f'include "facts.kat"\n{own}\n{assumed["g"]}assert {" | ".join(assumed)} <= co\n')
    assert "proved in 0 s from lines 2-4, 6 and facts.kat:1-3\n" in ran.out


def test_long_lists_of_pairs_are_wrapped(prove: Prove) -> None:
    ran = prove("relation r\nassume r ; r <= r\nassert r ; r ; r ; r ; r ; r ; r ; po <= r\n")
    assert "    r: a → b, a → c, " in ran.out
    assert not re.search(r"[a-z] →?$", ran.out, re.MULTILINE), "no pair is broken"
    assert all(len(line) <= 100 for line in ran.out.splitlines() if "→" in line)


def test_an_assumption_of_another_file_is_named(prove: Prove) -> None:
    write(prove.directory, "assume acyclic po | rf\n", "facts.kat")
    ran = prove('include "facts.kat"\nassume irreflexive co\nassert acyclic rf | po\n')
    assert "proved in 0 s from facts.kat:1\n" in ran.out


# Limits -------------------------------------------------------------------------------------------------


def test_the_time_limit_leaves_the_rest_unknown(prove: Prove) -> None:
    ran = prove(TRUE + FALSE, "--time-limit", "1e-9")
    assert ran.status == 3
    assert ran.out.count("unknown: the time limit was reached\n") == 2
    assert ran.out.endswith("2 unknown\n")


def test_an_interruption_prints_what_was_decided(prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Query] = []

    def interrupted(query: Query, *, allow_unused: bool, **_limits: float | None) -> Answer:
        asked.append(query)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return decide(query, allow_unused=allow_unused)

    monkeypatch.setattr(asking, "decide", interrupted)
    ran = prove(TRUE * 3)
    assert ran.status == 3
    assert len(asked) == 2
    assert ran.out.count("  unknown: interrupted\n") == 2
    assert ran.out.endswith("1 proved, 2 unknown\n")


@pytest.mark.parametrize("limit", ["0", "-1", "inf", "nan"])
def test_a_time_limit_is_a_time(prove: Prove, limit: str) -> None:
    ran = prove(TRUE, "--time-limit", limit)
    assert ran.status == 2
    assert "[bad-value]" in ran.err


# Assumptions that cannot be used ------------------------------------------------------------------------

UNUSED = "relation r\nassume po & r <= co\nassert po <= po\n"


def test_an_assumption_that_cannot_be_used_is_an_error(prove: Prove) -> None:
    ran = prove(UNUSED)
    assert ran.status == 2
    assert ran.err.startswith("claims.kat:2:1: error: this assumption cannot be used")
    assert "\n    assume po & r <= co\n    ^^^^^^\n" in ran.err
    assert "--allow-unused" in ran.err


def test_unless_it_is_allowed(prove: Prove) -> None:
    ran = prove(UNUSED, "--allow-unused")
    assert ran.status == 0
    assert "proved in 0 s\n" in ran.out  # and not from line 2


# JSON ---------------------------------------------------------------------------------------------------


def test_json_is_a_list_with_one_object_a_claim(prove: Prove) -> None:
    ran = prove(f"assume po <= po\n{TRUE}{FALSE}{OUTSIDE}", "--json", "-")
    found = json.loads(ran.out)
    assert [each["result"] for each in found] == ["proved", "refuted", "unknown"]
    assert [each["name"] for each in found] == ["claims.kat:2", "claims.kat:3", "claims.kat:4"]
    proved, refuted, unknown = found
    assert proved["counterexample"] is None
    assert proved["claim"] == "rf ; fr <= co"
    assert proved["assumptions"] == []
    assert proved["assumptions_exact"] is True
    assert proved["assumptions_satisfiable"] is True
    assert unknown["missing"] == ["an intersection of po and rfe"]
    assert all(isinstance(each["seconds"], float) for each in found)
    shown = refuted["counterexample"]
    assert shown["word"] == "[W];po;[W];co"
    assert [step["relation"] for step in shown["steps"]] == ["po", "co"]
    assert shown["cyclic"]


def test_the_graph_in_json_is_whole(prove: Prove) -> None:
    (found,) = json.loads(prove(FALSE, "--json", "-").out)
    graph = found["counterexample"]["graph"]
    events = graph["events"]
    (first, second), *others = graph["relations"]["po"]
    assert not others
    assert [second, first] in graph["relations"]["co"]
    assert (events[first]["value"], events[second]["value"]) == (2, 1)
    assert {event["location"] for event in events} == {"x"}
    assert [event["thread"] for event in events if event["class"] == "INIT"] == [None]


def test_json_to_a_file_comes_besides_the_text(prove: Prove) -> None:
    ran = prove(TRUE, "--json", "answers.json")
    assert "1 proved" in ran.out
    assert json.loads((prove.directory / "answers.json").read_text())[0]["result"] == "proved"


def test_an_error_is_in_the_json(prove: Prove) -> None:
    ran = prove("assert po <= poo\n", "--json", "-")
    assert ran.status == 2
    assert json.loads(ran.out)["error"]["location"] == {"file": "claims.kat", "line": 1, "column": 14}


# The counterexample in files ----------------------------------------------------------------------------


def test_the_counterexample_in_files(prove: Prove) -> None:
    files = {
        "--svg": "a.svg",
        "--dot": "a.dot",
        "--html": "a.html",
        "--program": "a.c",
        "--litmus": "a.litmus",
    }
    ran = prove(FALSE, *(word for option in files.items() for word in option))
    assert ran.status == 1
    assert ran.out.endswith("1 refuted\nwritten: a.svg, a.dot, a.html, a.c, a.litmus\n")
    starts = {
        "a.svg": "<svg",
        "a.dot": "digraph",
        "a.html": "<!DOCTYPE html>",
        "a.c": "// refuted: claims.kat:1",
        "a.litmus": "C a\n",
    }
    for name, start in starts.items():
        assert (prove.directory / name).read_text(encoding="utf-8").startswith(start)


def test_the_counterexample_alone_on_standard_output(prove: Prove) -> None:
    ran = prove(TRUE + FALSE, "--litmus", "-")
    assert ran.status == 1
    assert ran.out.startswith("C counterexample\n")


def test_one_thing_at_a_time_on_standard_output(prove: Prove) -> None:
    ran = prove(FALSE, "--svg", "-", "--litmus", "-")
    assert (ran.status, ran.out) == (2, "")
    assert "only one output may use standard output: --svg -, --litmus - [usage]" in ran.err


def test_nothing_to_write(prove: Prove) -> None:
    ran = prove(TRUE, "--svg", "a.svg")
    assert ran.status == 0
    assert ran.out.endswith("nothing was refuted, so nothing was written to a.svg\n")
    assert not (prove.directory / "a.svg").exists()


def test_a_counterexample_without_a_program(prove: Prove) -> None:
    ran = prove("relation r\nassert r <= po\n", "--program", "a.c")
    assert ran.status == 2
    assert "the counterexample cannot be written as a program: " in ran.err
    assert "--svg" in ran.err


def test_a_drawing_that_cannot_be_written(prove: Prove) -> None:
    ran = prove(FALSE, "--svg", "absent/a.svg")
    assert ran.status == 2
    assert "give --svg a path that you can write to" in ran.err


# Bad input ----------------------------------------------------------------------------------------------

BROKEN = {
    "a name that is none": ("assert po <= poo\n", "claims.kat:1:14", "did you mean 'po'?"),
    "no comparison": ("assert po\n", "claims.kat:1:10", "a constraint compares"),
    "a character": ("assert po ∪ rf <= po\n", "claims.kat:1:11", "write |"),
    "nothing after assert": ("let x = po\nassert\n", "claims.kat:2:7", "hint: "),
    "no file to include": ('include "facts.kat"\nassert po <= po\n', "claims.kat:1:9", "hint: "),
    "an open bracket": ("assert [R ; po <= po\n", "claims.kat:1:", "hint: "),
    "totality": ("assert total po\n", "claims.kat:1:", "hint: "),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_an_error_with_place_and_cure(prove: Prove, case: str) -> None:
    text, place, cure = BROKEN[case]
    ran = prove(text)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(place)
    assert "error: " in ran.err
    assert cure in ran.err


def test_the_line_and_a_caret_are_shown(prove: Prove) -> None:
    assert "\n    assert po <= poo\n                 ^^^\n" in prove("assert po <= poo\n").err


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("let x = po\n", "assert acyclic po | rf"),
        ("assume po <= po\n", "assert acyclic po | rf"),
        ("acyclic po | rf\n", "mazurka prove weaker claims.kat sc"),
        ("", "assert acyclic po | rf"),
        ("// nothing\n", "assert acyclic po | rf"),
    ],
)
def test_a_file_without_an_assertion_says_so(prove: Prove, text: str, cure: str) -> None:
    ran = prove(text)
    assert (ran.status, ran.err) == (0, "")
    said = " ".join(ran.out.split())
    assert "claims.kat: there is no assertion in this file, so nothing was asked" in said
    assert cure in said


def test_a_file_that_is_no_text(prove: Prove) -> None:
    ran = prove(b"\xff\x00")
    assert ran.status == 2
    assert "hint: " in ran.err


def test_a_file_that_is_not_there(prove: Prove) -> None:
    ran = prove.run("absent.kat")
    assert ran.status == 2
    assert "absent.kat" in ran.err
    assert "hint: " in ran.err


def test_nothing_asked(prove: Prove) -> None:
    ran = prove.run()
    assert ran.status == 2
    assert "hint: 'mazurka prove --help'" in ran.err
