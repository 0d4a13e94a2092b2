"""The pages in a real browser: switches, steps, filters, themes, phones, paper; and pictures of them.

``MAZURKA_SCREENSHOTS=docs/pictures`` writes the pictures that the documentation shows.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import ABSENT, Browser, browser, found_browser
from documented import written_pages
from mazurka.cli import commands
from profiles import heavy

ROOT = Path(__file__).resolve().parents[2]
RING = ROOT / "examples" / "buggy" / "spsc_ring_off_by_one.c"
DEPENDENT = ROOT / "tests" / "programs" / "dependent_read.c"
pytestmark = [heavy, pytest.mark.skipif(found_browser() is None, reason=ABSENT)]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of the documentation's programs."""
    return written_pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def page(chromium: Browser) -> Iterator[Browser]:
    """A browser as it is at first; nothing that a test does may fail, or ask for anything but the page."""
    chromium.media()
    yield chromium
    assert chromium.problems == []
    assert [url for url in chromium.requests if not url.startswith("file:")] == []
    assert len(chromium.requests) == 1


def keep(name: str, picture: bytes, size: tuple[int, int]) -> None:
    """A picture is a PNG of some size with something on it; it is kept if that is asked for."""
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == size
    assert len(picture) > 20_000, "an empty page is smaller"
    folder = os.environ.get("MAZURKA_SCREENSHOTS")
    if folder:
        (Path(folder) / name).write_bytes(picture)


def test_a_race_has_two_sides(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["race"], width=1360, height=820)
    assert page.count(".box.fail") == 2
    assert page.count(".edge[data-relation=race]") == 1
    assert "data race" in page.text(".message")
    assert "the write is relaxed, not release" in page.text(".missing")
    assert page.count(".line.failing") == 2
    keep("page-race.png", page.screenshot(), (1360, 820))


def test_switches_show_and_hide_relations(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["flags"])
    for name in ("rf", "fr"):
        drawn = page.count(f".edge[data-relation={name}]")
        assert drawn
        page.click(f"input[data-relation={name}]")
        assert page.count(f".edge[data-relation={name}]") == page.count(f".label[data-relation={name}]") == 0
        page.click(f"input[data-relation={name}]")
        assert page.count(f".edge[data-relation={name}]") == drawn
    assert page.count(".edge[data-relation=eco]") == 0
    page.click(".switches summary")
    page.click("input[data-relation=eco]")
    assert page.count(".edge[data-relation=eco]") > 0


def test_dependencies_are_switched_like_other_relations(page: Browser, tmp_path: Path) -> None:
    written = tmp_path / "page.html"
    options = ["--model", "armv8", "--all-executions", "--html", str(written)]
    assert commands.main(["check", str(DEPENDENT), *options]) == 0
    page.open(written)
    for name in ("addr", "data", "ctrl"):
        assert page.count(f".edge[data-relation={name}]") == 0
        page.click(f"input[data-relation={name}]")
        assert page.count(f".edge[data-relation={name}]") == 1
    page.click(".switches summary")
    page.click("input[data-relation=ppo]")
    assert page.count(".edge[data-relation=ppo]") > 1


def test_keys_switch_relations_too(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["flags"])
    drawn = page.count(".edge[data-relation=rf]")
    page.press("2")
    assert page.count(".edge[data-relation=rf]") == 0
    page.press("2")
    assert page.count(".edge[data-relation=rf]") == drawn > 0


def test_stepping_by_buttons_and_keys(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["flags"])
    steps = page.count(".box[data-step]")
    assert page.text(".where") == f"all {steps} steps"
    page.click("[data-go=first]")
    assert page.text(".where") == f"1/{steps} main: start T1"
    assert page.count(".box.later") == steps - 1
    assert page.count(".box.now") == page.count(".line.now") == 1
    page.press("ArrowRight")
    page.click("[data-go=on]")
    assert page.text(".where") == f"3/{steps} T1: left_flag = 1"
    assert "left_flag" in page.text(".line.now")
    page.press("ArrowLeft")
    assert page.text(".where").startswith(f"2/{steps}")
    page.press("End")
    assert page.count(".later") == 0
    page.press("Home")
    page.click("[data-go=last]")
    assert page.text(".where") == f"all {steps} steps"


def test_a_failing_assertion_with_its_cycle(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["flags"], width=1500, height=1150)
    assert page.count(".box.marked") == 4
    assert page.count(".edge.marked") == 4
    assert page.text(".reasons").startswith("Because of line 30: read left_enters: 1")
    assert "No interleaving explains this: the cycle T1:11 po T1:12 fr T2:18 po T2:19 fr T1:11" in page.text(
        ".cycle"
    )
    keep("page-assertion.png", page.screenshot(), (1500, 1150))


def test_hovering_tells_values_and_lines(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["race"])
    page.hover(".box.fail[data-line='19']")
    told = page.text(".tip")
    for fact in ("read data: 42", "race.c:19", "T1:10", "4 bytes", "plain"):
        assert fact in told
    assert page.count(".tip") == page.count(".line.hot") == 1
    page.hover("h1")
    assert page.count(".tip") == page.count(".line.hot") == 0


def test_filters_choose_executions(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["outcomes"], width=1360, height=960)
    assert page.text(".count output") == "4 of 4 executions"
    assert page.count(".browser tbody tr") == 4
    keep("page-all-executions.png", page.screenshot(), (1360, 960))
    names = page.run("[...document.querySelectorAll('.browser .name')].map((e) => e.textContent)")
    assert names == ["final saw_x", "final saw_y", "T1:11 reads y", "T2:18 reads x", "interleaving"]
    page.click("button[data-facet='0'][data-value='0']")
    assert page.text(".count output") == "2 of 4 executions"
    page.click("button[data-facet='1'][data-value='0']")
    assert page.count(".browser tbody tr") == 1
    assert page.count("article") == 1
    assert page.count(".box.marked") == 4, "no interleaving explains that both threads miss the other's write"
    page.click("button[data-facet='1'][data-value='1']")
    assert page.count(".browser tbody tr") == 2, "values of one name are alternatives"
    page.press("n")
    assert page.run("document.querySelector('[aria-selected=true]').dataset.execution") == "1"
    page.press("p")
    page.click(".browser tbody tr:nth-child(2)")
    assert page.run("document.querySelector('article:not([hidden])').dataset.execution") == "1"


def test_the_list_scrolls_only_up_and_down(page: Browser, tmp_path: Path) -> None:
    """Its rows are wider than the window."""
    written = tmp_path / "deque.html"
    deque = str(ROOT / "examples" / "chase_lev_deque.c")
    assert commands.main(["check", deque, "--all-executions", "--html", str(written)]) == 0
    page.open(written, width=900)
    for _ in range(40):
        page.press("n")
    listed = "document.querySelector('.browser')"
    assert page.run(f"{listed}.scrollWidth > {listed}.clientWidth && {listed}.scrollTop > 0")
    assert page.run(f"{listed}.scrollLeft") == 0


def test_folded_steps_can_be_shown(page: Browser, tmp_path: Path) -> None:
    written = tmp_path / "ring.html"
    assert commands.main(["check", str(RING), "--html", str(written)]) == 1
    page.open(written)
    folded = page.count(".box[data-step]")
    assert page.count(".box.fold") > 0
    page.click("input[data-fold]")
    assert page.count(".box.fold") == 0
    assert page.count(".box[data-step]") > folded
    page.click("input[data-fold]")
    assert page.count(".box[data-step]") == folded


def contrast(page: Browser, selector: str) -> float:
    """The contrast of a text with the paper, as WCAG defines it."""
    script = """(() => {
        const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255)
            .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
        const text = getComputedStyle(document.querySelector(%s)).fill;
        const paper = getComputedStyle(document.querySelector('.paper')).fill;
        const [a, b] = [light(text), light(paper)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    })()"""
    return float(page.run(script % repr(selector)))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_can_be_read(scheme: str, page: Browser, pages: dict[str, Path]) -> None:
    page.media(scheme=scheme)
    page.open(pages["flags"])
    relations = page.run(
        "[...new Set([...document.querySelectorAll('.label')].map((e) => e.dataset.relation))]"
    )
    assert {"rf", "fr", "eco"} <= set(relations)
    for relation in relations:
        assert contrast(page, f".label[data-relation='{relation}'] text") >= 4.5, relation
    assert contrast(page, ".box .ink") >= 7
    assert contrast(page, ".box .quiet") >= 4.5


def _is_above(page: Browser, one: str, two: str) -> bool:
    top = "(what) => document.querySelector(what).getBoundingClientRect().top"
    return bool(page.run(f"({top})({one!r}) < ({top})({two!r})"))


def test_a_phone_has_room_for_all(page: Browser, pages: dict[str, Path]) -> None:
    page.open(pages["flags"], width=390, height=844, mobile=True)
    assert page.run("document.documentElement.scrollWidth") <= 390, "only the picture scrolls sideways"
    assert _is_above(page, ".sheets", ".source")
    page.click("[data-go=first]")
    assert page.count(".box.now") == 1


def test_paper_has_no_controls_and_is_light(page: Browser, pages: dict[str, Path]) -> None:
    page.media(scheme="dark", kind="print")
    page.open(pages["outcomes"])
    assert page.count(".stepper") == page.count(".filters") == page.count(".keys") == 0
    assert page.count("article") == page.count(".source") == 1
    assert _is_above(page, ".sheets", ".source")
    assert page.run("getComputedStyle(document.querySelector('.paper')).fill") == "rgb(255, 255, 255)"


def test_without_scripts_the_first_picture_is_shown(page: Browser, pages: dict[str, Path]) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(pages["outcomes"])
        shown = page.call("Page.captureScreenshot", format="png")
        assert len(shown["data"]) > 20_000
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)


def test_long_names_are_wrapped_on_a_phone(page: Browser, tmp_path: Path) -> None:
    name = "name_of_a_variable_that_goes_on_and_on_and_on_until_there_is_no_more_room_for_it"
    text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
    text += f"atomic_int {name};\nvoid *run(void *a) {{ {name} = 1; return a; }}\n"
    text += "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n"
    text += f"    int seen = {name};\n    assert(!seen);\n    return pthread_join(t, 0); }}\n"
    (tmp_path / "long.c").write_text(text, encoding="utf-8")
    written = tmp_path / "long.html"
    assert commands.main(["check", str(tmp_path / "long.c"), "--html", str(written)]) == 1
    page.open(written, width=390, height=844, mobile=True)
    assert page.run("document.querySelector('header').innerText.includes('no_more_room_for_it: 1')")
    reach = "[...document.querySelectorAll('header p')].map((p) => p.offsetLeft + p.scrollWidth)"
    assert max(page.run(reach)) <= 390
