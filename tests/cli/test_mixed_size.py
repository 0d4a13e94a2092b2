"""``--mixed-size``: when accesses of several sizes are explored byte by byte, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import write
from mazurka import Outcome, check
from mazurka.cache import plans
from mazurka.checking.sizes import SizedAccess
from mazurka.errors import MazurkaError

HALVES = """\
#include <pthread.h>
#include <stdatomic.h>
union { atomic_int word; _Atomic short half[2]; } x;
void *low(void *arg) {
  atomic_store(&x.half[0], 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, low, 0);
  int seen = atomic_load(&x.word);
  pthread_join(t, 0);
  return seen;
}
"""
# As above, but one size only.
WORDS = HALVES.replace("&x.half[0]", "&x.word")
PAIR = WORDS.replace(
    "union { atomic_int word; _Atomic short half[2]; } x", "struct { _Atomic __int128 word; } x"
)
RACE = HALVES.replace("atomic_store(&x.half[0], 1)", "*(short *)&x.half[1] = 1")
REFUSED = (
    HALVES.replace("void *low", "#include <assert.h>\n#include <mazurka.h>\nvoid *low")
    .replace("return arg;", "return __VERIFIER_nondet_int() ? arg : 0;")
    .replace("int main", "void *word(void *arg) { assert(CONDITION); return arg; }\nint main")
    .replace("int seen", "pthread_t other;\n  pthread_create(&other, 0, word, 0);\n  int seen")
)
GAPS = "ppo = po-loc\nacyclic po-loc | rf | co | fr as coherence\n"  # a causal order smaller than po

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture(name="halves")
def _halves(tmp_path: Path) -> Path:
    return write(tmp_path, HALVES)


def counted(outcome: Outcome) -> tuple[str, int, int]:
    return outcome.verdict, outcome.complete, outcome.blocked


def test_auto_explores_again(halves: Path) -> None:
    """The load reads 0, or 1 in its lower half."""
    outcome = check(halves)
    assert counted(outcome) == ("verified", 2, 0)
    assert outcome.mixed_sizes is not None
    assert set(outcome.mixed_sizes.accesses) == {
        SizedAccess(2, str(halves), 5),
        SizedAccess(4, str(halves), 11),
    }


def test_on_explores_once(halves: Path, tmp_path: Path) -> None:
    outcome = check(halves, mixed_size="on")
    assert counted(outcome) == ("verified", 2, 0)
    assert outcome.mixed_sizes is not None
    assert outcome.mixed_sizes.accesses == ()
    words = write(tmp_path, WORDS, "words.c")
    assert counted(check(words, mixed_size="on")) == counted(check(words)) == ("verified", 2, 0)
    assert check(words).mixed_sizes is None


def test_16_bytes_at_once(tmp_path: Path) -> None:
    """The load reads 0 or 1, all of it."""
    pair = write(tmp_path, PAIR, "pair.c")
    outcome = check(pair)
    assert counted(outcome) == ("verified", 2, 0)
    assert outcome.mixed_sizes is not None
    assert [access.size for access in outcome.mixed_sizes.accesses] == [16]
    with pytest.raises(MazurkaError, match="16 at once") as caught:
        check(pair, mixed_size="off")
    assert 'mixed_size="auto"' in (caught.value.hint or "")


def test_the_plan_has_a_place_of_its_own_in_the_cache(halves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = check(halves)
    monkeypatch.setattr(plans, "_planned", None)
    assert check(halves) == first


# What each thread does beside the word has too many executions to look at them all.
BESIDE = (
    HALVES.replace("atomic_store", "for (int i = 0; i < 30; i++) y++;\n  atomic_store")
    .replace("int seen", "for (int i = 0; i < 30; i++) y++;\n  int seen")
    .replace("union", "atomic_int y;\nunion")
)


def test_the_time_limit_is_for_both_explorations(tmp_path: Path) -> None:
    outcome = check(write(tmp_path, BESIDE), time_limit=0.3)
    assert outcome.verdict == "interrupted"


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        ({"mixed_size": "off"}, 'mixed_size="auto"'),
        ({"equivalence": "rf"}, 'equivalence="co"'),
        ({"equivalence": "rf", "mixed_size": "on"}, 'equivalence="co"'),
        ({"mixed_size": "maybe"}, "auto, on, off"),
    ],
)
def test_refusals_have_a_cure(halves: Path, options: dict[str, str], cure: str) -> None:
    with pytest.raises(MazurkaError) as caught:
        check(halves, **options)  # type: ignore[arg-type]
    assert cure in (caught.value.hint or "")


@pytest.mark.parametrize("mixed_size", ["auto", "on"])
def test_a_model_with_a_ppo_of_its_own(halves: Path, tmp_path: Path, mixed_size: str) -> None:
    model = write(tmp_path, GAPS, "gaps.kat")
    with pytest.raises(MazurkaError) as caught:
        check(halves, model=model, mixed_size=mixed_size)
    assert "whose ppo is po" in (caught.value.hint or "")


def test_a_race_names_both_sizes_and_the_bytes_in_common(tmp_path: Path) -> None:
    violation = check(write(tmp_path, RACE)).violation
    assert violation is not None
    assert violation.kind == "race"
    for part in ("x.word (4 bytes)", "x.half[1] (2 bytes)", "they share bytes 2-3 of x.word"):
        assert part in violation.message


def test_a_second_look_at_what_is_refused_meets_more_sizes(tmp_path: Path) -> None:
    """One thread is refused before the others read the word, where the look has to start again."""
    source = REFUSED.replace("CONDITION", "!atomic_load(&x.word)")
    outcome = check(write(tmp_path, source), mixed_size="on")
    assert outcome.violation is not None
    assert outcome.violation.kind == "assertion"
    source = REFUSED.replace("CONDITION", "atomic_load(&x.word) < 2")
    with pytest.raises(MazurkaError, match="choice among 4294967296 values"):
        check(write(tmp_path, source), mixed_size="on")
