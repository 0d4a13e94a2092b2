"""``mazurka models --lattice``: which model is weaker than which, what follows from that, what is cached."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest
from claim_table import PAIRS
from mazurka.cache import disk
from mazurka.cli import commands
from mazurka.cli import lattice as lattices
from mazurka.cli.lattice import lattice_page, proved_lattice
from mazurka.prover.questions import lattice as lattice_module
from mazurka.prover.questions.lattice import Lattice
from profiles import heavy

EXPECTED = {(pair.weaker, pair.stronger): pair.expected == "proved" for pair in PAIRS}
NAMES = tuple(dict.fromkeys(weak for weak, _ in EXPECTED))
SMALL = ("sc", "ra", "ra2")
pytestmark = pytest.mark.usefixtures("cache")


def expected_lattice() -> Lattice:
    """The lattice as the file of expected answers has it."""
    return Lattice(NAMES, dict(EXPECTED))


# What follows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_is_what_is_expected(seed: int) -> None:
    pairs = list(EXPECTED)
    random.Random(seed).shuffle(pairs)
    lattice, asked = Lattice(NAMES), 0
    for pair in pairs:
        if pair not in lattice.answers:
            lattice.learn(pair, EXPECTED[pair])
            asked += 1
    assert lattice.answers == EXPECTED
    assert asked < len(EXPECTED)


def test_weaker_goes_on() -> None:
    lattice = Lattice(("a", "b", "c"))
    lattice.learn(("c", "b"), True)
    lattice.learn(("b", "a"), True)
    assert lattice.answers[("c", "a")]


def test_an_execution_refutes_what_is_stronger_and_what_is_weaker() -> None:
    lattice = Lattice(("a", "b", "c"))
    lattice.learn(("b", "a"), True)
    lattice.learn(("b", "c"), False)  # c allows something that b forbids, and so does a
    assert lattice.answers[("a", "c")] is False
    assert ("c", "b") not in lattice.answers
    other = Lattice(("a", "b", "c"))
    other.learn(("a", "b"), False)
    other.learn(("c", "b"), True)  # what b allows and a forbids, c allows
    assert other.answers[("a", "c")] is False


def test_models_that_allow_the_same_stand_together() -> None:
    lattice = Lattice(("a", "b", "c"), dict.fromkeys(permutations("abc", 2), False))
    lattice.answers |= {("a", "b"): True, ("b", "a"): True, ("c", "a"): True, ("c", "b"): True}
    assert lattice.groups() == [("a", "b"), ("c",)]
    assert lattice.covers() == [("c", "a")]


def test_the_lines_are_those_with_nothing_between() -> None:
    assert set(expected_lattice().covers()) == {
        *(("tso", "sc"), ("pso", "tso"), ("ra", "tso"), ("rc11-ra", "ra"), ("rc11-ra", "rc11")),
        *(("rc11", "pso"), ("rc11-ra", "rc11-genmc"), ("rc11-genmc", "pso"), ("imm", "pso")),
    }


# The page -----------------------------------------------------------------------------------------------


def test_the_page_has_every_answer() -> None:
    page = lattice_page(expected_lattice())
    header, *rows = page.splitlines()[2 : 3 + len(NAMES)]
    columns = {name: header.split().index(name) + 1 for name in NAMES}
    for row in rows:
        cells = row.split()
        for name in NAMES:
            wanted = "=" if name == cells[0] else "yes" if EXPECTED[cells[0], name] else "no"
            assert cells[columns[name]] == wanted
    assert "unknown" not in page


def test_what_is_unknown_is_marked() -> None:
    lattice = expected_lattice()
    del lattice.answers["imm", "pso"]
    page = lattice_page(lattice)
    assert "?" in page
    assert "1 pairs are unknown" not in page
    assert "1 pair is unknown" in page


def test_the_prover_answers() -> None:
    lattice = proved_lattice(SMALL)
    assert lattice.groups() == [("sc",), ("ra", "ra2")]
    assert lattice.covers() == [("ra", "sc")]
    assert not lattice.open_pairs()


@heavy
def test_every_pair_has_the_expected_answer() -> None:
    assert proved_lattice(NAMES, time_limit=600).answers == EXPECTED


# The cache ----------------------------------------------------------------------------------------------


def no_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("it is proved again")

    monkeypatch.setattr(lattice_module, "decide", fail)


def test_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = proved_lattice(SMALL)
    no_proofs(monkeypatch)
    assert proved_lattice(SMALL).answers == first.answers


def test_not_if_the_cache_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZURKA_CACHE", "off")
    proved_lattice(SMALL)
    no_proofs(monkeypatch)
    with pytest.raises(AssertionError, match="proved again"):
        proved_lattice(SMALL)


def test_a_changed_model_is_proved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.kat"
    mine.write_text("acyclic po | rf | co | fr as all\n")
    names = ("sc", str(mine))
    assert proved_lattice(names).groups() == [names]
    mine.write_text("acyclic po | rf as some\n")
    assert proved_lattice(names).groups() == [("sc",), (str(mine),)]


def test_a_changed_prover_proves_again(monkeypatch: pytest.MonkeyPatch) -> None:
    proved_lattice(SMALL)
    monkeypatch.setattr(disk, "_CODE", "another prover")
    no_proofs(monkeypatch)
    with pytest.raises(AssertionError, match="proved again"):
        proved_lattice(SMALL)


def test_what_is_unknown_is_asked_again() -> None:
    assert proved_lattice(SMALL, time_limit=1e-9).open_pairs()
    assert not proved_lattice(SMALL).open_pairs()


# The command --------------------------------------------------------------------------------------------


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The expected lattice, without proving it."""
    monkeypatch.setattr(lattices, "proved_lattice", lambda **_: expected_lattice())


@pytest.mark.usefixtures("known")
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["models", "--lattice"]) == 0
    assert capsys.readouterr().out == lattice_page(expected_lattice())


@pytest.mark.usefixtures("known")
def test_drawings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "lattice.svg"
    assert commands.main(["models", "--lattice", "--svg", str(picture), "--dot", "-"]) == 0
    assert picture.read_text().startswith("<svg")
    assert capsys.readouterr().out.startswith("digraph")


def test_what_is_unknown_ends_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["models", "--lattice", "--time-limit", "1e-9"]) == 3
    assert "pairs are unknown" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["--svg", "x.svg"], ["--dot", "-"], ["--time-limit", "3"], ["--lattice", "sc"]]
)
def test_options_that_do_not_fit(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["models", *arguments]) == 2
    assert "hint: " in capsys.readouterr().err
