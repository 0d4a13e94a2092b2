"""``mazurka.explore``: executions as plain objects, which agree with what the graph says."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import mazurka
import networkx
import pytest
from mazurka import Execution, MazurkaError

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"
x, y = mazurka.atomic("x", 7), mazurka.atomic("y")


def left() -> Any:
    x.store(1, "relaxed")
    x.store(2, "release")
    return y.exchange(5)


def right() -> Any:
    y.store(3)
    return x.load("acquire")


PROGRAM = mazurka.Threads(left, right)
EXECUTIONS = list(mazurka.explore(PROGRAM, model="rc11"))


def test_there_is_one_for_each_that_is_counted() -> None:
    assert len(EXECUTIONS) == mazurka.check(PROGRAM).complete
    shapes = {(execution.rf, execution.co) for execution in EXECUTIONS}
    assert len(shapes) == len(EXECUTIONS)


def test_whether_these_are_all_is_in_the_outcome() -> None:
    """Executions that a bound or a limit leaves out are not there, which nothing else would say."""
    found = mazurka.explore(PROGRAM, model="rc11")
    assert len(list(found)) == found.outcome.complete
    assert found.outcome.verdict == "verified"
    cut = mazurka.explore(PROGRAM, max_executions=1)
    assert cut.outcome.verdict == "interrupted"
    assert len(list(cut)) == 1
    assert list(cut) == []
    none = mazurka.explore(mazurka.Threads(lambda: mazurka.assume(x.load() == 1)))
    assert (list(none), none.outcome.blocked) == ([], 1)


def test_equal_threads_are_told_apart() -> None:
    """The executions are those that are counted, also where one is explored for several."""
    program = """
    #include <pthread.h>
    _Atomic int n;
    void *add(void *a) { n++; return a; }
    int main(void) {
        pthread_t t[2];
        for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    }
    """
    assert mazurka.check(program).explored is not None
    assert len(list(mazurka.explore(program))) == mazurka.check(program).complete


@pytest.mark.parametrize("execution", EXECUTIONS, ids=lambda execution: str(execution.results))
def test_relations_are_what_they_should_be(execution: Execution) -> None:
    events = execution.events
    assert [event.id for event in events] == list(range(len(events)))
    for write, read in execution.rf:
        assert (events[write].kind, events[read].kind) == ("W", "R")
        assert (events[write].place, events[write].value) == (events[read].place, events[read].value)
    reads = [event.id for event in events if event.kind == "R"]
    assert sorted(read for _, read in execution.rf) == reads
    for place in ("x", "y"):
        writes = {e.id for e in events if e.kind == "W" and e.place == place}
        ordered = sorted(writes, key=lambda one: sum(later == one for _, later in execution.co))
        assert all(pair in execution.co for pair in pairwise(ordered))
        assert events[ordered[0]].thread is None
        assert execution.final[place] == events[ordered[-1]].value
    source = {read: write for write, read in execution.rf}
    expected = {(r, w) for r in reads for before, w in execution.co if before == source[r] and w != r}
    assert execution.fr == expected
    ((read, write),) = execution.relations["rmw"]
    assert events[read].exclusive
    assert events[write].value == 5


def test_initial_values_and_orders_are_shown() -> None:
    first, second, *_ = EXECUTIONS[0].events
    assert (str(first), str(second)) == ("initial: W x = 7", "initial: W y = 0")
    assert {event.order for event in EXECUTIONS[0].events if event.place == "x"} == {
        *("", "relaxed", "release", "acquire")
    }
    assert all(event.line for event in EXECUTIONS[0].events if event.thread is not None)


def test_conversions() -> None:
    execution = EXECUTIONS[0]
    graph, all_pairs = execution.to_networkx(), execution.to_networkx(transitive=True)
    assert {(a, b) for a, b, name in graph.edges(keys=True) if name == "rf"} == execution.rf
    assert {(a, b) for a, b, name in all_pairs.edges(keys=True) if name == "po"} == execution.po
    po = networkx.DiGraph((a, b) for a, b, name in graph.edges(keys=True) if name == "po")
    assert set(networkx.transitive_closure(po).edges) == execution.po


def test_executions_can_be_pickled() -> None:
    for execution in EXECUTIONS:
        assert pickle.loads(pickle.dumps(execution)) == execution


def test_dependencies_are_relations_of_models_that_name_them() -> None:
    a, b = mazurka.atomic("a"), mazurka.atomic("b")

    def copy() -> None:
        value = a.load("relaxed")
        b.store(value + 1, "relaxed")

    def decide() -> None:
        if b.load("relaxed") == 1:
            a.store(2, "relaxed")

    program = mazurka.Threads(copy, decide)
    for model in ("armv8", "imm"):
        executions = list(mazurka.explore(program, model=model))
        assert executions
        for execution in executions:
            events = execution.events
            (read, write), (decision, *_) = ([e for e in events if e.thread == t] for t in (1, 2))
            assert execution.relations["data"] == {(read.id, write.id)}
            assert execution.relations["addr"] == set()
            decided = {e.id for e in events if e.thread == 2} - {decision.id}
            assert execution.relations["ctrl"] == {(decision.id, other) for other in decided}
            assert pickle.loads(pickle.dumps(execution)) == execution
        assert any(execution.relations["ctrl"] for execution in executions)
    assert all("ctrl" not in execution.relations for execution in mazurka.explore(program, model="rc11"))


def test_an_execution_that_goes_wrong_comes_last() -> None:
    *complete, last = mazurka.explore(str(PROGRAMS / "race_plain_counter.c"))
    assert last.violation is not None
    assert last.violation.kind == "race"
    assert all(one.violation is None for one in complete)


@pytest.mark.parametrize("name", ["barrier_rounds.c", "mutex_opposite_orders.c", "mixed/copied_seqlock.c"])
def test_programs_in_c_of_all_kinds(name: str) -> None:
    found = list(mazurka.explore(str(PROGRAMS / name), liveness=False))
    assert found
    for execution in found:
        assert pickle.loads(pickle.dumps(execution)) == execution
        reads = {event.id for event in execution.events if event.kind == "R"}
        assert reads == {read for _, read in execution.rf}


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    usual = importlib.import_module

    def without(name: str, *more: Any) -> Any:
        if name in ("networkx", "pandas"):
            raise ImportError(name)
        return usual(name, *more)

    monkeypatch.setattr(importlib, "import_module", without)
    for convert in (EXECUTIONS[0].to_networkx, EXECUTIONS[0].to_pandas):
        with pytest.raises(MazurkaError, match="is not installed") as caught:
            convert()
        assert "pip install" in (caught.value.hint or "")
