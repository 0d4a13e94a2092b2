"""Pages for browsers: of a counterexample, and of all executions of a small program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mazurka.checking.execution import Graph, Violation
from mazurka.checking.outcome import Outcome
from mazurka.pictures.colours import DEPENDENCIES
from mazurka.pictures.executions.drawing import Artist, Drawn
from mazurka.pictures.executions.outcomes import END, INTERLEAVING, facets_of, object_numbers, told_apart
from mazurka.pictures.html import Page, Sheet, html
from mazurka.pictures.picture import Picture
from mazurka.report.violation import reason_lines

MOST_EXECUTIONS = 500
MOST_UNFOLDED = 120  # events: a larger execution is drawn folded only
MOST_WITH_ALL = 20  # executions: on a page with more, only some relations of the model are drawn


def _has_events(graph: Graph) -> bool:
    return any(thread.events for thread in graph.threads)


def picture_of_violation(outcome: Outcome) -> Picture | None:
    """The picture of a counterexample, folded to what matters; None if there is nothing to draw."""
    violation = outcome.violation
    if violation is None or violation.graph is None or not _has_events(violation.graph):
        return None
    return Artist(outcome).draw(violation.graph, violation).picture


def violation_page(outcome: Outcome) -> str:
    """The page of a counterexample."""
    violation = outcome.violation
    assert violation is not None, "asked before"
    assert violation.graph is not None, "asked before"
    artist = Artist(outcome)
    folded, sheets = folded_sheets(artist, violation.graph, violation)
    messages = [*_said(violation), *_reasons_said(outcome, violation), *_cycle_said(folded)]
    return html(
        Page(
            title=f"{violation.kind}: {names_of(outcome)}",
            heading=f"Violation under {outcome.model}: {violation.kind}",
            messages=tuple(messages),
            sheets=tuple(sheets),
            sources=sources_of(outcome, (sheet.picture for sheet in sheets)),
            notes=tuple(_left_out(folded.left_out)),
            relations=_relations(artist),
        )
    )


def folded_sheets(artist: Artist, graph: Graph, violation: Violation | None) -> tuple[Drawn, list[Sheet]]:
    """An execution folded to what matters, and as a whole if it is not too large."""
    folded = artist.draw(graph, violation)
    sheets = [Sheet(folded.picture, variant="folded")]
    if len(list(graph.refs())) <= MOST_UNFOLDED:
        full = artist.draw(graph, violation, folds=False)
        has_folds = any(node.kind == "fold" for node in folded.picture.nodes)
        sheets = [*sheets, Sheet(full.picture)] if has_folds else [Sheet(full.picture)]
    return folded, sheets


def _relations(artist: Artist) -> tuple[str, ...]:
    """Those that readers look for on any page, as far as the model has them."""
    drawn = artist.names.terms.keys() - artist.names.left_out.keys()
    return ("po", "rf", "co", "fr", *(name for name in ("hb", *DEPENDENCIES) if name in drawn))


def _said(violation: Violation) -> Iterator[tuple[str, str]]:
    where = violation.location
    place = f"{where.file}:{where.line}: " if where else ""
    yield "message", f"{place}{violation.message}"
    if violation.missing:
        yield "missing", f"{violation.missing[0].upper()}{violation.missing[1:]}."


def _reasons_said(outcome: Outcome, violation: Violation) -> Iterator[tuple[str, str]]:
    """The reads that made an assertion fail."""
    said = " ".join(line.strip() for line in reason_lines(outcome, violation))
    if said:
        yield "reasons", f"{said[0].upper()}{said[1:]}."


def _cycle_said(drawn: Drawn) -> Iterator[tuple[str, str]]:
    if drawn.cycle:
        yield "cycle", f"{drawn.picture.heads[-1]}."


def all_executions_page(outcome: Outcome) -> str:
    """The page of all executions that were collected, ordered by their outcomes."""
    numbers = object_numbers(outcome)
    artist = Artist(outcome, only_views=len(outcome.graphs) > MOST_WITH_ALL, numbers=numbers)
    violation = outcome.violation
    found: list[tuple[dict[str, str], Drawn]] = []
    for graph in outcome.graphs:
        drawn = artist.draw(graph, folds=len(list(graph.refs())) > MOST_UNFOLDED)
        found.append((facets_of(outcome, graph, numbers) | _ending(drawn, "complete"), drawn))
    if violation is not None and violation.graph is not None and _has_events(violation.graph):
        drawn = artist.draw(violation.graph, violation, folds=False)
        own = facets_of(outcome, violation.graph, numbers)
        found.append((own | _ending(drawn, violation.kind), drawn))
    facets, values = told_apart([own for own, _ in found])
    order = sorted(range(len(found)), key=lambda number: (values[number], number))
    sheets = tuple(Sheet(found[number][1].picture, execution=n) for n, number in enumerate(order))
    return html(
        Page(
            title=f"executions: {names_of(outcome)}",
            heading=f"Executions of {names_of(outcome)} under {outcome.model}",
            messages=tuple(_counted(outcome)),
            sheets=sheets,
            sources=sources_of(outcome, (sheet.picture for sheet in sheets)),
            facets=facets,
            outcomes=tuple(values[number] for number in order),
            notes=tuple(_left_out(artist.names.left_out)),
            relations=_relations(artist),
        )
    )


def _ending(drawn: Drawn, end: str) -> dict[str, str]:
    """Whether an interleaving explains an execution, and how it ends."""
    return {INTERLEAVING: "no" if drawn.cycle else "yes", END: end}


def _counted(outcome: Outcome) -> Iterator[tuple[str, str]]:
    number = len(outcome.graphs)
    shown = "1 complete execution" if number == 1 else f"{number} complete executions"
    yield "count", f"{shown}. The verdict is '{outcome.verdict}'."
    if outcome.blocked:
        number = outcome.blocked
        are = "1 blocked execution is" if number == 1 else f"{number} blocked executions are"
        stops = "a thread stops before its end, because it waits or an assumption fails"
        yield "blocked", f"{are} counted and not drawn ({stops}): only complete executions are kept."
    if outcome.violation is not None:
        yield from _said(outcome.violation)
        yield "more", "The exploration ended with this violation: there may be more executions."


def _left_out(why: Mapping[str, str]) -> Iterator[str]:
    """Which relations of the model are not drawn, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for name, reason in why.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        yield f"Not drawn: {', '.join(names)} ({reason})."


def sources_of(outcome: Outcome, pictures: Iterable[Picture]) -> dict[str, str]:
    """The files that the boxes are in, the one with most of them first."""
    used: dict[str, int] = {}
    for picture in pictures:
        for node in picture.nodes:
            if node.file in outcome.program.sources:
                used[node.file] = used.get(node.file, 0) + 1
    return {file: outcome.program.sources[file] for file in sorted(used, key=lambda file: -used[file])}


def names_of(outcome: Outcome) -> str:
    """The files of the program, by their last parts."""
    found = [file.rpartition("/")[2] for file in outcome.program.sources if not file.endswith(".h")]
    return ", ".join(found[:3]) or "the program"
