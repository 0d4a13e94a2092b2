"""Witnesses of Mazurka's own: a small file from which ``mazurka replay`` runs one execution again.

The file names the sources with their digests, the options, the choices that lead to the execution
(``Route``), and the execution itself. A replay compiles the program, follows the choices and compares what
it finds.

I1: whatever has changed is refused: a file, what the files compile to, or an execution that is another one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mazurka import __version__
from mazurka.checking.check import check
from mazurka.checking.execution import LostRouteError, Route
from mazurka.checking.outcome import Outcome
from mazurka.checking.sizes import MixedSizes, SizedAccess
from mazurka.errors import ErrorCode, Place, UsageError
from mazurka.files import read_regular
from mazurka.frontend.c.compiler import is_system_file

if TYPE_CHECKING:
    from mazurka.checking.execution import Event, Graph, Violation

FORMAT = "mazurka-witness"
VERSION = 1
# Options of ``check`` that do not change which execution a route leads to, or that it has itself.
_LEFT_OUT = {"time_limit", "memory_limit", "max_executions", "workers", "property_file"}
_MOST_BYTES = 256 << 20  # of a witness
_AGAIN = "check the program again, with --witness"


def as_replay(outcome: Outcome, files: Sequence[str], options: Mapping[str, Any]) -> str | None:
    """The witness of a violation, given the arguments of the ``check``; None if there is no violation."""
    if outcome.violation is None or outcome.route is None or outcome.compiled is None:
        return None
    kept = {name: value for name, value in options.items() if name not in _LEFT_OUT}
    mixed = outcome.mixed_sizes
    content = {
        "format": FORMAT,
        "version": VERSION,
        "mazurka": __version__,
        "files": list(files),
        "options": kept,
        "sources": {file: _digest(file) for file in _sources(outcome, files, kept)},
        "program": hashlib.sha256(outcome.compiled.code).hexdigest(),
        "mixed_sizes": mixed and {"accesses": mixed.accesses, "sections": mixed.sections},
        "violation": _told(outcome.violation),
        "route": outcome.route._asdict(),
        "execution": _execution(outcome.violation.graph),
    }
    return json.dumps(content, indent=1) + "\n"


def _sources(outcome: Outcome, files: Sequence[str], options: Mapping[str, Any]) -> Iterator[str]:
    """The files that a user may have changed. Those of the system show in what is compiled."""
    named = [options.get("races"), options.get("compile_commands"), outcome.model_file]
    every = dict.fromkeys([*files, *outcome.program.sources, *map(str, filter(None, named))])
    return (file for file in every if os.path.isfile(file) and not is_system_file(os.path.abspath(file)))


def _digest(file: str) -> str:
    return hashlib.sha256(read_regular(file)).hexdigest()


def _told(violation: Violation) -> dict[str, Any]:
    where = violation.location
    place = None if where is None else {"file": where.file, "line": where.line}
    return {
        "kind": violation.kind,
        "message": violation.message,
        "thread": violation.thread,
        "location": place,
    }


def _execution(graph: Graph | None) -> dict[str, Any] | None:
    """The events of each thread, with what each read sees, and the coherence order of each location.

    Not whether threads spin: the explorer may have learned in other executions that a loop is futile.
    """
    if graph is None:
        return None
    threads = [[_event(event) for event in thread.events] for thread in graph.threads]
    return {"threads": threads, "co": [[c.address, c.size, list(map(list, c.writes))] for c in graph.co]}


def _event(event: Event) -> dict[str, Any]:
    every = {
        "kind": event.kind,
        "mode": int(event.mode),
        "address": event.address,
        "size": event.size,
        "value": event.value,
        "thread": event.other,
        "rf": [] if event.rf is None else list(event.rf),
        "bytes": [[part.address, part.size, part.write and list(part.write)] for part in event.parts],
    }
    return {name: value for name, value in every.items() if value or name == "kind"}


def replay(path: str) -> Outcome:
    """Runs the execution of a witness again; refuses if that is no longer possible."""
    content = _read(path)
    try:
        route = _route(content["route"])
        files, options = [str(file) for file in content["files"]], dict(content["options"])
        mixed, sources = content["mixed_sizes"], dict(content["sources"])
        recorded = content["program"], content["violation"], content["execution"], content["mazurka"]
    except OverflowError as error:
        raise _bad(path, "the witness is damaged: a number in it is out of range") from error
    except (KeyError, TypeError, ValueError) as error:
        raise _bad(path, "the witness is damaged: something is missing from it") from error
    for file, digest in sources.items():
        _check_unchanged(file, digest)
    if mixed is not None:
        options["mixed_size"] = "on"
    try:
        outcome = check(files, **options, workers=1, route=route)
    except LostRouteError as lost:
        outcome = lost.outcome
    except TypeError as error:
        raise _bad(path, f"the witness names options that Mazurka {__version__} does not have") from error
    _compare(path, outcome, *recorded)
    if mixed is not None:
        accesses = tuple(SizedAccess(*access) for access in mixed["accesses"])
        outcome = outcome._replace(mixed_sizes=MixedSizes(accesses, mixed["sections"]))
    return outcome._replace(replayed=True)


def _compare(path: str, outcome: Outcome, program: str, told: Any, execution: Any, version: str) -> None:
    """Refuses an execution that is not the recorded one."""
    if outcome.compiled is None or hashlib.sha256(outcome.compiled.code).hexdigest() != program:
        message = "the files have not changed, but they now compile to a different program"
        hint = f"a header, the compiler or Mazurka (it was {version}) has changed: {_AGAIN}"
        raise UsageError(ErrorCode.CHANGED, message, place=Place(path), hint=hint)
    found = outcome.violation
    if found is not None and told == _told(found) and execution == _plain(_execution(found.graph)):
        return
    message = "the recorded choices lead to a different execution"
    if version != __version__ or outcome.model_file is not None:
        hint = f"Mazurka (it was {version}) or the model has changed: {_AGAIN}"
        raise UsageError(ErrorCode.CHANGED, message, place=Place(path), hint=hint)
    hint = f"if the witness was not edited, this is a bug in Mazurka, so please report it; or {_AGAIN}"
    raise UsageError(ErrorCode.CHANGED, message, place=Place(path), hint=hint)


def _plain(value: Any) -> Any:
    """What JSON makes of a value."""
    return json.loads(json.dumps(value))


def _check_unchanged(file: str, digest: str) -> None:
    try:
        is_same = _digest(file) == digest
    except OSError as error:
        message = f"the witness needs this file, which cannot be read: {error.strerror}"
        hint = "replay it in the folder in which the program was checked"
        raise UsageError(ErrorCode.MISSING_FILE, message, place=Place(file), hint=hint) from error
    if not is_same:
        message = "this file has changed since the witness was written"
        raise UsageError(ErrorCode.CHANGED, message, place=Place(file), hint=_AGAIN)


def _read(path: str) -> dict[str, Any]:
    try:
        content = json.loads(read_regular(path, _MOST_BYTES))
    except IsADirectoryError as error:
        message, hint = f"'{path}' is a directory", "name a witness inside it"
        raise UsageError(ErrorCode.IS_A_DIRECTORY, message, hint=hint) from error
    except OSError as error:
        hint = "name a file that 'mazurka check --witness' wrote"
        message = f"cannot be read: {error.strerror}"
        raise UsageError(ErrorCode.MISSING_FILE, message, place=Place(path), hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise _bad(path, "this is not a Mazurka witness") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _bad(path, "this is not a Mazurka witness")
    if content.get("version") != VERSION:
        version = content.get("version")
        raise _bad(
            path,
            f"the witness has version {version} of the format, and only version {VERSION} can be replayed",
        )
    return content


def _route(fields: dict[str, Any]) -> Route:
    seed = fields["schedule_seed"]
    return Route(
        attempt=_number(fields["attempt"]),
        choices=_numbers(fields["choices"]),
        threads=tuple((_number(parent), _number(nth)) for parent, nth in fields["threads"]),
        schedule_seed=None if seed is None else _number(seed, 64),
        stuck=_number(fields["stuck"], 64),
        observed=_numbers(fields["observed"]),
        contended=_numbers(fields["contended"]),
        cuts=_numbers(fields["cuts"], 64),
    )


def _numbers(values: Any, bits: int = 32) -> tuple[int, ...]:
    return tuple(_number(value, bits) for value in values)


def _number(value: Any, bits: int = 32) -> int:
    """A number that the engine accepts."""
    number = int(value)
    if not 0 <= number < 1 << bits:
        raise OverflowError
    return number


def _bad(path: str, message: str) -> UsageError:
    hint = f"name a file that 'mazurka check --witness' wrote; or {_AGAIN}"
    return UsageError(ErrorCode.BAD_VALUE, message, place=Place(path), hint=hint)
