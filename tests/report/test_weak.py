"""Reports of what only weaker models have: executions that no interleaving explains, races, and axioms."""

from __future__ import annotations

import json

from executions import (
    DATA,
    FLAG,
    creates,
    early_read,
    in_order,
    message_passing,
    outcome,
    read,
    three_threads,
    violation,
    write,
)
from mazurka.checking.execution import Graph
from mazurka.checking.outcome import AxiomCount
from mazurka.program import Position
from mazurka.report import as_json, as_text
from mazurka.report.order import in_order as ordered
from mazurka.report.order import linearise, overtaken


def two_plus_two() -> Graph:
    """Each thread writes both places, and its first write comes last: 2+2W."""
    return three_threads(
        creates(),
        [write(0, DATA, 1, 2), write(1, FLAG, 2, 3)],
        [write(1, FLAG, 1, 4), write(0, DATA, 2, 5)],
        [(DATA, [(2, 1), (1, 0)]), (FLAG, [(1, 1), (2, 0)])],
    )


def test_causes_are_respected_where_fr_cannot_be() -> None:
    """The reader misses data, which is written before the flag that it sees."""
    order = linearise(message_passing())
    assert order.index((0, 1)) < order.index((2, 0))
    assert order.index((1, 0)) < order.index((1, 1)) < order.index((2, 0)) < order.index((2, 1))


def test_what_an_order_tells_too_late_is_known() -> None:
    graph = message_passing()
    assert overtaken(graph, linearise(graph)) == {(2, 1): (1, 0)}
    graph = two_plus_two()
    late = overtaken(graph, linearise(graph))
    assert late in ({(2, 1): (1, 0)}, {(1, 1): (2, 0)})


def test_an_interleaving_has_nothing_late() -> None:
    for graph in (in_order(), early_read()):
        assert overtaken(graph, linearise(graph)) == {}


def test_the_order_of_two_events_is_the_graphs() -> None:
    graph = early_read()  # data is read before it is written
    assert ordered(graph, (1, 0), (2, 1)) == ((2, 1), (1, 0))
    assert ordered(graph, (2, 1), (1, 0)) == ((2, 1), (1, 0))
    graph = in_order()
    assert ordered(graph, (2, 1), (1, 0)) == ((1, 0), (2, 1))


def test_causes_decide_before_fr() -> None:
    """The reader knows of the write by the flag and does not see it: first the write, then the read."""
    assert ordered(message_passing(), (2, 1), (1, 0)) == ((1, 0), (2, 1))


def test_a_read_that_misses_a_write_above_it_says_so() -> None:
    text = as_text(outcome(violation(message_passing())), width=140)
    assert "read data: 0  ← initial value (not yet T1:10)" in text
    assert "No interleaving of the threads explains this execution" in text


def test_a_write_that_is_older_than_one_above_it_says_so() -> None:
    text = as_text(outcome(violation(two_plus_two(), thread=2, other=(1, 0))), width=140)
    assert "(older than T1:10)" in text or "(older than T2:" in text


def test_a_value_that_is_written_later_is_said_to_be() -> None:
    """Load buffering: each thread reads what the other writes afterwards, so one must be told too early."""
    graph = three_threads(
        creates(),
        [read(0, FLAG, 1, 2, (2, 1)), write(0, DATA, 1, 3)],
        [read(1, DATA, 1, 4, (1, 1)), write(1, FLAG, 1, 5)],
        [(DATA, [(1, 1)]), (FLAG, [(2, 1)])],
    )
    text = as_text(outcome(violation(graph)), width=140)
    assert text.count("(written below)") == 2  # in a row, and where it is explained
    assert "No interleaving of the threads explains this execution" in text


def test_an_interleaving_needs_no_such_words() -> None:
    text = as_text(outcome(violation(in_order())), width=140)
    assert "not yet" not in text
    assert "No interleaving" not in text


def race() -> dict[str, object]:
    return {
        "kind": "race",
        "message": "data race: T2 reads data at mp.c:21, T1 writes it at mp.c:10, and nothing orders the two",
        "location": Position("mp.c", 21, 3),
        "pc": 1,
        "event": (2, 1),
        "other": (1, 0),
        "other_location": Position("mp.c", 10, 3),
        "brief": "data race with T1:10",
        "missing": "neither comes before the other in the model's happens-before (hb)",
    }


def test_both_accesses_of_a_race_are_marked_and_end_the_story() -> None:
    text = as_text(outcome(violation(early_read(), **race())), width=140)
    assert text.startswith("Violation under sc: a data race ")
    assert "neither comes before the other" in text
    table = text.split("time running down:")[1].splitlines()
    marked = [line.split("✗ ")[1].strip() for line in table if "✗ " in line]
    # The write was not yet there when the read came: that is the order in which they are told.
    assert marked[0].startswith("read data: 0")
    assert marked[1] == "data = 42" or marked[1].startswith("data = 42")
    assert marked[2] == "data race with T1:10"


def test_the_other_access_has_its_place_in_json() -> None:
    value = json.loads(as_json(outcome(violation(early_read(), **race()))))["violation"]
    assert value["other"] == {"file": "mp.c", "line": 10, "column": 3, "thread": 1, "index": 0}


def test_no_other_event_is_null() -> None:
    assert json.loads(as_json(outcome(violation(in_order()))))["violation"]["other"] is None


AXIOMS = (AxiomCount("coherence", 12), AxiomCount("idle", 0), AxiomCount("store-order", 3))


def test_axioms_that_forbade_something_are_listed_for_a_model_of_ones_own() -> None:
    line = "  forbidden by: coherence (12), store-order (3)"
    assert line in as_text(outcome(axioms=AXIOMS, model_file="mine.kat")).splitlines()
    assert line not in as_text(outcome(axioms=AXIOMS)).splitlines()
    assert line in as_text(outcome(axioms=AXIOMS), verbose=True).splitlines()
    assert json.loads(as_json(outcome(axioms=AXIOMS)))["axioms"] == [
        {"name": "coherence", "forbade": 12},
        {"name": "idle", "forbade": 0},
        {"name": "store-order", "forbade": 3},
    ]


def test_a_model_that_did_nothing_is_said_to() -> None:
    idle = (AxiomCount("idle", 0),)
    assert "  no axiom forbade any choice" in as_text(outcome(axioms=idle, model_file="mine.kat"))
    # Under rf nothing is counted, which says nothing about the axioms.
    assert "forbade" not in as_text(outcome(axioms=idle, model_file="mine.kat", equivalence="rf"))


def test_the_verdict_names_the_model_and_its_title() -> None:
    named = outcome(model="tso", title="Total store order: x86, SPARC TSO")
    assert as_text(named).startswith("Verified under tso (Total store order): ")
    assert as_text(outcome(model="rc11", title="RC11: C11 repaired")).startswith("Verified under rc11: ")
    assert as_text(outcome(model="mine", model_file="./mine.kat")).startswith(
        "Verified under mine (./mine.kat): "
    )
