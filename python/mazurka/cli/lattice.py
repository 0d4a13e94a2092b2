"""What ``mazurka models --lattice`` shows: which models are weaker than others, as proved now or cached.

I1: cached answers are those of this prover about these texts: both are in the key (``cache.disk`` I1).
Unknown answers are not cached, so these questions are asked again.
"""

from __future__ import annotations

from mazurka.cache import disk, model_key
from mazurka.kat.language.load import named_model
from mazurka.models.registry import runnable_models
from mazurka.pictures.hasse import drawn
from mazurka.prover.questions.lattice import Lattice, explore

_FOR_PROOFS = ("imm",)  # in addition to the models that the engine runs


def proved_lattice(names: tuple[str, ...] | None = None, *, time_limit: float | None = None) -> Lattice:
    """The lattice of some models; without names, of those that the engine runs and of IMM."""
    names = names or (*runnable_models(), *_FOR_PROOFS)
    models = {name: named_model(name) for name in names}
    files = [str(model.path) for model in models.values()]
    key = disk.key_of("lattice", *(model_key.key_of(f, model_key.read(f)) for f in files))
    lattice = Lattice(names)
    lattice.answers |= _kept(key, names)
    before = len(lattice.answers)
    try:
        for _ in explore(lattice, models, time_limit):
            pass
    except KeyboardInterrupt:
        pass  # what is not known yet is shown as unknown
    if len(lattice.answers) > before:
        disk.store(key, {"answers": [[*pair, answer] for pair, answer in lattice.answers.items()]})
    return lattice


def _kept(key: str, names: tuple[str, ...]) -> dict[tuple[str, str], bool]:
    try:
        rows = (disk.load(key) or {"answers": []})["answers"]
        found = {(str(weak), str(strong)): bool(answer) for weak, strong, answer in rows}
    except (KeyError, TypeError, ValueError):
        return {}
    return {pair: answer for pair, answer in found.items() if set(pair) <= set(names)}


def labels(lattice: Lattice) -> dict[str, str]:
    """The labels of the diagram: equivalent models share one."""
    return {group[0]: " = ".join(group) for group in lattice.groups()}


def lattice_page(lattice: Lattice) -> str:
    """The table of all pairs, and the diagram."""
    left = len(lattice.open_pairs())
    lines = [
        "Is the row's model weaker: does it allow every execution that the column's model allows?",
        "",
        *_table(lattice),
        "",
        "Weaker models are above stronger ones:",
        "",
        drawn(labels(lattice), lattice.covers()),
        "To see an execution that shows why A is not weaker than B: mazurka prove weaker A B",
    ]
    if left:
        which = "1 pair is" if left == 1 else f"{left} pairs are"
        lines.append(f"{which} unknown (?); more time may help: --time-limit S")
    return "\n".join(lines) + "\n"


def _table(lattice: Lattice) -> list[str]:
    names = sorted(
        lattice.names, key=lambda n: sum(lattice.answers.get((n, o), False) for o in lattice.names)
    )
    words = {True: "yes", False: "no", None: "?"}
    first = max(map(len, names))
    widths = [max(len(name), len("yes")) for name in names]
    head = (name.ljust(width) for name, width in zip(names, widths, strict=True))
    lines = ["  ".join(("".ljust(first), *head)).rstrip()]
    for weak in names:
        cells = ("=" if weak == o else words[lattice.answers.get((weak, o))] for o in names)
        row = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join((weak.ljust(first), *row)).rstrip())
    return lines
