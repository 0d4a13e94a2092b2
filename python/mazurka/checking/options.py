"""Options of a check: values that are out of range are refused, with a hint at what could be given."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mazurka.errors import ErrorCode, UsageError
from mazurka.files import is_source, real_path
from mazurka.frontend.c.dialect import VOLATILE as VOLATILE
from mazurka.frontend.c.dialect import Dialect
from mazurka.machine import default_memory_limit

if TYPE_CHECKING:
    from mazurka.checking.properties import Property

EQUIVALENCES = ("co", "rf")
MIXED_SIZES = ("auto", "on", "off")
MOST_WORKERS = 1024
NO_RACES = "off"  # in place of a model: no error rules are checked


def check_equivalence(equivalence: str) -> None:
    if equivalence not in EQUIVALENCES:
        raise UsageError(
            ErrorCode.BAD_VALUE,
            f"unknown equivalence '{equivalence}'",
            hint=f"the equivalences are: {', '.join(EQUIVALENCES)}",
        )


def check_mixed_size(mixed_size: str, equivalence: str) -> None:
    if mixed_size not in MIXED_SIZES:
        choices = ", ".join(MIXED_SIZES)
        _bad_value(f"unknown choice '{mixed_size}' for mixed sizes", f"the choices are: {choices}")
    if mixed_size == "on" and equivalence == "rf":
        message = "accesses of several sizes are not supported with reads-from equivalence"
        hint = "use --equivalence co, or leave out --mixed-size on"
        raise UsageError(ErrorCode.UNSUPPORTED, message, hint=hint)


def checked_volatile(volatile: str) -> str:
    if volatile not in VOLATILE:
        choices = ", ".join(VOLATILE)
        _bad_value(f"unknown choice '{volatile}' for volatile accesses", f"the choices are: {choices}")
    return volatile


def leaks_sought(asked: bool, wanted: Property | None, equivalence: str, *, reuse_memory: bool) -> str:
    """What the engine is to do about memory that is never freed."""
    if wanted is None or wanted.leaks == "ignored":
        return "noted" if asked else "ignored"
    if (
        equivalence == "rf"
    ):  # the last write of a location may be another in an execution that counts as the same
        message = f"'{wanted.name}' is not supported with reads-from equivalence"
        raise UsageError(ErrorCode.UNSUPPORTED, message, hint="use --equivalence co")
    if reuse_memory and wanted.leaks == "all-forbidden":
        message = f"'{wanted.name}' is not supported with --reuse-memory, which keeps freed blocks"
        raise UsageError(ErrorCode.UNSUPPORTED, message, hint="leave out --reuse-memory")
    return wanted.leaks


def with_open(dialect: Dialect, nondet: str | tuple[int, int] | None, stubs: Sequence[str]) -> Dialect:
    """The dialect with what the user says about what the program leaves open."""
    if nondet is None and not stubs:
        return dialect
    from mazurka.checking.left_open import read_range, read_stubs  # late: few checks need it

    known = None if nondet is None else read_range(nondet)
    return dialect._replace(nondet=known, stubs=read_stubs(stubs))


def check_arguments(path: object, options: Mapping[str, object], more: Sequence[str] = ()) -> None:
    """Refuses options that neither ``check`` nor the caller (``more``) has, or whose type is wrong."""
    import inspect

    from mazurka.checking.check import check  # late: it imports this module
    from mazurka.spelling import hint_about

    usual = {name: one.default for name, one in inspect.signature(check).parameters.items()}
    for name in options:
        if name == "path" or name not in (*usual, *more):
            known = [*list(usual)[1:], *more]
            hint = hint_about(name, known, "docs/reference/python.md lists the options of mazurka.check")
            raise UsageError(ErrorCode.UNKNOWN_OPTION, f"there is no option '{name}'", hint=hint)
    check_types({**usual, "path": path, **{n: value for n, value in options.items() if n not in more}})


def check_types(given: Mapping[str, object]) -> None:
    """Refuses arguments of a wrong type: Python programs find out only at run time."""
    path = given["path"]
    if hasattr(path, "verdict"):
        _bad_value("this is the answer of a check, not a program", "give the program itself")
    is_list = isinstance(path, Sequence) and not isinstance(path, (str, bytes, bytearray))
    if is_list and not all(isinstance(one, (str, os.PathLike)) for one in path):  # type: ignore[attr-defined]
        _bad_value(f"{_PROGRAM}; programs of other kinds cannot stand in a list", _PROGRAM_HINT)
    if path is None or isinstance(path, (bytes, bytearray, int, float)):
        _bad_value(_PROGRAM, _PROGRAM_HINT)
    for name in ("model", "races"):
        if name == "model" or given[name] is not None:
            check_name(given[name], "a model", f"pass such as {name}='rc11'")
    for name, value in given.items():
        if name in _LISTS and isinstance(value, (str, bytes)):
            _bad_value(
                f"{name} must be a list of {_LISTS[name]}, not a single string", f"pass {name}=[{value!r}]"
            )
        elif name in _LISTS and not _is_list_of_texts(value):
            _bad_value(
                f"{name} must be a list of strings, not {value!r}", f"pass {name} as a list, or leave it out"
            )
        elif name in _PATHS and value is not None and not isinstance(value, (str, os.PathLike)):
            _bad_value(f"{name} must be a path, not {value!r}", f"pass {name} as a string, or leave it out")
        elif name in _SWITCHES and not isinstance(value, bool):
            _bad_value(f"{name} must be True or False, not {value!r}", f"pass such as {name}=True")
        elif name in _NUMBERS:
            check_number(name, value)
    if given["watch"] is not None and not hasattr(given["watch"], "explore"):
        _bad_value(f"watch must be a {_WATCH}, not {given['watch']!r}", f"pass a {_WATCH}, or leave it out")
    if given["route"] is not None and not hasattr(given["route"], "choices"):
        hint = "pass the route of an Outcome with a violation, or leave it out"
        _bad_value(f"route must be that of an Outcome, not {given['route']!r}", hint)
    _refuse_unused(given, is_file=is_list or isinstance(path, (str, os.PathLike)))


def _refuse_unused(given: Mapping[str, object], *, is_file: bool) -> None:
    """Refuses arguments without effect, because the program is not compiled or is not in a file."""
    path = given["path"]
    if isinstance(path, str) and is_source(path):
        is_file = False
    elif not is_file:
        from mazurka.held import Source  # late: few programs are not in files

        if not isinstance(path, Source):
            unused = next((name for name, usual in _OF_COMPILERS.items() if given[name] not in usual), None)
            if unused is not None:
                message = f"{unused} applies to programs in C, but this one is not compiled"
                _bad_value(message, f"leave out {unused}")
    if not is_file and given["compile_commands"] is not None:
        _bad_value(
            "compile_commands applies only to programs in files", "leave it out, and pass flags as cflags"
        )


_PROGRAM = "a program is named by one or more paths, each a string or a pathlib.Path"
_PROGRAM_HINT = "pass such as 'queue.c' or ['queue.c', 'main.c'], or mazurka.Source"
_WATCH = "mazurka.watching.progress.Watch"
_NUMBERS = ("time_limit", "memory_limit", "max_executions", "schedule_seed", "workers")
_LISTS = {"cflags": "flags", "stubs": "strings"}
_PATHS = ("cc", "compile_commands", "property_file")
_OF_COMPILERS: Mapping[str, tuple[object, ...]] = {  # with their usual values
    **{"cflags": ((), []), "stubs": ((), []), "cc": (None,), "strict": (False,)},
    **{"nondet": (None,), "volatile": ("plain",)},
}
_SWITCHES = (
    *("unchecked_model", "audit", "spin_assume", "dynamic_spin_assume", "zero_net_effect", "reshape_loops"),
    *("liveness", "verbose", "collect", "load_annotations", "confirmations", "helping", "postpones"),
    *("symmetry", "strict", "undefined", "spurious_wakeups", "malloc_may_fail", "reuse_memory", "leaks"),
    *("smallest", "keep_program"),
)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, Sequence) and all(isinstance(one, str) for one in value)


def check_number(name: str, value: object) -> None:
    """Refuses an argument that is not a number, if it is given."""
    is_whole = name != "time_limit"
    is_number = isinstance(value, int if is_whole else (int, float)) and not isinstance(value, bool)
    if value is None or is_number:
        return
    kind = "a whole number" if is_whole and isinstance(value, float) else "a number"
    _bad_value(f"{name} must be {kind}, not {value!r}", f"pass {name} as a number, or leave it out")


def check_name(value: object, what: str, hint: str) -> None:
    """Refuses an argument that does not name a file or a model."""
    if not isinstance(value, (str, os.PathLike)):
        _bad_value(f"{what} is named by a string or a path, not by {value!r}", hint)


def check_distinct(paths: Sequence[str]) -> None:
    """Refuses a file that is given twice: everything in it would be defined twice."""
    seen: dict[str, str] = {}
    for path in paths if len(paths) > 1 else ():
        place = real_path(path)
        if place in seen:
            same = f", also as '{seen[place]}'" if seen[place] != path else ""
            message = f"the file '{path}' is given twice{same}"
            raise UsageError(ErrorCode.USAGE, message, hint="name each file of the program once")
        seen[place] = path


def check_numbers(schedule_seed: int | None, time_limit: float | None) -> None:
    check_number("time_limit", time_limit)
    if schedule_seed is not None and not 0 <= schedule_seed < 1 << 64:
        _bad_value(f"schedule seed {schedule_seed} is out of range", "give a number from 0 to 2^64 - 1")
    if time_limit is not None and not 0 < time_limit < float("inf"):
        _bad_value(f"a time limit of {time_limit:g} s is out of range", "give a positive number of seconds")


def memory_limit_of(asked: int | None) -> int | None:
    """The limit in bytes, if there is one."""
    if asked is None:
        return default_memory_limit()
    if not 1 << 20 <= asked < 1 << 63:
        _bad_value(
            f"a memory limit of {asked} byte{'s' * (asked != 1)} is out of range",
            "give at least 1M, such as 2G",
        )
    return asked


def check_workers(workers: int | None) -> None:
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        hint = f"give --workers a number from 1 to {MOST_WORKERS}, or leave it out for one worker per core"
        _bad_value(f"a worker count of {workers} is out of range", hint)


def check_max_executions(most: int | None) -> None:
    if most is not None and not 1 <= most < 1 << 63:
        _bad_value(f"a limit of {most} executions is out of range", "give --max-executions a positive number")


def _bad_value(message: str, hint: str) -> None:
    raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)
