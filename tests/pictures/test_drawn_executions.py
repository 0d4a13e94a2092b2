"""What is drawn of executions: boxes, bytes where sizes mix, and the relations that models name."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import mazurka
import pytest
from mazurka.checking.outcome import Outcome
from mazurka.kat.language.load import named_model
from mazurka.pictures.executions.boxes import MOST_INITIAL
from mazurka.pictures.executions.cycle import CycleStep, shortest_cycle
from mazurka.pictures.executions.drawing import LONGEST_LABEL, Artist
from mazurka.pictures.executions.named import reference_graph
from mazurka.pictures.executions.pages import all_executions_page, picture_of_violation
from mazurka.pictures.layout import CHARACTER, lay_out
from mazurka.pictures.picture import Picture
from mazurka.pictures.svg import svg
from mazurka.reference.consistency import is_consistent
from profiles import some

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"
DEPENDENT = PROGRAMS / "dependent_read.c"
_MIXED = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <assert.h>
#include <stddef.h>

static union { _Atomic uint16_t half[2]; _Atomic uint32_t whole; } u;

static void *writer(void *arg)
{
    atomic_store(&u.half[1], 0x0201);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    uint32_t seen = atomic_load(&u.whole);
    pthread_join(t, NULL);
    assert(seen == 0);
    return 0;
}
"""


def collected(program: Path, model: str = "rc11") -> Outcome:
    return mazurka.check(program, model=model, collect=True, symmetry=False)


def edges(picture: Picture, relation: str) -> set[tuple[str, str]]:
    labels = {node.number: node.label for node in picture.nodes}
    return {(labels[e.first], labels[e.second]) for e in picture.edges if e.name == relation}


def test_synchronisation_is_drawn() -> None:
    outcome = collected(ROOT / "examples" / "message_passing.c")
    artist = Artist(outcome)
    pictures = [artist.draw(graph).picture for graph in outcome.graphs]
    (seen,) = [picture for picture in pictures if "read ready: 1" in {n.label for n in picture.nodes}]
    for relation in ("sw", "hb"):
        assert edges(seen, relation) == {("ready = 1", "read ready: 1")}
    (missed,) = [picture for picture in pictures if picture is not seen]
    assert edges(missed, "sw") == edges(missed, "hb") == set()
    assert edges(missed, "fr") == {("read ready: 0", "ready = 1")}
    assert not any(edge.shown for edge in seen.edges if edge.name in ("sw", "hb"))


@pytest.mark.parametrize("model", ["sc", "tso", "rc11", "imm", "armv8", "power"])
@pytest.mark.parametrize(
    "program",
    some(
        [
            "examples/message_passing.c",
            "examples/mutex_counter.c",
            "examples/seqlock.c",
            "tests/programs/barrier_rounds.c",
            "tests/programs/cas_one_winner.c",
            "tests/programs/cas_failure_order.c",
            "tests/programs/adjacent_bytes.c",
        ]
    ),
)
def test_the_specification_agrees_about_what_it_is_given(program: str, model: str) -> None:
    """A graph that was translated for the specification is consistent, as the engine says."""
    outcome = collected(ROOT / program, model)
    assert outcome.graphs
    for graph in outcome.graphs[:20]:
        assert is_consistent(reference_graph(outcome.program, graph), named_model(model))


@pytest.mark.parametrize(
    ("model", "name", "alone"),
    [("armv8", "dependent", True), ("armv8", "ob", False), ("power", "ppo", False), ("imm", "deps", False)],
)
def test_dependencies_are_drawn(model: str, name: str, alone: bool) -> None:
    """So are the relations of models that need them, whether the engine's Plan does or not (that of imm)."""
    outcome = collected(DEPENDENT, model)
    artist = Artist(outcome)
    pictures = [artist.draw(graph).picture for graph in outcome.graphs]
    (seen,) = [picture for picture in pictures if "read cells[1]: 42" in {n.label for n in picture.nodes}]
    by_address, by_value = ("read ready: 1", "read cells[1]: 42"), ("read cells[1]: 42", "seen = 42")
    assert edges(seen, "addr") == {by_address}
    assert edges(seen, "data") == {by_value}
    assert edges(seen, "ctrl") == {by_address}, "to the first of all that follow"
    assert {by_address, by_value} <= edges(seen, name)
    assert not alone or len(edges(seen, name)) == 2
    assert not artist.names.left_out
    assert {edge.tone for edge in seen.edges if edge.name in ("addr", "data", "ctrl")} == {"dependency"}
    switches = re.findall(r'data-relation="([\w-]+)"', all_executions_page(outcome).partition("<article")[0])
    assert {"addr", "data", "ctrl", name} <= set(switches)
    assert switches.index("ctrl") < switches.index(name)


@pytest.mark.parametrize("model", ["armv8", "imm"])
def test_dependencies_of_a_violation_are_drawn(model: str, tmp_path: Path) -> None:
    path = tmp_path / "failing.c"
    path.write_text(
        DEPENDENT.read_text().replace("return 0;", "assert(seen != 42);\n    return 0;"), encoding="utf-8"
    )
    outcome = mazurka.check(path, model=model)
    assert outcome.violation is not None
    assert outcome.violation.graph is not None
    picture = Artist(outcome).draw(outcome.violation.graph, outcome.violation, folds=False).picture
    assert edges(picture, "addr") == {("read ready: 1", "read cells[1]: 42")}


def test_relations_with_dependencies_that_are_unknown_are_left_out_by_name(tmp_path: Path) -> None:
    """Dependencies through atomic sections are not tracked."""
    model = tmp_path / "mine.kat"
    text = 'model mine "Mine"\nlet dependent = addr | data\nview hb = (po | rf)+\nacyclic hb | co | fr as o\n'
    model.write_text(text, encoding="utf-8")
    outcome = collected(PROGRAMS / "sections" / "snapshot.c", str(model))
    artist = Artist(outcome)
    for graph in outcome.graphs:
        artist.draw(graph)
    assert "dependencies were not tracked" in artist.names.left_out["dependent"]
    assert "hb" not in artist.names.left_out


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    model = tmp_path / "mine.kat"
    text = 'model mine "Mine"\nlet seen = rf\nview hb = (po | seen)+\nacyclic hb | co | fr as order\n'
    model.write_text(text, encoding="utf-8")
    outcome = mazurka.check(
        ROOT / "examples" / "message_passing.c", model=str(model), collect=True, symmetry=False
    )
    relations = {e.name for graph in outcome.graphs for e in Artist(outcome).draw(graph).picture.edges}
    assert {"seen", "hb"} <= relations


def test_halves_of_updates_share_a_box() -> None:
    outcome = collected(PROGRAMS / "cas_one_winner.c")
    for graph in outcome.graphs:
        picture = Artist(outcome).draw(graph).picture
        assert any("→" in node.label for node in picture.nodes)
        assert sum("compare fails" in node.label for node in picture.nodes) >= 1


def test_bytes_are_shown_where_sizes_mix(tmp_path: Path) -> None:
    path = tmp_path / "mixed.c"
    path.write_text(_MIXED, encoding="utf-8")
    picture = picture_of_violation(mazurka.check(path))
    assert picture is not None
    strips = {node.label: node.strip for node in picture.nodes if node.strip}
    write = next(strip for label, strip in strips.items() if "=" in label)
    read = next(strip for label, strip in strips.items() if label.startswith("read"))
    assert (write.size, write.segments) == (4, ((2, 2, "01 02"),))
    assert [(s.start, s.size, s.text) for s in read.segments] == [(0, 2, "00 00"), (2, 2, "01 02")]


def test_initial_values_have_boxes_if_they_are_few() -> None:
    outcome = mazurka.check(ROOT / "examples" / "buggy" / "treiber_stack_aba.c")
    picture = picture_of_violation(outcome)
    assert picture is not None
    assert not [node for node in picture.nodes if node.kind == "initial"]
    notes = [node.note for node in picture.nodes]
    assert "line 28 · seq_cst · ← main:23" in notes, "main wrote it before the threads"
    assert "line 41 · seq_cst · ← initial value" in notes
    few = picture_of_violation(mazurka.check(ROOT / "examples" / "buggy" / "store_buffering_relaxed.c"))
    assert few is not None
    assert 0 < sum(node.kind == "initial" for node in few.nodes) <= MOST_INITIAL


def test_folded_steps_can_be_drawn() -> None:
    outcome = mazurka.check(ROOT / "examples" / "buggy" / "spsc_ring_off_by_one.c")
    violation = outcome.violation
    assert violation is not None
    assert violation.graph is not None
    artist = Artist(outcome)
    folded, full = (artist.draw(violation.graph, violation, folds=folds).picture for folds in (True, False))
    assert any(node.kind == "fold" for node in folded.nodes)
    assert not any(node.kind == "fold" for node in full.nodes)
    assert len(full.nodes) > len(folded.nodes)


@pytest.mark.parametrize(
    "program", ["mutex_opposite_orders.c", "barrier_too_few_threads.c", "error_use_after_free.c"]
)
def test_other_kinds_of_violations_end_with_a_failure(program: str) -> None:
    picture = picture_of_violation(mazurka.check(PROGRAMS / program))
    assert picture is not None
    failures = [node for node in picture.nodes if node.kind == "fail"]
    assert failures
    assert all(node.label.startswith("✗") for node in failures)


@pytest.mark.parametrize("program", sorted((ROOT / "examples" / "buggy").glob("*.c")), ids=lambda p: p.stem)
def test_everything_has_its_room_at_first(program: Path) -> None:
    """Boxes lie apart, and names of relations lie neither on boxes nor on each other."""
    picture = picture_of_violation(mazurka.check(program))
    assert picture is not None
    layout = lay_out(picture)
    boxes = layout.boxes.values()
    labels = [placed.label for placed in layout.curves if placed.label and placed.edge.shown]
    assert labels
    assert not [pair for pair in combinations(boxes, 2) if pair[0].meets(pair[1])]
    assert not [label for label in labels for box in boxes if label.meets(box)]
    assert not [pair for pair in combinations(labels, 2) if pair[0].meets(pair[1])]


def test_the_shortest_cycle() -> None:
    relations = {"po": [(0, 1), (1, 2), (3, 4)], "fr": [(2, 3), (4, 0)], "rf": [(1, 3)]}
    assert shortest_cycle(relations) == (
        CycleStep(0, 1, "po"),
        CycleStep(1, 3, "rf"),
        CycleStep(3, 4, "po"),
        CycleStep(4, 0, "fr"),
    )
    assert shortest_cycle({"po": [(0, 1)], "rf": [(1, 2)]}) == ()


_LONG = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int name_of_a_variable_that_goes_on_and_on_and_on_until_there_is_no_more_room_for_it_anywhere;
#define IT name_of_a_variable_that_goes_on_and_on_and_on_until_there_is_no_more_room_for_it_anywhere
void *a_thread_whose_name_is_too_long_for_one_line(void *arg)
{
    int seen = IT;
    assert(seen == 0 && "a message of so many words that they do not fit into the box, which has four lines "
           "and would have to have some more of them if everything were to be shown");
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, a_thread_whose_name_is_too_long_for_one_line, 0);
    IT = 1;
    return pthread_join(t, 0);
}
"""


def test_long_names_are_wrapped_and_long_texts_are_cut_visibly(tmp_path: Path) -> None:
    (tmp_path / "long.c").write_text(_LONG, encoding="utf-8")
    outcome = mazurka.check(tmp_path / "long.c")
    picture = picture_of_violation(outcome)
    assert picture is not None
    assert picture.columns == ("main", "T1 a_thread_whose_name_is_too_\nlong_for_one_line(…)")
    failed = next(node.label for node in picture.nodes if node.kind == "fail")
    assert failed.count("\n") == 3
    assert failed.endswith(" …")
    layout = lay_out(picture)
    widest = max(box.width for box in layout.boxes.values())
    assert widest <= LONGEST_LABEL * CHARACTER + 18
    assert layout.frame.width < 3 * widest
    drawing = svg(picture)
    assert re.findall(r">(T1 a_thread_whose_name_is_too_|long_for_one_line\(…\))</text>", drawing) == [
        "long_for_one_line(…)",
        "T1 a_thread_whose_name_is_too_",
    ]
    heads = [float(y) for y in re.findall(r"y='([-\d.]+)'[^>]* font-weight='bold'", drawing)]
    assert max(heads) < min(box.top for box in layout.boxes.values())
    assert layout.frame.top <= min(heads) - 10
