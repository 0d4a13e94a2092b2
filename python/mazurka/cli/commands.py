"""The command line: ``check``, ``replay``, ``explain``, ``estimate``, ``fix``, ``tune``, ``litmus``,
``prove``, ``models``.

``docs/reference/cli.md`` is its contract.

Exit status: 0 verified or proved, 1 a violation or refuted, 2 bad input or usage, 3 bounded, interrupted or
unknown, 70 a bug in Mazurka.
No input ends in a traceback: whatever prevents an answer is a ``MazurkaError``, printed with place and cure.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from mazurka import __version__
from mazurka.cache import disk
from mazurka.checking.check import check
from mazurka.checking.outcome import Outcome
from mazurka.cli.check_options import (
    add_check_options,
    add_options_without_report,
    add_repair_options,
    check_keywords,
)
from mazurka.cli.terminal import (
    check_writable,
    has_colour,
    interrupted,
    never_fail_to_encode,
    print_text,
    refuse_overwriting,
    refuse_sharing,
    say_written,
    width,
    write_text,
)
from mazurka.errors import ErrorCode, MazurkaError, UsageError, foreseen

if TYPE_CHECKING:
    from mazurka.checking.exploring import Watcher
    from mazurka.why_not.programs.expected import Answer, Question

EXIT_STATUS = {"verified": 0, "violation": 1, "bounded": 3, "interrupted": 3}
BAD_INPUT = 2
OUR_BUG = 70
CHECK_OUTPUTS = ("json", "junit", "sarif", "witness", "html", "svg", "dot")  # those that ``check`` has
OUTPUTS = (*CHECK_OUTPUTS, "program", "litmus", "output")  # all options that name a file to write


class _Once(argparse._StoreAction):
    """Keeps the value of an option, and counts how often it is given."""

    times = 0

    def __call__(self, *given: Any, **more: Any) -> None:
        self.times += 1
        super().__call__(*given, **more)


class _Parser(argparse.ArgumentParser):
    """Raises the errors that argparse would print, so that all errors look alike."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def repeated(self) -> str | None:
        """An option that has one value and was given several times."""
        options = (action for action in self._actions if isinstance(action, _Once) and action.option_strings)
        return next((action.option_strings[0] for action in options if action.times > 1), None)

    def error(self, message: str) -> NoReturn:
        code = ErrorCode.BAD_VALUE if ": invalid " in message else ErrorCode.USAGE
        message = message.replace("ignored explicit argument", "it takes no value, but is given")
        for kind, meant in (("float", "a number"), ("int", "a whole number")):
            wrong = f": invalid {kind} value: "
            if wrong in message:
                name, _, given = message.partition(wrong)
                message = f"{name}: {given} is not {meant}"
        raise UsageError(code, message, hint=_help_hint(self.prog))

    def _print_message(self, message: str, file: object = None) -> None:
        """Prints help and version like everything else: argparse would ignore a failure."""
        print_text(message)


def _help_hint(prog: str) -> str:
    return f"'{prog} --help' lists the options and arguments"


_INFORMING = {"-h", "--help", "--version"}  # they override everything else


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        never_fail_to_encode(stream)
    options = argparse.Namespace()
    try:
        with foreseen():
            options = parse_arguments(arguments)
            refuse_overwriting(options, OUTPUTS)
            for option in OUTPUTS:
                check_writable(getattr(options, option, None), f"--{option}")
            return _run(options)
    except MazurkaError as error:
        from mazurka.cli.complaints import print_error

        return print_error(error, arguments, options)
    except KeyboardInterrupt:
        return interrupted()


def _run(options: argparse.Namespace) -> int:
    if options.command == "models":
        return _models(options)
    if options.command == "explain":
        from mazurka.cli.models import run_explain

        return run_explain(" ".join(options.name))
    if options.command == "prove":
        from mazurka.cli.prove import run_prove

        return run_prove(options)
    if options.command == "litmus":
        from mazurka.cli.litmus import run_litmus

        return run_litmus(options)
    if options.command in ("estimate", "fix", "tune") and not (options.files or options.compile_commands):
        from mazurka.cli.complaints import without_files

        raise without_files(options.command)
    if options.command == "estimate":
        from mazurka.cli.estimate import run_estimate

        return run_estimate(options, lambda probe: _checked(options, probe))
    if options.command in ("fix", "tune"):
        from mazurka.cli.repair import run_repair

        return run_repair(options, _checked)
    if options.command == "replay":
        from mazurka.cli.witness import run_replay

        return run_replay(options)
    return _check(options)


def parse_arguments(arguments: list[str], *, last_counts: bool = False) -> argparse.Namespace:
    """Options; what follows ``--`` goes to the compiler.

    An option that is given twice is an error, unless the ``last_counts``: those of the command line are
    behind those of a ``mazurka.toml``.
    """
    own, cflags = arguments, []
    if "--" in arguments:
        split = arguments.index("--")
        own, cflags = arguments[:split], arguments[split + 1 :]
    if "" in own or any(word.endswith("=") and word.startswith("--") for word in own):
        from mazurka.cli.complaints import refuse_empty

        refuse_empty(own)
    command = next((word for word in own if not word.startswith("-")), "")
    parser, commands = _parser(command, comes_first=own[:1] == [command])
    if own and command not in commands and not _INFORMING & {*own}:
        from mazurka.cli.complaints import unknown_command, unknown_option

        known = parser._option_string_actions
        raise unknown_command(command, own, commands) if command else unknown_option("", own[0], known)
    options, unknown = parser.parse_known_args(_joined(own))
    if options.command in ("check", "estimate", "fix", "tune"):
        # files may stand between options, and argparse takes only those that stand together
        options.files += [word for word in unknown if not word.startswith("-")]
        unknown = [word for word in unknown if word.startswith("-")]
        cflags = [*options.cflags, *cflags]
    chosen = commands[command]
    if unknown:
        from mazurka.cli.complaints import unknown_option

        raise unknown_option(command, unknown[0], chosen._option_string_actions)
    if not last_counts and (repeated := chosen.repeated()):
        from mazurka.cli.complaints import repeated_option

        raise repeated_option(command, repeated)
    options.cflags = cflags
    options.arguments = arguments
    return options


def _joined(words: list[str]) -> list[str]:
    """With ``--nondet -1..4`` as one word: argparse takes a word that begins with a hyphen for an option."""
    if "--nondet" not in words[:-1]:
        return words
    at = words.index("--nondet")
    return [*words[:at], f"{words[at]}={words[at + 1]}", *words[at + 2 :]]


def _parser(command: str, comes_first: bool) -> tuple[_Parser, Mapping[str, _Parser]]:
    """The parser, and those of all commands. If a known command comes first, only its parser is made:
    making all of them takes as long as a small check.
    """
    parser = _Parser(
        prog="mazurka",
        usage="mazurka COMMAND [OPTIONS] ARGUMENT…",
        description="Checks concurrent C and C++ programs against memory models. "
        "'mazurka COMMAND --help' lists the options of a command.",
        epilog="exit status: 0 verified or proved, 1 violation or refuted, 2 bad input or usage, "
        "3 bounded, interrupted or unknown, 70 a bug in Mazurka",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    parser.add_argument("--version", action="version", version=f"mazurka {__version__}")
    # given explicitly: otherwise argparse lays out a usage line to find it
    commands = parser.add_subparsers(
        prog="mazurka", dest="command", metavar="COMMAND", required=True, title="commands"
    )
    adding = {
        "check": _add_check,
        "replay": _add_replay,
        "explain": _add_explain,
        "estimate": _add_estimate,
        "fix": _add_repair,
        "tune": _add_repair,
        "litmus": _add_litmus,
        "prove": _add_prove,
        "models": _add_models,
    }
    chosen = [adding[command]] if comes_first and command in adding else adding.values()
    for add in dict.fromkeys(chosen):
        add(commands, command)
    return parser, commands.choices


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    """With an explicit width: argparse makes a formatter per option, and loads much to find the width."""
    return argparse.HelpFormatter(prog, width=width() - 2)


def _add_models(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    parser = commands.add_parser(
        "models",
        help="list the memory models, or show one",
        usage="mazurka models [--explain] [NAME|FILE] | --lattice [OPTIONS]",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    if command == "models":
        from mazurka.cli.question_options import add_models_options

        add_models_options(parser)


def _add_check(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    parser = commands.add_parser(
        "check",
        help="explore every execution of a C or C++ program",
        usage="mazurka check [OPTIONS] FILE… [-- CFLAGS…]",
        epilog="exit status: 0 verified, 1 violation, 2 bad input or usage, 3 bounded or interrupted. "
        "docs/reference/cli.md says more about each option.",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    if command == "check":
        add_check_options(lambda title: parser.add_argument_group(title).add_argument, takes_projects=True)


def _add_explain(commands: argparse._SubParsersAction[_Parser], _command: str) -> None:
    parser = commands.add_parser(
        "explain",
        help="explain a kind of violation, an error, a term or a model",
        usage="mazurka explain [NAME]",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    parser.add_argument("name", metavar="NAME", nargs="*", help="such as race (default: list the names)")


def _add_repair(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    for name, does in (
        ("fix", "strengthen memory orderings until a violation is gone"),
        ("tune", "weaken memory orderings as far as a program stays correct"),
    ):
        parser = commands.add_parser(
            name,
            help=does,
            usage=f"mazurka {name} [OPTIONS] FILE… [-- CFLAGS…]",
            allow_abbrev=False,
            formatter_class=_help_formatter,
        )
        if name == command:
            add_repair_options(parser)


def _as_written(prog: str) -> argparse.HelpFormatter:
    """Keeps the line breaks of a description."""
    return argparse.RawDescriptionHelpFormatter(prog, width=width() - 2)


def _add_estimate(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    parser = commands.add_parser(
        "estimate",
        help="estimate the number of executions of a check, and its time",
        usage="mazurka estimate [OPTIONS] FILE… [-- CFLAGS…]",
        description="Estimates how many executions 'mazurka check' explores with the same options.",
        epilog="exit status: 0 estimated, 1 violation, 2 bad input or usage, 3 unknown",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    if command == "estimate":
        add_options_without_report(parser, kept="--json")


def _add_prove(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    parser = commands.add_parser(
        "prove",
        help="decide claims about memory models",
        usage="mazurka prove [OPTIONS] FILE.kat… | QUESTION ARGUMENT…",
        epilog="exit status: 0 all proved, 1 some refuted, 2 bad input or usage, "
        "3 none refuted, but some unknown",
        allow_abbrev=False,
        formatter_class=_as_written,
    )
    if command == "prove":
        from mazurka.cli.question_options import add_prove_options

        add_prove_options(parser)


def _add_litmus(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    parser = commands.add_parser(
        "litmus",
        help="run litmus tests in herd's format",
        usage="mazurka litmus [OPTIONS] FILE|FOLDER…",
        epilog="exit status: 0 all tests were run, 1 a verdict differs from expected.tsv, "
        "2 bad input or usage, 3 a loop was cut at its bound",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    if command == "litmus":
        from mazurka.cli.question_options import add_litmus_options

        add_litmus_options(parser)


def _add_replay(commands: argparse._SubParsersAction[_Parser], _command: str) -> None:
    add = commands.add_parser(
        "replay",
        help="run the execution of a witness again",
        usage="mazurka replay [OPTIONS] FILE",
        epilog="exit status: 1 the same violation was found again, "
        "2 bad input or usage, or something has changed",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    ).add_argument
    add("witness_file", metavar="FILE", help="a file that 'mazurka check --witness' wrote")
    add("--calls", action="store_true", help="also show the functions through which a line accesses memory")


def _models(options: argparse.Namespace) -> int:
    from mazurka.cli.models import explained, listing, page

    if options.lattice:
        from mazurka.cli.prove import run_lattice

        return run_lattice(options)
    given = next((o for o in ("svg", "dot", "time_limit") if getattr(options, o) is not None), None)
    if given is not None:
        message = f"--{given.replace('_', '-')} needs --lattice"
        raise UsageError(ErrorCode.USAGE, message, hint="mazurka models --lattice")
    if options.model is None:
        if options.explain:
            raise UsageError(ErrorCode.USAGE, "--explain needs a model", hint="mazurka models --explain rc11")
        print_text(listing())
    elif options.explain:
        print_text(explained(options.model, unchecked=options.unchecked_model))
    else:
        print_text(page(options.model))
    return 0


def _check(options: argparse.Namespace) -> int:
    refuse_sharing(options, CHECK_OUTPUTS)
    if options.all_executions and options.html is None:
        hint = "say where to write the page, such as --html executions.html"
        raise UsageError(ErrorCode.USAGE, "--all-executions needs --html", hint=hint)
    if options.files[-1:] == [] or options.files[-1].endswith(".toml"):
        from mazurka.cli.project import find_project, run_project

        project = find_project(options)
        if project is not None:
            return run_project(project, options)
        if not options.files and options.compile_commands is None:
            from mazurka.cli.complaints import without_files

            raise without_files("check")
    question = _question(options) if options.expect_outcome is not None else None
    outcome = watched_check(options)
    answer = question.answer(outcome) if question is not None else None
    _show(outcome, options, answer)
    return _status(outcome, options, answer)


def _question(options: argparse.Namespace) -> Question:
    from mazurka.why_not.programs.expected import Question

    keywords = check_keywords(options)
    return Question(options.expect_outcome, keywords, lambda **changed: _checked(options, **changed))


def _status(outcome: Outcome, options: argparse.Namespace, answer: Answer | None) -> int:
    usual = status_of(outcome, options)
    return usual if answer is None else answer.status(outcome, usual)


def status_of(outcome: Outcome, options: argparse.Namespace) -> int:
    """The exit status of a check."""
    if outcome.vacuous and (options.fail_on_vacuous or outcome.verdict == "bounded"):
        return EXIT_STATUS["bounded"]
    if outcome.verdict == "bounded" and options.allow_bounded:
        return 0
    return EXIT_STATUS[outcome.verdict]


def watched_check(options: argparse.Namespace) -> Outcome:
    """What a check with these options finds; meanwhile, its progress is shown if that is asked for."""
    watch, end = _watch(options)
    try:
        return _checked(options, watch)
    finally:
        end()


def _watch(options: argparse.Namespace) -> tuple[Watcher | None, Callable[[], None]]:
    """The watch that receives a check's progress, if there is one, and how to end it."""
    if (
        options.quiet
        or options.progress == "never"
        or (options.progress == "auto" and not sys.stderr.isatty())
    ):
        return None, lambda: None
    from mazurka.cli.progress import Display
    from mazurka.watching.progress import Watch

    display = Display(sys.stderr, is_live=sys.stderr.isatty(), time_limit=options.time_limit)
    return Watch(display.show), display.end


def _checked(options: argparse.Namespace, watch: Watcher | None = None, **changed: Any) -> Outcome:
    """What a check with these options finds; some of those of ``mazurka.check`` may be ``changed``."""
    if options.no_cache:
        os.environ[disk.SWITCH] = "off"
    return check(**{"path": options.files, **check_keywords(options), **changed}, watch=watch)


def _show(outcome: Outcome, options: argparse.Namespace, answer: Answer | None) -> None:
    """Prints the answer. If that fails, the error message contains the verdict, so that it is not lost."""
    from mazurka.report import as_json, as_text

    try:
        if "-" not in (getattr(options, output) for output in CHECK_OUTPUTS):
            looks = {"width": width(), "colour": has_colour(sys.stdout), "calls": options.calls}
            print_text(as_text(outcome, verbose=options.verbose, explain=options.explain, **looks))
            if answer is not None:
                print_text(answer.report(outcome, **looks))
        written = [path for path in (options.json, options.junit, options.sarif) if path is not None]
        if options.json is not None:
            expected = None if answer is None else answer.as_json(outcome)
            write_text(options.json, as_json(outcome, explain=options.explain, expected=expected))
        if options.witness is not None:
            from mazurka.cli.witness import write_witness

            written += write_witness(outcome, options)
        if not options.html is options.svg is options.dot is None:
            from mazurka.cli.pictures import write_pictures

            written += write_pictures(
                outcome, options, lambda: _checked(options, collect=True, symmetry=False), answer
            )
        if not options.junit is options.sarif is None:
            from mazurka.cli.ci import answered, case_of, write_ci_files

            case = case_of(options, outcome, _status(outcome, options, answer))
            write_ci_files([answered(case, outcome, answer) if answer else case], options)
        say_written(options, written)
    except UsageError as error:
        error.message += f"; the verdict was '{outcome.verdict}'"
        raise
