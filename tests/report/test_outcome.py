"""An Outcome is a value: it can be kept, sent to another process and compared, graph and program included."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import mazurka
import pytest
from mazurka.checking.outcome import Outcome

PROGRAMS = Path(__file__).parents[1] / "programs"
CHECKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("race_plain_counter.c", {"model": "rc11"}),
    ("litmus_sb.c", {"model": "tso"}),
    ("litmus_mp.c", {"model": "sc", "collect": True}),
    ("unroll_cut.c", {"unroll": 2}),
)


def checked(name: str, options: dict[str, Any]) -> Outcome:
    return mazurka.check(PROGRAMS / name, **options)


@pytest.mark.parametrize(("name", "options"), CHECKS, ids=[name for name, _ in CHECKS])
def test_a_pickled_outcome_is_the_same(name: str, options: dict[str, Any]) -> None:
    outcome = checked(name, options)
    again: Outcome = pickle.loads(pickle.dumps(outcome))
    assert again == outcome
    assert hash(again) == hash(outcome)
    assert again.program == outcome.program
    assert again.violation == outcome.violation
    assert again.graphs == outcome.graphs


def test_outcomes_differ_in_what_was_found_and_not_in_time() -> None:
    outcomes = [checked(name, options) for name, options in CHECKS]
    assert len(set(outcomes)) == len(outcomes)
    for outcome in outcomes:
        assert outcome._replace(seconds_explore=99.0) == outcome
        assert outcome._replace(complete=99) != outcome
    assert checked(*CHECKS[1]) == outcomes[1]


def test_a_graph_is_read_without_the_engine(tmp_path: Path) -> None:
    outcome = checked("race_plain_counter.c", {"model": "rc11"})
    path = tmp_path / "outcome.pickle"
    path.write_bytes(pickle.dumps(outcome))
    code = (
        "import pickle, sys\n"
        "sys.modules['mazurka._engine'] = None\n"
        "outcome = pickle.load(open(sys.argv[1], 'rb'))\n"
        "graph = outcome.violation.graph\n"
        "print(sum(len(thread.events) for thread in graph.threads), graph[outcome.violation.other].kind)\n"
        "from mazurka.report.text import as_text\n"
        "assert as_text(outcome)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert outcome.violation
    assert outcome.violation.graph
    assert outcome.violation.other
    graph = outcome.violation.graph
    events = sum(len(thread.events) for thread in graph.threads)
    assert run.stdout.split() == [str(events), graph[outcome.violation.other].kind]
