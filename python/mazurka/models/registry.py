"""The one registry of models: which models exist, what each is for, and which file a name or a path means.

A file's folder says what it is for, so nothing is parsed to find it:

- ``*.kat`` here are the models of languages, and those that are like them: the explorer runs them.
- ``machines/*.kat`` are the models of machines, which the explorer runs, too, but with fewer options.
- ``flags/*.kat`` say which executions under such a model are flagged, as having a data race.
- ``proving/*.kat`` are models for proofs: the prover knows them, the explorer does not run them.
- In these folders, files whose names end in ``-base`` are parts that models include, not models themselves.
- ``claims/*.kat`` are claims about models.

I1: the model language is not loaded here: a check whose plan is in the cache does not need it.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from mazurka.errors import ErrorCode, ModelError

DEFAULT_MODEL = "rc11"
FOLDER = os.path.dirname(os.path.realpath(__file__))
FOLDER_OF_MACHINES = os.path.join(FOLDER, "machines")
FOLDER_OF_FLAGS = os.path.join(FOLDER, "flags")
FOLDER_FOR_PROOFS = os.path.join(FOLDER, "proving")
FOLDER_OF_CLAIMS = os.path.join(FOLDER, "claims")
_SUFFIX = ".kat"
CAT_SUFFIX = ".cat"  # of models in herd's language: only users have them
BELL_SUFFIX = ".bell"  # what a .cat file of the same name says about tags
_SHARED = "-base"


class ModelFile(NamedTuple):
    """The file of a model; ``own`` says that it is the user's and does not come with Mazurka."""

    path: str
    own: bool


def runnable_models() -> list[str]:
    """The names of the models that programs can be checked under, whatever the options."""
    return _names(FOLDER)


def machine_models() -> list[str]:
    """The names of the models of machines, which programs in C and litmus tests can be checked under."""
    return _names(FOLDER_OF_MACHINES)


def models_for_proofs() -> list[str]:
    """The names of the models that only the prover knows."""
    return _names(FOLDER_FOR_PROOFS)


def all_models() -> list[str]:
    """All names: first the models that programs can be checked under, then those for proofs."""
    return [*runnable_models(), *machine_models(), *models_for_proofs()]


def find_runnable(given: str | os.PathLike[str]) -> ModelFile:
    """The file of a model to check programs under, by its name or its path."""
    return _find(os.fspath(given), for_proofs=False)


def find_any(given: str | os.PathLike[str]) -> ModelFile:
    """The file of any model, including those for proofs, by its name or its path."""
    return _find(os.fspath(given), for_proofs=True)


def flags_of(name: str) -> ModelFile | None:
    """The file that says which executions under a model of a machine are flagged, if there is one."""
    path = os.path.join(FOLDER_OF_FLAGS, name + _SUFFIX)
    return ModelFile(path, own=False) if os.path.isfile(path) else None


def is_shipped(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of the models that come with Mazurka."""
    return os.path.dirname(os.path.realpath(path)) in (
        FOLDER,
        FOLDER_OF_MACHINES,
        FOLDER_OF_FLAGS,
        FOLDER_FOR_PROOFS,
    )


def _find(given: str, *, for_proofs: bool) -> ModelFile:
    if "/" in given or os.sep in given or given.endswith((_SUFFIX, CAT_SUFFIX)):
        from pathlib import Path  # late: a check under a shipped model does not need it

        return ModelFile(str(Path(given)), own=True)
    folders = (FOLDER, FOLDER_OF_MACHINES)
    for folder in (*folders, FOLDER_FOR_PROOFS) if for_proofs else folders:
        path = os.path.join(folder, given + _SUFFIX)
        if _is_model(given) and os.path.isfile(path):
            return ModelFile(path, own=False)
    raise _unknown(given, for_proofs)


def _names(folder: str) -> list[str]:
    stems = (name.removesuffix(_SUFFIX) for name in os.listdir(folder) if name.endswith(_SUFFIX))
    return sorted(filter(_is_model, stems))


def _is_model(stem: str) -> bool:
    return bool(stem) and not stem.endswith(_SHARED)


def _unknown(given: str, for_proofs: bool) -> ModelError:
    from mazurka.spelling import hint_about  # late: only errors need it

    known = all_models() if for_proofs else [*runnable_models(), *machine_models()]
    others = f"the models are: {', '.join(known)}; give your own by its path, such as ./mine.kat"
    message = f"there is no model '{given}'"
    if given in models_for_proofs():
        message = f"the model '{given}' is for proofs only: programs cannot be checked under it"
        return ModelError(ErrorCode.UNKNOWN_MODEL, message, hint=others)
    return ModelError(ErrorCode.UNKNOWN_MODEL, message, hint=hint_about(given, known, others, most=2))
