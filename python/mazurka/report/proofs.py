"""What ``mazurka prove`` prints: for each claim its place, its text, and the answer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from mazurka.counterexamples import counterexample, word_text
from mazurka.kat.meaning.terms import Span
from mazurka.prover import Answer, Proved, Query, Refuted, Unknown
from mazurka.prover.questions.topics import Question, Topic
from mazurka.report.candidate import columns
from mazurka.report.paint import Paint

CONTRADICTION = (
    "no small execution was found that satisfies all of the assumptions; "
    "if they contradict each other, anything follows from them"
)


class Printer:
    """Prints results one after the other, as they come."""

    def __init__(self, width: int, paint: Paint) -> None:
        self._width, self._paint = width, paint
        self._topic: Topic | None = None
        self._answers: list[Answer] = []

    def claim(self, topic: Topic, question: Question, answer: Answer) -> str:
        """A claim and its answer; the title of a topic comes before its first claim."""
        text = ""
        if topic is not self._topic:
            title = _wrapped(topic.title, self._width, "  ")
            text = self._notes() + "".join(f"{self._paint('head', line)}\n" for line in title)
            self._topic = topic
        self._answers.append(answer)
        return text + _claim(topic, question, answer, self._width, self._paint)

    def without_claims(self, topic: Topic) -> str:
        """The notes of a topic that has no claims."""
        return "".join(f"{line}\n" for note in topic.notes for line in _wrapped(note, self._width, "  "))

    def end(self) -> str:
        """How many claims got which answer; nothing if there was no claim."""
        return self._notes() + (_summary(self._answers, self._paint) if self._answers else "")

    def _notes(self) -> str:
        """The notes after the topic that just ended."""
        notes = self._topic.notes if self._topic else ()
        wrapped = (_wrapped(f"note: {note}", self._width - 2, "  ") for note in notes)
        return "".join(f"  {line}\n" for lines in wrapped for line in lines)


def _claim(topic: Topic, question: Question, answer: Answer, width: int, paint: Paint) -> str:
    indent = "  " if topic.title else ""
    head = f"{question.name}: {question.text}" if question.text else question.name
    lines = _wrapped(head, width - len(indent), "    ")
    lines += [f"  {line}" for line in _answer(topic, question, answer, width - len(indent) - 2, paint)]
    return "".join(f"{indent}{line}".rstrip() + "\n" for line in lines)


def _summary(answers: Iterable[Answer], paint: Paint) -> str:
    kinds = [type(answer) for answer in answers]
    sorts = ((Proved, "proved", "good"), (Refuted, "refuted", "bad"), (Unknown, "unknown", "unsure"))
    counts = [(kinds.count(kind), word, style) for kind, word, style in sorts]
    return ", ".join(paint(style, f"{count} {word}") for count, word, style in counts if count) + "\n"


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, 20), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _answer(topic: Topic, question: Question, answer: Answer, width: int, paint: Paint) -> list[str]:
    match answer:
        case Proved():
            how = _from(topic, question, answer)
            when = f" in {answer.seconds:.2f} s" if question.query else " by inspection of its terms"
            lines = _coloured(f"proved{when}{how}", "proved", "good", width, paint)
            if answer.satisfiable is False:
                lines += _coloured(f"warning: {CONTRADICTION}", "warning", "unsure", width, paint)
            return lines
        case Refuted():
            assert question.query is not None, "only a query can be refuted"
            return _refuted(answer, question.query, width, paint)
        case Unknown():
            return _unknown(answer, width, paint)


def _from(topic: Topic, question: Question, answer: Proved) -> str:
    """What a proof rests on."""
    if question.query is None:
        return ""
    names = dict(topic.axioms)
    axioms = ", ".join(names[span] for span in answer.assumptions if span in names)
    model, own = topic.own
    rest = [span for span in answer.assumptions if span not in names]
    shared = _assumed(tuple(span for span in rest if span not in own), question.span)
    owned = _assumed(tuple(span for span in rest if span in own), None)
    parts = [f"{axioms} of {topic.given}"] if axioms else []
    parts += [shared] if shared else []
    parts += [f"statements of {model} itself ({owned})"] if owned else []
    if not parts:
        return f" without any axiom of {topic.given}" if topic.given else ""
    return f" from {'' if answer.exact else 'at most '}{' and '.join(parts)}"


def _coloured(text: str, word: str, style: str, width: int, paint: Paint) -> list[str]:
    first, *rest = _wrapped(text, width, "  ")
    return [paint(style, word) + first.removeprefix(word), *rest]


def _assumed(spans: tuple[Span, ...], claim: Span | None) -> str:
    """The assumptions' lines; those of other files with the file's name."""
    own = claim.path if claim else None
    by_file: dict[str, set[int]] = {}
    for span in spans:
        by_file.setdefault(span.path, set()).add(span.line)
    lines = by_file.pop(own, set()) if own is not None else set()
    here = [f"line{'s' * (len(lines) > 1)} {_runs(lines)}"] if lines else []
    there = [f"{Path(path).name}:{_runs(lines)}" for path, lines in by_file.items()]
    return " and ".join((*here, *([", ".join(there)] if there else [])))


def _runs(numbers: Iterable[int]) -> str:
    """Numbers in order, three or more that follow each other as a range: ``4, 7-9``."""
    ordered = sorted(numbers)
    runs = [[*group] for _, group in groupby(enumerate(ordered), lambda pair: pair[1] - pair[0])]
    shown: list[str] = []
    for run in runs:
        lines = [str(line) for _, line in run]
        shown += [f"{lines[0]}-{lines[-1]}"] if len(lines) > 2 else lines
    return ", ".join(shown)


def _unknown(answer: Unknown, width: int, paint: Paint) -> list[str]:
    when = f" after {answer.seconds:.2f} s" if answer.seconds else ""
    lines = _coloured(f"unknown{when}: {answer.reason}", "unknown", "unsure", width, paint)
    for missing in answer.missing:
        lines += _wrapped(f"- {missing}", width, "  ")
    return lines


def _refuted(answer: Refuted, query: Query, width: int, paint: Paint) -> list[str]:
    example = counterexample(query, answer)
    what = f"refuted in {answer.seconds:.2f} s by an execution with {_what(answer)}"
    lines = _coloured(what, "refuted", "bad", width, paint)
    lines += [f"  {line}" for line in _wrapped(word_text(example).replace(";", " ; "), width - 2, "  ")]
    return [*lines, "", *(f"  {line}" for line in columns(example, width - 2, paint)), ""]


def _what(answer: Refuted) -> str:
    if answer.cyclic:
        return "the cycle"
    other = "right" if answer.side == "left" else "left"
    return f"a path of the {answer.side} side that the {other} side does not have"
