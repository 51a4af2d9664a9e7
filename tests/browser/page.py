#!/usr/bin/env python3
"""Opens the pages of `getaway render` in Chromium and uses them as a reader would.

tests/browser/page.py PROGRAM [FOLDER]

Needs only Python and Debian's packages chromium and chromium-driver, which it installs if it has the rights. Writes
screenshots to FOLDER, if given.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request

# Board, moves, and number of positions after the start.
GAMES = {
    "jimmy": (".....\n.....\n.o..g\n.....\n.....\n", "L", 2),
    "baddies": ("H  m\n #  \n+  *\n", "dd", 3),
    "maze": ("R.*\n...\naA.\n", "11", 3),
    "dungeon": ("------\n|PK.E|\n------\n", "R R R", 3),
    "theseus": ("+-+-+\n|  T|\n+ +-+\n|E|.|\n+ + +\n|. M|\n+-+-+\n", "SLD", 5),
}

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--hide-scrollbars",
]


def install():
    """Installs a browser if there is none. Returns the reason if that fails."""
    if shutil.which("chromium") and shutil.which("chromedriver"):
        return None
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return "chromium and chromedriver are missing and cannot be installed"
    for command in (["update"], ["install", "-y", "chromium", "chromium-driver"]):
        done = subprocess.run(["apt-get", "-qq", *command], capture_output=True, text=True)
        if done.returncode != 0:
            return "chromium cannot be installed: " + done.stderr.strip()[-300:]
    return None


class Browser:
    """A Chromium controlled over WebDriver."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.session = ""
        options = {"args": FLAGS, "binary": shutil.which("chromium")}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        capabilities = {"capabilities": {"alwaysMatch": wanted}}
        for attempt in range(100):
            try:
                self.session = "/" + self.call("POST", "", capabilities)["sessionId"]
                return
            except (urllib.error.URLError, ConnectionError):
                if self.driver.poll() is not None or attempt == 99:
                    raise
                time.sleep(0.1)

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/session{self.session}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()[:600]) from None

    def devtools(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def open(self, path, size=(1100, 900), **media):
        width, height = size
        is_phone = width < 600
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=is_phone,
        )
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=is_phone)
        media = {"color_scheme": "light", "reduced_motion": "no-preference", **media}
        features = [
            {"name": "prefers-" + name.replace("_", "-"), "value": value}
            for name, value in media.items()
        ]
        self.devtools("Emulation.setEmulatedMedia", features=features)
        self.call("POST", "/url", {"url": "file://" + path})
        self.wait(f"innerWidth === {width}", f"a width of {width}")

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def element(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return "/element/" + next(iter(found.values()))

    def click(self, selector):
        self.call("POST", self.element(selector) + "/click", {})

    def key(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.act({"type": "key", "id": "keys", "actions": actions})

    def act(self, source):
        self.call("POST", "/actions", {"actions": [source]})

    def swipe(self, by):
        """Moves a finger sideways over the board."""
        box = self.run("const b = document.getElementById('board').getBoundingClientRect();"
                       "return [b.x + b.width / 2, b.y + b.height / 2]")
        x, y = (round(value) for value in box)
        move = {"type": "pointerMove", "duration": 30, "y": y}
        self.act({
            "type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"},
            "actions": [
                {**move, "x": x}, {"type": "pointerDown", "button": 0},
                {**move, "x": x + by}, {"type": "pointerUp", "button": 0},
            ],
        })

    def wait(self, script, what):
        for _ in range(200):
            if self.run("return " + script):
                return
            time.sleep(0.05)
        raise AssertionError(f"timeout: {what}")

    def complaints(self):
        log = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log]

    def shot(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("GET", "/screenshot")))


STATE = """
const at = (id) => document.getElementById(id);
return {
  caption: at("caption").textContent, says: at("says").textContent,
  slider: Number(at("slider").value), value: at("slider").getAttribute("aria-valuetext"),
  play: at("play").getAttribute("aria-label"), live: at("says").getAttribute("aria-live"),
  marks: at("marks").innerHTML,
}
"""

KEYS = {"right": "\ue014", "left": "\ue012", "home": "\ue011", "end": "\ue010", "tab": "\ue004"}

# The contrast of each text with its background, by the WCAG formula.
CONTRAST = """
const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (color) => {
  const [r, g, b] = rgb(color).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
};
const behind = (node) => {
  const color = getComputedStyle(node).backgroundColor;
  return rgb(color)[3] === 0 && node.parentElement ? behind(node.parentElement) : color;
};
return [...document.querySelectorAll("%s")].map((node) => {
  const [one, other] = [getComputedStyle(node).color, behind(node)].map(light);
  return [node.className.split(" ")[0] || node.tagName, Math.max(one, other) / Math.min(one, other)];
});
"""


def has_controls(text):
    return any(ord(c) < 32 and c not in "\t\n" or 0x7f <= ord(c) < 0xa0 or c == "\u202e" for c in text)


TEXTS = "h1, h2, .tag, .about, .caption, .says, .legend li, .keys, kbd, .speed, select, button.word, .stage i"

# Adds figures and cells on the floor.
ON_FLOOR = """
for (const name of ["goal", "danger", "wall", "runner", "chaser"])
  document.querySelector(".stage").insertAdjacentHTML("beforeend", `<i class="${name}">`);
"""


class Pages:
    """Pages that the program writes, and a browser that opens them."""

    def __init__(self, program, folder, shots):
        self.program, self.folder, self.shots = program, folder, shots
        self.browser = Browser()

    def render(self, name, board, *options, ending="html"):
        board_file = os.path.join(self.folder, name + ".txt")
        out = os.path.join(self.folder, f"{name}.{ending}")
        with open(board_file, "w", encoding="utf-8") as file:
            file.write(board)
        subprocess.run([self.program, "render", board_file, "-o", out, *options], check=True)
        return out

    def game(self, ruleset, *options, ending="html"):
        board, moves, end = GAMES[ruleset]
        board = f"; ruleset: {ruleset}\n; name: a game of {ruleset}\n{board}"
        return self.render(ruleset, board, "--moves", moves, *options, ending=ending), end

    def check(self, files, *options, ending="html"):
        """Writes a report on files with these names and texts."""
        folder = os.path.join(self.folder, "checked")
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        report = os.path.join(self.folder, "report." + ending)
        kind = {"html": "html", "xml": "junit"}[ending]
        command = [self.program, "check", "--no-timing", "--report", f"{kind}={report}", *options, *files]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1, 2, 3), done
        assert not has_controls(done.stdout + done.stderr), done
        return report

    def state(self):
        return self.browser.run(STATE)

    def shoot(self, name):
        if self.shots:
            time.sleep(0.3)
            self.browser.shot(os.path.join(self.shots, name + ".png"))


class Tests(Pages):
    def test_every_game_can_be_stepped_through(self):
        for ruleset in GAMES:
            page, end = self.game(ruleset)
            self.browser.open(page)
            seen = [self.state()]
            assert seen[0]["caption"] == "start" and seen[0]["slider"] == 0, seen[0]
            for _ in range(end):
                self.browser.key(KEYS["right"])
                seen.append(self.state())
            assert len({state["caption"] for state in seen}) == end + 1, ruleset
            assert all(state["value"] == state["caption"] for state in seen)
            assert seen[0]["says"] and not seen[0]["says"].startswith("Turn "), seen[0]
            assert all(state["says"].startswith("Turn ") for state in seen[1:]), seen
            assert "The end: " in seen[-1]["says"], seen[-1]
            self.browser.key(KEYS["right"])
            assert self.state() == seen[-1], "no step past the end"
            self.browser.key(KEYS["left"])
            assert self.state() == seen[-2]
            self.browser.key(KEYS["home"])
            assert self.state() == seen[0]
            self.browser.key(KEYS["end"])
            assert self.state() == seen[-1]
            self.shoot(ruleset)
            assert self.browser.complaints() == [], ruleset

    def test_turns_are_counted_rather_than_half_turns(self):
        for ruleset, (_, moves, _) in GAMES.items():
            page, end = self.game(ruleset)
            turns = len(moves.replace(" ", ""))
            self.browser.open(page)
            assert self.browser.run("return document.getElementById('slider').max") == str(turns), ruleset
            for _ in range(end):
                self.browser.key(KEYS["right"])
                state = self.state()
                assert state["caption"].startswith(f"turn {state['slider']} of {turns}, "), state
            assert state["slider"] == turns, state
            picture, _ = self.game(ruleset, ending="svg")
            self.browser.open(picture)
            texts = self.browser.run("return [...document.querySelectorAll('text')].map((text) => text.textContent)")
            captions = [text for text in texts if text.startswith("turn ")]
            assert len(captions) == end and f" of {turns}, " in captions[0], texts
            assert not any("/" in text for text in texts), texts

    def test_buttons_and_slider_do_what_they_say(self):
        page, _ = self.game("theseus")
        self.browser.open(page)
        for button, wanted in [("next", 1), ("next", 1), ("next", 2), ("back", 1), ("last", 3), ("first", 0)]:
            self.browser.click("#" + button)
            assert self.state()["slider"] == wanted, button
        self.browser.run("document.getElementById('slider').focus()")
        self.browser.key(KEYS["right"], KEYS["right"])
        state = self.state()
        assert state["slider"] == 2, "the slider's own keys count once"
        assert state["caption"] == "turn 2 of 3, Minotaur", "the slider shows the end of a turn"
        self.browser.click("#first")
        names = self.browser.run(
            "return [...document.querySelectorAll('button, input, select')].map((node) =>"
            " node.getAttribute('aria-label') ?? node.labels?.[0]?.textContent ?? '')"
        )
        assert all(names), f"every control has a name: {names}"

    def test_the_game_plays_by_itself_and_stops_at_the_end(self):
        page, _ = self.game("theseus", "--delay", "60")
        self.browser.open(page)
        self.browser.key(" ")
        state = self.state()
        assert state["play"] == "Pause" and state["live"] == "off", state
        self.browser.wait("document.getElementById('play').ariaLabel === 'Play'", "the end")
        state = self.state()
        assert state["slider"] == 3 and state["live"] == "polite", state
        self.browser.run("document.getElementById('speed').value = '0.5'")
        self.browser.click("#play")
        assert self.state()["slider"] == 0, "restarts"
        self.browser.click("#play")
        assert self.state()["play"] == "Play", "pauses"

    def test_a_finger_turns_the_pages(self):
        page, _ = self.game("theseus", "--delay", "60000")
        self.browser.open(page, (390, 844))
        self.browser.swipe(-90)
        assert self.state()["caption"] == "turn 1 of 3, Theseus S"
        self.browser.swipe(-90)
        assert self.state()["caption"] == "turn 1 of 3, Minotaur"
        self.browser.swipe(90)
        assert self.state()["caption"] == "turn 1 of 3, Theseus S"
        self.browser.swipe(0)
        assert self.state()["play"] == "Pause", "a tap plays"
        self.browser.swipe(0)
        assert self.state()["play"] == "Play"

    def test_pages_fit_a_phone(self):
        for ruleset in GAMES:
            page, _ = self.game(ruleset)
            self.browser.open(page, (360, 740))
            self.browser.key(KEYS["end"])
            wide = self.browser.run("return document.scrollingElement.scrollWidth")
            assert wide <= 360, f"{ruleset}: {wide} pixels"
            self.shoot(ruleset + "-phone")

    def test_the_caption_is_in_sight_without_scrolling(self):
        tall = ".\n" * 40 + "o\n" + ".\n" * 40
        wide = "." * 80 + "o" + "." * 80 + "\n"
        square = (("." * 40 + "\n") * 20) + "." * 20 + "o" + "." * 19 + "\n" + ("." * 40 + "\n") * 20
        pages = [self.game(ruleset)[0] for ruleset in GAMES]
        pages += [
            self.render(name, f"; ruleset: jimmy\n; name: a {name} board\n{board}")
            for name, board in [("tall", tall), ("wide", wide), ("square", square)]
        ]
        in_sight = """
            return %s.map((id) => document.getElementById(id).getBoundingClientRect())
              .every((box) => box.top >= 0 && box.bottom <= innerHeight && box.height > 0);
        """
        for page in pages:
            for size, parts in [((1280, 800), ["caption", "says", "play", "goal"]), ((390, 844), ["caption", "play"])]:
                self.browser.open(page, size)
                assert self.browser.run(in_sight % parts), (page, size)
                self.browser.key(KEYS["end"])
                assert self.browser.run(in_sight % parts), (page, size)
                self.shoot(os.path.basename(page) + f"-{size[0]}")

    def test_the_goal_and_the_rules_are_on_the_page(self):
        goals = {"jimmy": "border", "baddies": "ladder", "maze": "food", "dungeon": "exit", "theseus": "exit"}
        visible = "return document.getElementById('rules').checkVisibility()"
        for ruleset, goal in goals.items():
            page, _ = self.game(ruleset)
            self.browser.open(page)
            said = self.browser.run("return document.getElementById('goal').textContent")
            assert said.startswith("Goal: reach the " + goal), said
            assert not self.browser.run(visible)
            for keys in ["h", "h"], ["h", "\ue00c"]:
                self.browser.key(keys[0])
                assert self.browser.run(visible), "h shows the rules, as in `play`"
                rules = self.browser.run("return document.getElementById('rules').innerText")
                assert ruleset in rules.lower()[:20] and "`" not in rules, rules
                self.browser.key(keys[1])
                assert not self.browser.run(visible), "h and Escape hide them"
            self.browser.click("#show")
            assert self.browser.run(visible), "so does the button"
            self.shoot(ruleset + "-rules")
            self.browser.open(page, (390, 844))
            self.browser.click("#show")
            assert self.browser.run("return document.scrollingElement.scrollWidth") <= 390
            self.shoot(ruleset + "-rules-phone")
            self.browser.click("#rules button")
            assert not self.browser.run(visible), "on a phone, a button hides them"
            assert self.browser.complaints() == []

    def test_the_theme_button_shows_its_state(self):
        page, _ = self.game("jimmy")
        dark, _ = self.game("baddies", "--theme", "dark")
        pressed = "return document.getElementById('theme').ariaPressed"
        for path, scheme, wanted in [(page, "light", "false"), (page, "dark", "true"), (dark, "light", "true")]:
            self.browser.open(path, color_scheme=scheme)
            colors = set()
            for state in (wanted, {"true": "false", "false": "true"}[wanted], wanted):
                assert self.browser.run(pressed) == state, (path, scheme)
                shown = self.browser.run(
                    "return ['#theme', 'html'].map((it) => getComputedStyle(document.querySelector(it)).backgroundColor)"
                )
                colors.add((state, *shown))
                self.browser.click("#theme")
            assert len(colors) == 2 and len({color[1] for color in colors}) == 2, colors

    def test_light_and_dark_can_both_be_read(self):
        page, _ = self.game("dungeon")
        for scheme in ("light", "dark"):
            self.browser.open(page, color_scheme=scheme)
            for switched in (False, True):
                if switched:
                    self.browser.click("#theme")
                    time.sleep(0.1)
                is_dark = self.browser.run("return document.getElementById('theme').ariaPressed")
                assert (is_dark == "true") == ((scheme == "dark") != switched), (scheme, switched)
                for what, contrast in self.browser.run(ON_FLOOR + CONTRAST % TEXTS):
                    least = 3 if what in ("goal", "danger", "wall", "runner", "chaser") else 4.5
                    assert contrast >= least, f"{what} in {is_dark}: {contrast:.2f}"
            self.browser.key(KEYS["end"])
            self.shoot("dungeon-switched-from-" + scheme)

    def test_focus_is_seen(self):
        page, _ = self.game("jimmy")
        self.browser.open(page)
        self.browser.key(KEYS["tab"])
        focus = self.browser.run(
            "const style = getComputedStyle(document.activeElement);"
            "return [document.activeElement.id, style.outlineStyle, parseFloat(style.outlineWidth)]"
        )
        assert focus[0] == "theme" and focus[1] == "solid" and focus[2] >= 2, focus

    def test_figures_walk_unless_the_reader_wants_no_motion(self):
        page, _ = self.game("jimmy")
        walks = "return getComputedStyle(document.querySelector('#marks .m')).animationName"
        for wish, wanted in (("no-preference", "walk"), ("reduce", "none")):
            self.browser.open(page, reduced_motion=wish)
            self.browser.key(KEYS["right"])
            assert self.browser.run(walks) == wanted, wish

    def test_names_are_only_text(self):
        name = "</script><script>window.bad=1</script><img src=x onerror=window.bad=1>\"'&amp; \u2028{{data}}"
        page = self.render("names", f"; name: {name}\n###\n#o.\n###\n")
        self.browser.open(page)
        self.browser.key(KEYS["end"])
        shown = self.browser.run("return [document.title, document.querySelector('h1').textContent]")
        assert shown == [name, name], shown
        assert self.browser.run("return window.bad ?? null") is None
        assert self.browser.run("return document.scripts.length") == 2
        assert self.browser.complaints() == []

    def test_the_page_makes_no_network_requests(self):
        page, _ = self.game("baddies")
        self.browser.open(page)
        loaded = self.browser.run("return performance.getEntriesByType('resource').map((e) => e.name)")
        assert loaded == [], loaded

    def test_an_animated_svg_shows_one_position_at_a_time(self):
        for ruleset in GAMES:
            picture, end = self.game(ruleset, "--delay", "150", ending="svg")
            visible = (
                "return [...document.querySelectorAll('.f')]"
                ".map((node) => getComputedStyle(node).visibility === 'visible')"
            )
            self.browser.open(picture)
            seen = set()
            for _ in range(60):
                shown = self.browser.run(visible)
                assert len(shown) == end + 1 and shown.count(True) == 1, (ruleset, shown)
                seen.add(shown.index(True))
                if len(seen) == end + 1:
                    break
                time.sleep(0.03)
            assert len(seen) == end + 1, f"{ruleset}: {seen}"
            self.browser.open(picture, reduced_motion="reduce")
            assert self.browser.run(visible).index(True) == end, "without motion, the last frame"


def main(kind):
    """Runs the tests of a class."""
    program, *more = sys.argv[1:]
    program = os.path.abspath(program)
    only = "test_"
    if "--only" in more:
        more, only = more[:-2], more[-1]
    shots = more[0] if more else None
    reason = install()
    if reason:
        print(f"skipped: {reason}")
        return 0
    names = [name for name in dir(kind) if name.startswith(only)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tests = kind(program, folder, shots)
        try:
            for name in names:
                try:
                    getattr(tests, name)()
                    print(f"{name} ... ok")
                except Exception:
                    failed += 1
                    print(f"{name} ... FAILED\n{traceback.format_exc()}")
        finally:
            tests.browser.close()
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Tests))
