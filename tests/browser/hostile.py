#!/usr/bin/env python3
"""Opens pages, pictures and reports with hostile texts in Chromium: no script runs, and text stays text.

tests/browser/hostile.py PROGRAM
"""

import html
import json
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True

from page import GAMES, Pages, has_controls, main

BAD = "window.pwned=1"

# Each name tries to break out of HTML, SVG, XML, a style, a script or a template.
NAMES = [
    f"<script>{BAD}</script>",
    f"</script><script>{BAD}</script>",
    f"</style><script>{BAD}</script>",
    f"</title></text></svg><img src=x onerror={BAD}>",
    f'</testcase><script xmlns="http://www.w3.org/1999/xhtml">{BAD}</script>',
    f"]]><script>{BAD}</script><![CDATA[",
    f"--><svg onload={BAD}><!--",
    f'" onmouseover="{BAD}" autofocus tabindex=0 onfocus="{BAD}',
    f"' onmouseover='{BAD}' autofocus tabindex=0 onfocus='{BAD}",
    f'<a href="javascript:{BAD}">link</a>',
    f"[link](javascript:{BAD})",
    f"<iframe srcdoc='<script>parent.{BAD}</script>'></iframe>",
    f"<style>*{{background:url(javascript:{BAD})}}</style>",
    f'<?xml-stylesheet href="javascript:{BAD}"?><!DOCTYPE x [<!ENTITY y "z">]>&y;',
    "&lt;b&gt; &#60;b&#62; &amp;amp; &bogus; %3Cb%3E",
    f"\\u003cscript>{BAD}\\u003c/script> {{{{data}}}} ${{{BAD}}} `${{{BAD}}}`",
]

# Control sequences of terminals, and characters that XML cannot hold.
CONTROLS = "\x1b[31m\x1b]0;title\x07 \x9b31m \x01 \u202e \u2028 \ufffe end"

# All elements with the names of their attributes: the structure of a page, without its texts.
SKELETON = """
return [...document.querySelectorAll("*")].map((node) =>
  [node.tagName, ...[...node.attributes].map((attribute) => attribute.name)].join(" "));
"""

# Sends events to every element, as a reader might by chance.
TOUCH = """
for (const node of document.querySelectorAll("*"))
  for (const event of ["mouseover", "focus", "error", "load"]) node.dispatchEvent(new Event(event));
return [window.pwned ?? null, location.href, window.frames.length];
"""


def board(ruleset, name):
    return f"; ruleset: {ruleset}\n; name: {name}\n{GAMES[ruleset][0]}"


def boards(names):
    return "\n".join(board("jimmy", name) for name in names)


def faults(text):
    """Returns boards with `text` in each place that an error message quotes."""
    return "\n".join([
        f"; ruleset: {text}\n###\n#o.\n",
        f"; ruleset: jimmy\n; expect: {text}\n###\n#o.\n",
        f"; ruleset: jimmy\n; moves: {text}\n###\n#o.\n",
        f"; ruleset: dungeon\n; radius: {text}\n{GAMES['dungeon'][0]}",
        f"; ruleset: jimmy\n; {text.replace(':', '')}: 1\n###\n#o.\n",
        f"; ruleset: jimmy\n#{text}#\n#o.\n",
    ])


class Hostile(Pages):
    def open_and_touch(self, path):
        """Opens a file, checks that nothing in it runs, and returns its elements."""
        self.browser.open(path)
        pwned, where, frames = self.browser.run(TOUCH)
        assert pwned is None, f"a script in {path} ran"
        assert where == "file://" + path and frames == 0, where
        assert self.browser.complaints() == [], path
        return self.browser.run(SKELETON)

    def text(self, selector):
        return self.browser.run(f"return document.querySelector({json.dumps(selector)}).textContent")

    def test_names_on_pages_are_only_text(self):
        for ruleset, (_, moves, _) in GAMES.items():
            harmless = self.open_and_touch(
                self.render("page", board(ruleset, "harmless"), "--moves", moves)
            )
            for name in NAMES:
                page = self.render("page", board(ruleset, name), "--moves", moves)
                assert self.open_and_touch(page) == harmless, (ruleset, name)
                self.browser.run("document.getElementById('last').click()")
                assert [self.text("title"), self.text("h1")] == [name, name], ruleset
                assert self.browser.run("return window.pwned ?? null") is None, name

    def test_a_page_without_escaping_is_detected(self):
        harmless = self.open_and_touch(self.render("page", board("jimmy", "harmless")))
        changed = ran = 0
        for name in NAMES:
            page = self.render("page", board("jimmy", name))
            with open(page, encoding="utf-8") as file:
                text = file.read()
            with open(page, "w", encoding="utf-8") as file:
                file.write(html.unescape(text))
            self.browser.open(page)
            ran += self.browser.run(TOUCH)[0] == 1
            changed += self.browser.run(SKELETON) != harmless
            self.browser.complaints()
        assert ran >= 6 and changed >= 10, (ran, changed)

    def test_names_in_pictures_are_only_text(self):
        for still in ([], ["--still"]):
            plain = self.render("picture", board("theseus", "harmless"), *still, ending="svg")
            harmless = self.open_and_touch(plain)
            for name in NAMES:
                picture = self.render("picture", board("theseus", name), *still, ending="svg")
                assert self.open_and_touch(picture) == harmless, name
                assert self.text("title") == name

    def test_names_in_a_page_of_a_report_are_only_text(self):
        plain = self.check({"harmless.txt": boards(["harmless"] * len(NAMES))})
        harmless = self.open_and_touch(plain)
        file_name = f"<img src=x onerror={BAD}> & \"'.txt"
        page = self.check({file_name: boards(NAMES)})
        assert self.open_and_touch(page) == harmless
        cells = self.browser.run(
            "return [...document.querySelectorAll('td:nth-child(2)')].map((cell) => cell.textContent)"
        )
        assert cells == NAMES, cells
        assert self.text("td") == file_name + "#1"

    def test_faults_in_a_page_of_a_report_are_only_text(self):
        # No text quoted in an error becomes an element.
        known = {"HTML", "HEAD", "META", "TITLE", "STYLE", "BODY", "H1", "P", "UL", "LI", "SPAN", "DETAILS",
                 "SUMMARY", "TABLE", "TBODY", "TR", "TH", "TD", "svg", "defs", "g", "path", "use"}
        drawing = {"viewBox", "preserveAspectRatio", "role", "aria-label", "width", "height", "id", "href", "x", "y", "d", "stroke-width",
                   "opacity", "transform"}
        for name in [*NAMES, CONTROLS]:
            page = self.check({"faults.txt": faults(name)}, "--strict")
            seen = self.open_and_touch(page)
            assert {element.split(" ")[0] for element in seen} <= known, name
            attributes = {attribute for element in seen for attribute in element.split(" ")[1:]}
            html = {"lang", "charset", "name", "content", "class", "open"}
            assert attributes <= html | drawing, attributes
            listed = self.browser.run("return document.querySelectorAll('.fault').length")
            assert listed >= 6, (name, listed)
            assert not has_controls(self.text("body")), name

    def test_names_in_a_report_for_servers_are_only_text(self):
        names = [*NAMES, CONTROLS]
        report = self.check({"boards.txt": boards(names)}, ending="xml")
        self.browser.open(report)
        assert self.browser.run("return window.pwned ?? null") is None
        assert self.browser.run("return document.querySelector('parsererror')") is None
        cases = xml.etree.ElementTree.parse(report).getroot().findall("testsuite/testcase")
        shown = [case.get("name").split(" ", 1)[1] for case in cases]
        assert shown[:-1] == NAMES, shown
        assert not has_controls(shown[-1]), shown

    def test_control_characters_reach_no_page(self):
        for ending in ("html", "svg"):
            page = self.render("controls", board("jimmy", CONTROLS), ending=ending)
            self.open_and_touch(page)
            title = self.text("title")
            assert title.endswith(" end") and not has_controls(title.replace("\u202e", "")), ascii(title)


if __name__ == "__main__":
    sys.exit(main(Hostile))
