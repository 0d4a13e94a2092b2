"""Models by their names: those that the engine runs, those for proofs only, and files of the user."""

from __future__ import annotations

from pathlib import Path

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.language.load import MODELS, load_model
from mazurka.kat.language.problems import did_you_mean
from mazurka.kat.meaning.terms import Model

PROVING = MODELS / "proving"


def named_model(given: str) -> Model:
    """The model of a name or of a path, which has a slash in it or ends in ``.kat``."""
    if "/" in given or given.endswith(".kat"):
        return load_model(given)
    path = _model_in(MODELS, given) or model_for_proofs(given)
    if path is not None:
        return load_model(path)
    known = model_names()
    meant = did_you_mean(given, known)
    raise ModelError(
        ErrorCode.UNKNOWN_MODEL,
        f"there is no model '{given}'",
        hint=f"{f'{meant} ' if meant else ''}the models are: {', '.join(known)}; "
        "give your own by its path, such as ./mine.kat",
    )


def model_for_proofs(name: str) -> Path | None:
    """The file of a model that the engine does not run."""
    return _model_in(PROVING, name)


def _model_in(directory: Path, name: str) -> Path | None:
    path = directory / f"{name}.kat"
    is_model = name and path.is_file() and load_model(path, require_axioms=False).axioms
    return path if is_model else None


def model_names() -> list[str]:
    """The names there are: first the models that the engine runs, then those for proofs."""
    return [*runnable_models(), *_names(PROVING)]


def runnable_models() -> list[str]:
    """The names of the models that the engine runs."""
    return _names(MODELS)


def _names(directory: Path) -> list[str]:
    names = sorted(file.stem for file in directory.glob("*.kat"))
    return [name for name in names if _model_in(directory, name)]
