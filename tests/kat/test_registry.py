"""The registry of models: what each file of the package is for, and what a name or a path means."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.language.load import load_model
from mazurka.models.registry import (
    DEFAULT_MODEL,
    FOLDER,
    FOLDER_FOR_PROOFS,
    FOLDER_OF_MACHINES,
    ModelFile,
    all_models,
    find_any,
    find_runnable,
    machine_models,
    models_for_proofs,
    runnable_models,
)

FOLDERS = {
    FOLDER: runnable_models(),
    FOLDER_OF_MACHINES: machine_models(),
    FOLDER_FOR_PROOFS: models_for_proofs(),
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_file_is_a_model_iff_it_states_axioms(folder: str) -> None:
    """The registry goes by names; this test reads the files to see that the names are right."""
    models = load_all(folder)
    assert [name for name, states_axioms in models.items() if states_axioms] == FOLDERS[folder]


def load_all(folder: str) -> dict[str, bool]:
    paths = sorted(Path(folder).glob("*.kat"), key=lambda path: path.stem)
    return {path.stem: bool(load_model(path, require_axioms=False).axioms) for path in paths}


def test_names_are_known_once() -> None:
    assert sorted(set(all_models())) == sorted(all_models())
    assert {DEFAULT_MODEL, "sc", "tso"} <= set(runnable_models())
    assert {"armv8", "power", "imm", "lkmm"} <= set(machine_models())
    assert {"coh", "power-weak"} <= set(models_for_proofs())


@pytest.mark.parametrize("name", all_models())
def test_a_name_means_its_file(name: str) -> None:
    found = find_any(name)
    assert (Path(found.path).stem, found.own) == (name, False)
    if name not in models_for_proofs():
        assert find_runnable(name) == found


@pytest.mark.parametrize("given", ["./sc.kat", "models/sc", "sc.kat", "/nowhere/at/all.kat"])
def test_a_path_is_the_users_own_file_whether_it_is_there_or_not(given: str) -> None:
    assert find_any(given) == find_runnable(given) == (str(Path(given)), True)


@pytest.mark.parametrize("given", ["", "rc12", "c11-base", "power-base", "dependencies-base", "-base"])
def test_other_names_are_unknown(given: str) -> None:
    for find in (find_any, find_runnable):
        with pytest.raises(ModelError, match=f"there is no model '{given}'") as error:
            find(given)
        assert error.value.code == ErrorCode.UNKNOWN_MODEL
        assert "./mine.kat" in (error.value.hint or "")


def test_a_model_for_proofs_cannot_be_run() -> None:
    with pytest.raises(ModelError, match="the model 'power-weak' is for proofs only") as error:
        find_runnable("power-weak")
    hint = error.value.hint or ""
    assert hint.startswith("the models are: ")
    assert not set(hint.replace(",", "").split()) & set(models_for_proofs())


def test_near_names_are_proposed_from_what_may_be_used() -> None:
    with pytest.raises(ModelError) as error:
        find_any("Armv9")
    assert (error.value.hint or "").startswith("did you mean 'armv8' or 'armv7'?")
    with pytest.raises(ModelError) as error:
        find_runnable("power-weaker")
    assert "power-weak" not in (error.value.hint or "")


def test_files_of_herds_language_are_models_of_the_user() -> None:
    assert find_runnable("sc.cat") == find_any("sc.cat") == ModelFile("sc.cat", own=True)
