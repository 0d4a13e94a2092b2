"""Reads litmus tests of herd's format: AArch64, PPC, RISC-V, X86 and X86_64 assembly, and C.

A file is: a line with the language and the name, then a text in quotes and lines ``Key=value``, the initial
state in braces, the threads, and the condition. What follows the condition in ``<< >>`` is for other tools.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.files import read_regular
from mazurka.litmus.c.functions import C11_NAMES, KERNEL_NAMES
from mazurka.litmus.c.threads import read_functions
from mazurka.litmus.machines import MACHINES, assemble
from mazurka.litmus.meaning.test import Language, LitmusTest, Thread
from mazurka.litmus.names import check_names
from mazurka.litmus.text.columns import read_columns
from mazurka.litmus.text.initial import InitialState
from mazurka.litmus.text.places import Registers
from mazurka.litmus.text.problems import Source, closest
from mazurka.litmus.text.questions import Question
from mazurka.litmus.text.tokens import Tokens, without_comments

_FIRST_LINE = re.compile(r"(?s:\s*(?:\(\*.*?\*\)\s*)*)([A-Za-z]\w*)[ \t]+(\S+)[ \t]*(?:\([\w ]*\))?[ \t]*")
_TEXT = re.compile(r'\s*"[^"]*"')
_ENTRY = re.compile(r"\s*([A-Za-z][\w-]*)[ \t]*=[ \t]*([^\n]*)")
_END = re.compile(r"(?<![\w~])(?:(?:~|not)\s*(?:exists|forall)|exists|forall|locations|filter|final)\b")
_FOR_OTHER_TOOLS = re.compile(r"<<.*?>>", re.DOTALL)
_VARIANTS = frozenset(("telechat", "mixed"))  # those that do not change what a test means here
_LANGUAGES = {language.value: language for language in Language} | {"C11": Language.C11}
_FORMAT = "a test is: language and name, { initial state }, threads, and a condition such as exists (x=1)"


def read_litmus(path: str) -> LitmusTest:
    """The test in a file."""
    try:
        text = read_regular(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            ErrorCode.NOT_TEXT, "this is not UTF-8 text", hint="name a litmus test", place=Place(path)
        ) from error
    except IsADirectoryError as error:
        raise SourceError(
            ErrorCode.IS_A_DIRECTORY, "this is a directory", hint="name a file", place=Place(path)
        ) from error
    except OSError as error:
        raise SourceError(
            ErrorCode.MISSING_FILE,
            f"cannot read the test: {error.strerror}",
            hint="check the spelling and the working directory",
            place=Place(path),
        ) from error
    return parse_litmus_file(text, path)


def parse_litmus_file(text: str, file: str) -> LitmusTest:
    """The test that a text describes; ``file`` is for messages."""
    source = Source(text.replace("\0", "\ufffd"), file)
    first = _FIRST_LINE.match(source.text)
    if not first:
        raise source.problem(0, "expected a language and a name, such as: AArch64 MP", hint=_FORMAT)
    language = _LANGUAGES.get(first[1])
    if language is None:
        known = ", ".join(name for name in _LANGUAGES if " " not in name)
        raise source.unsupported(
            first.start(1),
            f"unknown language '{first[1]}'",
            hint=closest(first[1], _LANGUAGES, f"tests can be written in {known}"),
            length=len(first[1]),
        )
    is_c = language is Language.C11
    clean = without_comments(source, is_c=is_c)
    clean = _FOR_OTHER_TOOLS.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), clean) if not is_c else clean
    return _Sections(source, clean, language, first).test()


@dataclass
class _Sections:
    """The parts of a file, read from its beginning to its end."""

    source: Source
    clean: str  # the text without comments
    language: Language
    first: re.Match[str]

    def test(self) -> LitmusTest:
        metadata, opening = self._header()
        closing = self._closing(opening)
        registers = self._registers()
        initial = InitialState(Tokens(self.source, self.clean, opening + 1, closing), registers)
        body = closing + 1 + len(self.clean[closing + 1 :]) - len(self.clean[closing + 1 :].lstrip(" \t\n;"))
        threads, end = self._threads(body)
        question = Question(Tokens(self.source, self.clean, end), registers)
        test = LitmusTest(
            name=self.first[2],
            language=self.language,
            file=self.source.file,
            metadata=metadata,
            registers=tuple(initial.registers),
            locations=tuple(initial.locations),
            threads=threads,
            condition=question.condition,
            filter=question.filter,
            shown=question.shown,
        )
        check_names(test, self.source)
        return test

    def _header(self) -> tuple[tuple[tuple[str, str], ...], int]:
        """The lines between the name and the initial state, and where that begins."""
        entries, at = [], self.first.end()
        while True:
            if match := _TEXT.match(self.clean, at):
                at = match.end()
            elif match := _ENTRY.match(self.clean, at):
                self._check_variant(match)
                entries.append((match[1], match[2].strip()))
                at = match.end()
            else:
                break
        rest = self.clean[at:]
        at += len(rest) - len(rest.lstrip())
        if self.clean[at : at + 1] != "{":
            raise self.source.problem(at, "expected the initial state in braces", hint=_FORMAT)
        return tuple(entries), at

    def _check_variant(self, match: re.Match[str]) -> None:
        if match[1].lower() not in ("variant", "variants"):
            return
        for name in re.findall(r"[\w-]+", match[2]):
            if name not in _VARIANTS:
                raise self.source.unsupported(
                    match.start(2),
                    f"the variant '{name}' is not supported",
                    hint="remove the line",
                    length=len(name),
                )

    def _closing(self, opening: int) -> int:
        depth = 0
        for at in range(opening, len(self.clean)):
            depth += {"{": 1, "}": -1}.get(self.clean[at], 0)
            if depth == 0:
                return at
        raise self.source.problem(opening, "the initial state does not end", hint="close it with '}'")

    def _registers(self) -> Registers:
        if self.language is not Language.C11:
            return MACHINES[self.language].registers
        names = set(re.findall(r"[A-Za-z_]\w*", self.clean))
        if names & KERNEL_NAMES:
            both = sorted(names & C11_NAMES)
            if both:
                at = re.search(rf"\b{both[0]}\b", self.clean)
                assert at
                other = min(names & KERNEL_NAMES)
                raise self.source.problem(
                    at.start(),
                    f"the test uses {both[0]} of C11, and {other} of the Linux kernel",
                    hint="use the functions of one of them",
                    length=len(both[0]),
                )
            self.language = Language.KERNEL
        return lambda name: (name, 64)

    def _threads(self, body: int) -> tuple[tuple[Thread, ...], int]:
        if self.language in (Language.C11, Language.KERNEL):
            return read_functions(self.source, self.clean, body, self.language is Language.KERNEL)
        match = _END.search(self.clean, body)
        end = match.start() if match else len(self.clean)
        columns = read_columns(self.source, self.clean, body, end)
        machine = MACHINES[self.language]
        return tuple(assemble(self.source, machine, column) for column in columns), end
