#!/usr/bin/env python3
"""Opens the pages of `getaway check --report html=...` in Chromium and looks at them as a reader would.

tests/browser/report.py PROGRAM [FOLDER]
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True

from page import CONTRAST, GAMES, Pages, main

EXIT = "###\n#o.\n###\n"
TRAP = "###\n#o#\n###\n"
STAIRS = "#####\n#o.##\n##..#\n###.#\n"
FAULTS = "###\n#ox\n#o?\n##\n"

SIZES = [(390, 844), (1280, 800)]

# The sections from top to bottom: open or folded, title, and the first cell of each row.
SECTIONS = """
return [...document.querySelectorAll("details")].map((details) => [
  details.open, details.querySelector("summary").textContent,
  [...details.querySelectorAll("tr > td:first-child")].map((cell) => cell.textContent),
]);
"""

TEXTS = """
return [...document.querySelectorAll("%s")].map((node) => node.textContent);
"""

# The size of each picture, the number of its figures, and whether each of them is defined.
PICTURES = """
return [...document.querySelectorAll(".board")].map((svg) => {
  const { width, height } = svg.getBoundingClientRect();
  const uses = [...svg.querySelectorAll("use")].map((use) => use.getAttribute("href"));
  return [width, height, uses.length, uses.every((id) => document.querySelector(id))];
});
"""


def headed(board, name="", expect="escape", ruleset="jimmy"):
    return f"; ruleset: {ruleset}\n; name: {name}\n; expect: {expect}\n{board}"


class Reports(Pages):
    def open(self, files, *options, size=(1280, 800), **media):
        report = self.check(files, *options)
        self.browser.open(report, size, **media)
        assert self.browser.complaints() == []
        return report

    def texts(self, selector):
        return self.browser.run(TEXTS % selector)

    def width(self):
        return self.browser.run("return document.scrollingElement.scrollWidth")

    def test_many_files_share_a_table_with_failures_first(self):
        files = {f"{number:03}.txt": headed(EXIT) for number in range(40)}
        files |= {f"{number:03}.txt": headed(TRAP) for number in (7, 23)}
        files["030.txt"] = headed(EXIT) + "\n" + headed(TRAP)
        self.open(files)
        failed, passed = self.browser.run(SECTIONS)
        assert failed == [True, "Failed: 3", ["007.txt", "023.txt", "030.txt#2"]], failed
        assert passed[:2] == [False, "Passed: 38"] and len(passed[2]) == 38, passed
        assert len(self.texts("table")) == 2
        row = "return document.querySelector('details:last-of-type td').checkVisibility()"
        assert not self.browser.run(row), "passes are folded"
        self.browser.click("details:last-of-type summary")
        assert self.browser.run(row), "and unfold"

    def test_each_failed_board_has_a_small_picture(self):
        files = {}
        for ruleset, (board, _, _) in GAMES.items():
            wrong = "no-food" if ruleset == "maze" else "caught"
            files[ruleset + ".txt"] = headed(board, expect=wrong, ruleset=ruleset)
        files |= {"undecided.txt": headed(STAIRS), "faults.txt": headed(FAULTS)}
        files |= {"unknown.txt": "@@@\n@&@\n", "passed.txt": headed(EXIT)}
        for size in SIZES:
            for scheme in ("light", "dark"):
                self.open(files, "--max-states", "2", size=size, color_scheme=scheme)
                failed = self.browser.run(SECTIONS)[0][2]
                assert set(failed) >= {"undecided.txt", "faults.txt", "unknown.txt"} and len(failed) >= 7, failed
                pictures = self.browser.run(PICTURES)
                assert len(pictures) == len(failed), (pictures, failed)
                for width, height, _, is_defined in pictures:
                    assert 40 <= width <= 240 and 10 <= height <= 240 and is_defined, pictures
                assert [picture[2] for picture in pictures].count(0) == 1, "all but one have known actors"
                self.shoot(f"report-{size[0]}-{scheme}")

    def test_faults_are_marked_in_the_picture(self):
        self.open({"faults.txt": headed(FAULTS), "trap.txt": headed(TRAP)})
        rings = "return [...document.querySelectorAll('.board')].map((svg) => svg.querySelectorAll('.chaser.pen:not([stroke-dasharray])').length)"
        assert self.browser.run(rings) == [4, 0], self.browser.run(rings)

    def test_every_fault_is_listed(self):
        files = {"faults.txt": headed(FAULTS)}
        self.open(files)
        folder = os.path.join(self.folder, "checked")
        command = [self.program, "check", "--json", "faults.txt"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        faults = json.loads(done.stdout.splitlines()[0])["error"]["faults"]
        wanted = [f"line {fault['line']}, column {fault['column']}: {fault['message']}" for fault in faults]
        assert self.texts(".fault") == wanted and len(wanted) == 4, wanted

    def test_warnings_are_listed_with_their_boards(self):
        headers = "; tittle: a\n; expct: escape\n"
        self.open({"a.txt": headers + headed(EXIT, "warned"), "b.txt": headed(EXIT), "c.txt": headers + headed(TRAP)})
        titles = [section[:2] for section in self.browser.run(SECTIONS)]
        assert titles == [[True, "Failed: 1"], [True, "Passed with warnings: 1"], [False, "Passed: 1"]], titles
        shown = self.texts("details:nth-of-type(2) td")
        assert shown[:2] == ["a.txt", "warned"], shown
        warnings = self.texts("li.open")
        assert len(warnings) == 4 and warnings[0].startswith("warning: line 1, column 3: unknown header `tittle`"), warnings
        assert "did you mean `expect`?" in warnings[1], warnings

    def test_the_report_looks_like_the_page_of_a_game(self):
        look = """
            const style = (node) => getComputedStyle(document.querySelector(node));
            return [style("html").backgroundColor, style("html").fontFamily, style("h1").fontSize, style("h1").color,
                    style("%s").backgroundColor, style("%s").borderRadius];
        """
        page = self.game("jimmy")[0]
        report = self.check({"a.txt": headed(TRAP), "b.txt": headed(EXIT), "c.txt": "; x: 1\n" + headed(EXIT)})
        for scheme in ("light", "dark"):
            self.browser.open(page, (1280, 800), color_scheme=scheme)
            wanted = self.browser.run(look % (".stage", ".stage"))
            self.browser.open(report, (1280, 800), color_scheme=scheme)
            assert self.browser.run(look % ("details", "details")) == wanted, scheme
            contrasts = self.browser.run(CONTRAST % "h1, p, summary, th, td, li, td span")
            assert len(contrasts) > 20, contrasts
            assert all(contrast >= 4.5 for _, contrast in contrasts), (scheme, contrasts)

    def test_nothing_scrolls_sideways(self):
        long = "x" * 150
        files = {long + ".txt": headed(TRAP, long), "b.txt": f"; {long}: 1\n" + headed(EXIT, long)}
        files |= {"wide.txt": headed("." * 200 + "\n" + "#" * 99 + "o" + "#" * 100 + "\n", expect="caught")}
        files |= {"faults.txt": headed(FAULTS), "c.txt": headed(EXIT) + "\n" + headed(EXIT)}
        for size in SIZES:
            self.open(files, size=size)
            self.browser.run("for (const node of document.querySelectorAll('details')) node.open = true")
            assert self.width() <= size[0], (size, self.width())
            box = "return [...document.querySelectorAll('td, .board')].every((it) => it.getBoundingClientRect().right <= innerWidth)"
            assert self.browser.run(box), size

    def test_a_thousand_boards_stay_small(self):
        trap = "#.#..##.#.\n" * 4 + "..###.##..\n..#o#.#.#.\n..###.##..\n" + "#.#..##.#.\n" * 3
        for board, most in [(EXIT, 150), (trap, 2500)]:
            files = {f"{number:04}.txt": headed(board, f"board {number}", "escape") for number in range(1000)}
            size = os.path.getsize(self.open(files))
            assert size < 40_000 + 1000 * most, (most, size)
            rows = self.browser.run("return document.querySelectorAll('td:first-child').length")
            assert rows == 1000, rows
            nodes = self.browser.run("return document.querySelectorAll('*').length")
            assert nodes < 40 * 1000, nodes


if __name__ == "__main__":
    sys.exit(main(Reports))
