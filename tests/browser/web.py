#!/usr/bin/env python3
"""Plays, draws and shares on the page that `web/build` makes, in Chromium over `file://`.

tests/browser/web.py PROGRAM [FOLDER]

Needs what tests/browser/page.py needs, and the page. Writes screenshots to FOLDER, if given.
"""

import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse

sys.dont_write_bytecode = True

from hostile import NAMES, SKELETON, TOUCH
from page import CONTRAST, Pages, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "web", "dist", "getaway.html")
AXE = os.path.join(ROOT, "web", "node_modules", "axe-core", "axe.min.js")
MAZE = os.path.join(ROOT, "puzzles", "theseus", "01-a-maze.txt")
GHOSTS = os.path.join(ROOT, "puzzles", "dungeon", "42-two-ghosts-and-their-cooldowns.txt")

ARROWS = {"U": "\ue013", "D": "\ue015", "L": "\ue012", "R": "\ue014", "S": "s"}
STEPS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0), "S": (0, 0)}
MOVES = "(history.state?.lines[0] ?? []).slice(0, history.state?.now)"
BACKSPACE, SHIFT, HOME = "\ue003", "\ue008", "\ue011"
PHONE = (390, 844)
LOOKS = [{"size": size, "color_scheme": theme} for size in (PHONE, (820, 1180), (1440, 900)) for theme in ("light", "dark")]

# Adds up the layout shifts from now on.
SHIFTS = """window.shifts = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shifts += entry.value))).observe({type: "layout-shift"});"""

FAULTY = "; ruleset: jimmy\n###\n#oo\n#x#\n"
LOST = "; ruleset: jimmy\n" + "".join(row + "\n" for row in (
    "########", "#......#", "##.....#", "#.......", "#......#", "#.##..g#", "#..o...#", "########"))
# The states of this dungeon do not fit into the memory of a page.
TOO_HARD = "".join(row + "\n" for row in (
    "; ruleset: dungeon", "-" * 26, "|P" + "." * 21 + "GE|", *4 * ["|" + "." * 24 + "|"],
    "|" + "." * 12 + "GZ" + "." * 10 + "|", *5 * ["|" + "." * 24 + "|"], "|G" + "." * 22 + "Z|", "-" * 26))

# Screens: the fields of an address, the buttons that are pressed there, and the text to wait for.
SCREENS = {
    "maze": ({}, [], ("verdict", "par is 33")),
    "hint": ({}, ["hint"], ("advice", "Hint: ")),
    "values": ({"board": "GHOSTS"}, ["values"], ("advice", "Now: ")),
    "lost": ({"board": LOST, "moves": "R"}, ["lost"], ("advice", "You lost it")),
    "won": ({"board": "; ruleset: jimmy\n###\n#o.\n###\n", "moves": "R"}, [], ("card-title", "Escaped in 1 move")),
    "hero": ({"board": "; ruleset: baddies\nH   m\n  ~  \n+M  *\n"}, [], ("verdict", ".")),
    "snake": ({"board": "; ruleset: maze\nR.*\n...\naA.\n"}, [], ("verdict", "Food")),
    "editor": ({}, ["mode-draw"], ("verdict", "par is 33")),
    "faults": ({"board": FAULTY}, [], ("verdict", "2 faults")),
    "too hard": ({"board": TOO_HARD}, [], ("stop", "Stop searching")),
    "stopped": ({"board": TOO_HARD}, ["stop"], ("verdict", "Stopped.")),
}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def address(**fields):
    return PAGE + "#" + urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)


def in_every(looks):
    """Repeats a test in each of these looks."""
    def repeat(test):
        @functools.wraps(test)
        def repeated(self):
            for self.look in looks:
                try:
                    test(self)
                except AssertionError as error:
                    raise AssertionError(self.look) from error
            del self.look
        return repeated
    return repeat


# Screens of three sizes, of which the smallest is touched, light and dark; or only light, where colours don't matter.
in_every_look = in_every(LOOKS)
in_every_size = in_every(LOOKS[::2])


class Server:
    """Serves a folder, with a policy; the solver only while the gate is open."""

    def __init__(self, folder, policy=None):
        gate = self.gate = threading.Event()
        gate.set()

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=folder)

            def do_GET(self):
                if self.path.endswith(".bin"):
                    gate.wait(20)
                super().do_GET()

            def end_headers(self):
                if policy:
                    self.send_header("Content-Security-Policy", policy)
                super().end_headers()

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def url(self, name):
        return f"http://127.0.0.1:{self.server.server_port}/{name}"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.gate.set()
        self.server.shutdown()


class Web(Pages):
    look = LOOKS[-2]

    def shoot(self, name):
        (width, _), theme = self.look["size"], self.look["color_scheme"]
        super().shoot(f"{name}-{theme}-{width}")

    # --- What a reader sees and does ---

    def start(self, path=PAGE, **look):
        """Opens the page anew; an address that differs only after `#` would not load it."""
        self.browser.call("POST", "/url", {"url": "about:blank"})
        self.browser.complaints()
        self.browser.open(path, **{**self.look, **look})
        self.wait("history.state || document.getElementById('says').textContent", "the first board")

    def start_maze(self, **look):
        self.start(PAGE + "#puzzle=theseus/a-maze", **look)

    def wait(self, script, what):
        self.browser.wait(script, what)

    def text(self, ident):
        return self.browser.run(f"return document.getElementById('{ident}').textContent")

    def chosen(self):
        """Returns the name of the board chosen on the shelf."""
        return self.browser.run("return document.getElementById('shelf').selectedOptions[0].text")

    def value(self, ident):
        return self.browser.run(f"return document.getElementById('{ident}').value")

    def click(self, ident):
        """Clicks a button, even outside the viewport."""
        self.browser.run(f"document.getElementById('{ident}').click()")

    def focus_board(self):
        self.browser.run("document.getElementById('stage').focus({preventScroll: true})")

    def says(self, part):
        self.wait(f"document.getElementById('says').textContent.includes({json.dumps(part)})", part)

    def verdict(self, part):
        self.wait(f"document.getElementById('verdict').textContent.includes({json.dumps(part)})", part)

    def moves(self):
        """Returns the moves made, which the browser's history keeps."""
        return self.browser.run(f"return {MOVES}")

    def played(self, moves):
        """Waits until these moves are made, written without spaces."""
        self.wait(f"{MOVES}.join('') === {json.dumps(moves)}", f"moves {moves}, not {self.moves()}")

    def made(self, number):
        self.wait(f"{MOVES}.length === {number}", f"{number} moves, not {self.moves()}")

    def solve(self, path):
        done = subprocess.run(
            [self.program, "solve", "--shortest", "--json", "--no-timing", path],
            capture_output=True, text=True, check=False,
        )
        return json.loads(done.stdout)

    def check(self, text):
        done = subprocess.run(
            [self.program, "check", "--json", "--no-timing", "-"],
            input=text, capture_output=True, text=True, check=False,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    def place(self, x, y):
        """Converts a place on the board, in cells, to a place on the screen."""
        return self.browser.run(
            "const svg = document.getElementById('board'); svg.scrollIntoView({block: 'center'});"
            f"const p = new DOMPoint({x}, {y}).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]"
        )

    def touch(self, *places, kind="touch"):
        """Puts a finger down on the first of these places and lifts it at the last one."""
        (x, y), *rest = [(round(x), round(y)) for x, y in places]
        move = {"type": "pointerMove", "duration": 20}
        actions = [{**move, "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        actions += [{**move, "x": x, "y": y} for x, y in rest]
        actions += [{"type": "pointerUp", "button": 0}]
        self.browser.act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions})

    def no_complaints(self):
        complaints = self.browser.complaints()
        assert complaints == [], complaints

    # --- Play ---

    def test_the_maze_is_solved_by_keys_with_the_programs_hints(self):
        line = self.solve(MAZE)["moves"]
        assert len(line) == 33
        self.start_maze()
        self.verdict("par is 33 moves")
        self.focus_board()
        for number, move in enumerate(line):
            self.click("hint")
            self.wait("document.getElementById('advice').textContent.startsWith('Hint: ')", "a hint")
            left = 33 - number
            plural = "" if left == 1 else "s"
            assert self.text("advice") == f"Hint: {move} (escape in {left} move{plural}).", self.text("advice")
            self.focus_board()
            self.browser.key(ARROWS[move])
            self.played("".join(line[: number + 1]))
            self.says(f"Turn {number + 1}, Theseus {move}: ")
        self.says("The end: escape in 33 moves.")
        self.no_complaints()

    @in_every_size
    def test_the_maze_is_solved_by_taps(self):
        line = self.solve(MAZE)["moves"]
        self.start_maze()
        x, y = 2.5, 2.5
        rows = [row for row in read(MAZE).splitlines() if not row.startswith(";")]
        row = next(number for number, row in enumerate(rows) if "T" in row)
        x, y = rows[row].index("T") / 2, row / 2
        for number, move in enumerate(line):
            x, y = x + STEPS[move][0], y + STEPS[move][1]
            self.touch(self.place(x, y))
            self.played("".join(line[: number + 1]))
        self.says("The end: escape in 33 moves.")

    def test_a_swipe_is_a_move(self):
        for move, (x, y) in STEPS.items():
            if move == "S":
                continue
            self.start(address(board="; ruleset: theseus\n+-+-+-+\n|. . .|\n+ + + +\n|. T .|\n+ + + +\n|. . .|\n"
                                     "+-+-+-+\n|M|. E|\n+-+-+-+\n"), size=PHONE)
            # Before the board has the focus, a finger that moves up or down scrolls the page.
            self.focus_board()
            begin = self.place(1.5, 1.5)
            self.touch(begin, (begin[0] + 60 * x, begin[1] + 60 * y))
            self.played(move)

    @in_every_size
    def test_diagonal_moves_have_keys_buttons_and_taps(self):
        board = "; ruleset: baddies\nH    \n     \n    *\n"
        self.start(address(board=board))
        self.focus_board()
        self.browser.key("3")
        self.says("Turn 1")
        after = "".join(self.moves())
        for act in (
            lambda: self.browser.run("document.querySelector('[aria-label^=\"Move down and right\"]').click()"),
            lambda: self.touch(self.place(1.5, 1.5)),
        ):
            self.start(address(board=board))
            act()
            self.played(after)

    @in_every_size
    def test_taps_and_hints_are_for_the_player_whose_turn_it_is(self):
        # The second player has to fetch the key while the first one waits.
        board = "; ruleset: dungeon\n-------\n|P...E|\n|..P.K|\n-------\n"
        ring = "return [...document.querySelectorAll('#turn circle')].map((ring) => [ring.getAttribute('cx'), ring.getAttribute('cy')])"
        self.start(address(board=board))
        self.says("The start.")
        assert self.browser.run(ring) == [["1.5", "1.5"]]
        assert self.text("words").startswith("Player at 2,2 "), self.text("words")
        self.touch(self.place(2.5, 1.5))
        self.played("R")
        self.wait("document.querySelector('#turn circle')?.getAttribute('cx') === '3.5'", "the ring around the second player")
        assert self.browser.run(ring) == [["3.5", "2.5"]]
        assert self.text("words").startswith("Player at 3,4 "), self.text("words")
        self.click("hint")
        self.wait("document.getElementById('advice').textContent.startsWith('Hint: R')", "a hint for the second player")
        mark = "return [...document.querySelectorAll('#over .mark')].map((box) => [box.getAttribute('x'), box.getAttribute('y')])"
        [[x, y]] = self.browser.run(mark)
        assert (float(x), float(y)) == (4.05, 2.05), (x, y)
        self.touch(self.place(4.5, 2.5))
        self.played("RR")
        self.wait("document.querySelector('#turn circle')?.getAttribute('cx') === '2.5'", "the ring around the first player")
        self.no_complaints()

    def test_moves_are_undone_redone_and_restarted(self):
        self.start_maze()
        self.focus_board()
        for move in "UR":
            self.browser.key(ARROWS[move])
        self.played("UR")
        self.browser.key(BACKSPACE)
        self.played("U")
        self.click("redo")
        self.played("UR")
        self.click("undo")
        self.played("U")
        self.browser.key(HOME)
        self.played("")
        assert self.browser.run("return document.getElementById('undo').disabled")
        self.click("redo")
        self.played("U")
        self.click("redo")
        self.played("UR")
        assert self.browser.run("return document.getElementById('redo').disabled")

    def test_undo_gives_the_same_luck(self):
        self.start(address(board=read(GHOSTS), seed="5"))
        seen = []
        for _ in range(3):
            for number in range(1, 4):
                self.browser.run("document.querySelector('#pad button:enabled').click()")
                self.says(f"Turn {number}, ")
                self.made(number)
            time.sleep(0.6)
            seen.append([self.moves(), self.text("says"), self.browser.run(
                "return document.getElementById('board').innerHTML.replace(/<g id=.over.*/, '')")])
            for number in (2, 1, 0):
                self.click("undo")
                self.made(number)
        assert seen[0] == seen[1] == seen[2]

    def test_an_illegal_move_is_refused_with_a_reason(self):
        self.start(address(board="; ruleset: jimmy\n#####\n#o..#\n#...#\n#..g#\n##.##\n"))
        self.says("The start.")
        self.focus_board()
        self.browser.key(ARROWS["U"])
        self.says("A solid cell is in the way")
        assert self.moves() == []

    @in_every_look
    def test_values_of_moves_and_the_losing_move(self):
        self.start(address(board=LOST))
        assert self.chosen() == "Another board"
        self.click("values")
        self.wait("document.querySelectorAll('#worths li').length === 2", "two moves")
        values = self.text("worths")
        assert "L: escape in" in values and "R: caught after" in values, values
        self.click("values")
        self.focus_board()
        self.browser.key(ARROWS["R"])
        self.played("R")
        self.click("lost")
        self.wait("document.getElementById('advice').textContent.includes('You lost it')", "the losing move")
        told = self.text("advice")
        assert told.startswith("You lost it on move 1, R.") and "Better: L" in told, told

    def test_a_dungeon_has_odds(self):
        self.start(address(board=read(GHOSTS), seed="5"))
        self.verdict("Probability of escape under best play")
        answer = self.solve(GHOSTS)
        shown = float(re.search(r"([\d.]+) %", self.text("verdict")).group(1)) / 100
        assert abs(shown - answer["probability"]) < 1e-4, (shown, answer)
        self.click("values")
        self.wait("document.querySelectorAll('#worths li').length > 1", "the odds of the moves")
        assert re.search(r"[URLDS].*: escape with a probability of \d+\.\d\d %", self.text("worths")), self.text("worths")

    def test_the_shelf_has_all_games_and_the_records(self):
        self.start()
        groups = self.browser.run("return [...document.querySelectorAll('#shelf optgroup')].map((group) => group.label)")
        games = ["jimmy", "baddies", "maze", "dungeon", "theseus"]
        assert {f"Examples: {game}" for game in games} <= set(groups) and "The hardest known: jimmy" in groups, groups
        for game in games:
            self.browser.run(
                "const shelf = document.getElementById('shelf');"
                f"shelf.value = shelf.querySelector('optgroup[label=\"Examples: {game}\"] option').value;"
                "shelf.dispatchEvent(new Event('change'))"
            )
            self.wait(f"document.getElementById('ruleset').textContent === '{game}'", game)
            assert "Moves" in self.text("rules"), game
            self.wait("document.querySelector('#pad button:enabled')", game)
            self.browser.run("document.querySelector('#pad button:enabled').click()")
            self.says("Turn 1, ")
            assert "unfinished" not in self.text("says"), self.text("says")
        before = self.text("name")
        self.click("next")
        self.wait(f"document.getElementById('name').textContent !== {json.dumps(before)}", "the next board")

    def test_new_puzzles_are_made(self):
        self.start()
        self.browser.run(
            "document.getElementById('make-ruleset').value = 'jimmy';"
            "document.getElementById('make-level').value = 'easy';"
            "document.getElementById('make-rows').value = 6;"
            "document.getElementById('make-cols').value = 7;"
            "document.getElementById('make').requestSubmit()"
        )
        self.wait("document.getElementById('name').textContent.startsWith('jimmy ')", "a new board")
        self.verdict("Escape")
        rows = [row for row in self.value("file").splitlines() if row and not row.startswith(";")]
        assert (len(rows), len(rows[0])) == (6, 7), rows

    # --- Draw ---

    def draw(self, board):
        self.start(address(board=board))
        self.click("mode-draw")
        self.wait("!document.getElementById('drawing').hidden", "the editor")
        self.wait("document.querySelectorAll('#palette input').length > 1", "the glyphs")

    def test_faults_stand_at_their_cells(self):
        self.start(address(board=FAULTY))
        self.wait("document.querySelectorAll('#board .fault').length === 2", "two faults")
        told = self.browser.run("return [...document.querySelectorAll('#faults li')].map((item) => item.textContent)")
        assert told[0].startswith("At 2,3: ") and "the first is at 2,2" in told[0] and "keep one `o`" in told[0], told
        assert told[1].startswith("At 3,2: "), told
        box = self.browser.run("const f = document.querySelector('.fault'); return [f.x.baseVal.value, f.y.baseVal.value]")
        assert [round(value, 2) for value in box] == [2.05, 1.05], box
        self.verdict("Not a valid board yet: 2 faults.")

    @in_every_size
    def test_a_board_is_drawn_by_mouse_finger_and_keys(self):
        for kind in ("mouse", "touch"):
            self.draw("; ruleset: jimmy\n####\n#o.#\n####\n####\n")
            self.verdict("Caught")
            self.browser.run("document.querySelector('[name=glyph][value=\".\"]').click()")
            self.touch(self.place(3.5, 1.5), kind=kind)
            self.verdict("Escape: par is 2 moves. Difficulty: ")
            self.verdict("A shortest line is RR.")
            assert "#o..\n" in self.value("source")
        self.draw("; ruleset: jimmy\n####\n#o.#\n####\n####\n")
        self.focus_board()
        for key in ("\ue014", "\ue014", "."):
            self.browser.key(key)
            time.sleep(0.1)
        self.verdict("Escape: par is 2 moves")
        self.click("undraw")
        self.verdict("Caught")
        self.click("redraw")
        self.verdict("Escape: par is 2 moves")

    @in_every_size
    def test_walls_between_cells_are_toggled(self):
        board = "; ruleset: theseus\n+-+-+-+\n|T|E M|\n+-+-+-+\n"
        self.draw(board)
        self.verdict("Caught")
        self.touch(self.place(1.0, 0.5))
        self.wait("document.getElementById('source').value.includes('|T E M|')", "no wall")
        self.verdict("Escape: par is 1 move")
        self.touch(self.place(1.0, 0.5))
        self.wait("document.getElementById('source').value.includes('|T|E M|')", "a wall")
        self.focus_board()
        self.browser.key(" ")
        self.wait("document.getElementById('source').value.includes('|T E M|')", "no wall, by key")

    def test_a_board_is_pasted_and_grows(self):
        self.draw("; ruleset: jimmy\n###\n#o#\n###\n")
        self.browser.run(
            "const area = document.getElementById('source'); area.value = '; ruleset: jimmy\\n###\\n#o.\\n###\\n';"
            "area.dispatchEvent(new Event('input'))"
        )
        self.verdict("Escape: par is 1 move")
        for button, rows, cols in (("more-rows", 4, 3), ("more-cols", 4, 4), ("less-rows", 3, 4), ("less-cols", 3, 3)):
            self.click(button)
            self.wait(
                "(() => { const rows = document.getElementById('source').value.trim().split('\\n').slice(1);"
                f"return rows.length === {rows} && rows.every((row) => row.length === {cols}) }})()", button)
        self.click("mode-play")
        self.says("The start.")

    def test_a_look_at_the_editor_keeps_the_game(self):
        self.start_maze()
        self.focus_board()
        self.browser.key(ARROWS["U"])
        self.says("Turn 1, ")
        self.click("mode-draw")
        self.wait("document.getElementById('name').textContent === 'Drawing: theseus'", "the editor")
        self.click("mode-play")
        self.says("Turn 1, ")
        self.played("U")

    def test_probabilities_appear_as_a_dungeon_is_drawn(self):
        self.draw(read(GHOSTS))
        self.verdict("Probability of escape under best play")

    # --- Share ---

    def test_a_link_restores_the_game(self):
        for board in (read(MAZE), read(GHOSTS)):
            self.start(address(board=board, seed="5"))
            for number in range(1, 4):
                self.browser.run("document.querySelector('#pad button:enabled').click()")
                self.says(f"Turn {number}, ")
                self.made(number)
            time.sleep(0.6)
            shown = "return [document.getElementById('says').textContent, document.querySelector('#board').innerHTML.length]"
            before = self.browser.run(shown)
            assert self.chosen() == self.text("name")
            self.browser.run("document.getElementById('with-moves').click()")
            with_moves = self.copied_link()
            assert "moves=" in with_moves, with_moves
            self.start(with_moves.removeprefix("file://"))
            self.says("Turn 3, ")
            assert self.browser.run(shown) == before
            # A link that is pasted into the address of the open page.
            self.click("restart")
            self.says("The start.")
            self.browser.run(f"location.hash = {json.dumps(with_moves.split('#', 1)[1])}")
            self.says("Turn 3, ")

    def copied_link(self):
        """Returns the link that the page would copy."""
        self.browser.run("window.texts = []; navigator.clipboard.writeText = async (text) => void texts.push(text)")
        self.click("copy-link")
        self.wait("texts.length === 1", "a link")
        return self.browser.run("return texts[0]")

    def test_the_program_reads_the_board_file(self):
        line = self.solve(MAZE)["moves"]
        self.start(address(board=read(MAZE), moves="".join(line)))
        self.says("The end: escape in 33 moves.")
        assert "moves" not in self.value("file")
        self.click("with-moves")
        text = self.value("file")
        assert "; moves: " + "".join(line) in text
        [answer] = self.check("; expect: escape\n" + text)
        assert answer["ok"] and answer["verdict"] == "escape", answer
        self.start(address(board=read(GHOSTS), seed="5"))
        for number in range(1, 4):
            self.browser.run("document.querySelector('#pad button:enabled').click()")
            self.says(f"Turn {number}, ")
            self.made(number)
        self.click("with-moves")
        text = self.value("file")
        assert "; seed: 5\n" in text and re.search("; moves: " + " ?".join(map(re.escape, self.moves())) + "\n", text), text
        [answer] = self.check(text)
        assert answer["verdict"] == "escape" and "refuted" not in answer, answer
        self.browser.run("document.getElementById('copy-text').closest('details').open = true")
        self.browser.click("#copy-text")
        self.says("Copied.")
        self.browser.run("window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download) }")
        self.click("download")
        assert self.browser.run("return saved") == ["two-ghosts-and-their-cooldowns.txt"], self.browser.run("return saved")

    def test_a_page_has_boards_of_its_own(self):
        boards = os.path.join(self.folder, "boards.txt")
        page = os.path.join(self.folder, "own.html")
        names = ["first", *NAMES]
        with open(boards, "w", encoding="utf-8") as file:
            file.write("\n".join(f"; ruleset: jimmy\n; name: {name}\n###\n#o.\n###\n" for name in names))
        subprocess.run([self.program, "convert", boards, page, "--template", PAGE], check=True)
        self.start(page)
        self.wait("document.getElementById('name').textContent === 'first'", "the first board")
        shown = self.browser.run(
            "return [...document.querySelectorAll('optgroup[label=\"Boards of this page\"] option')].map((o) => o.textContent)")
        assert shown == names, shown
        for name in NAMES:
            self.click("next")
            self.wait(f"document.getElementById('name').textContent === {json.dumps(name)}", name)
        assert self.browser.run(TOUCH)[0] is None
        self.no_complaints()

    def test_hostile_boards_and_fragments_run_nothing(self):
        harmless = None
        for name in ["harmless", *NAMES]:
            self.start(address(board=f"; ruleset: jimmy\n; name: {name}\n###\n#o.\n###\n"))
            self.says("The start.")
            self.verdict("Escape")
            pwned, _, frames = self.browser.run(TOUCH)
            assert pwned is None and frames == 0, name
            elements = self.browser.run(SKELETON)
            harmless = harmless or elements
            assert elements == harmless, (name, set(elements) ^ set(harmless))
            assert self.text("name") == name
            self.no_complaints()
        for fields in (
            {"board": NAMES[0]}, {"board": "o", "moves": NAMES[0]}, {"board": "o", "seed": NAMES[0]},
            {"board": "; ruleset: <img src=x onerror=window.pwned=1>\n###\n#o.\n"}, {"board": "\0" * 50},
            {"board": "{" * 1000}, {"board": "o" * 100000}, {"moves": "U"}, {"x": "y"},
        ):
            self.start(address(**fields))
            self.wait("document.getElementById('name').textContent !== 'Loading'", str(fields)[:60])
            self.wait("document.getElementById('says').textContent !== '' || document.querySelector('#faults li')", str(fields)[:60])
            assert self.browser.run("return window.pwned ?? null") is None, fields
            self.no_complaints()
        self.start(PAGE + "#%%%&board=%E0%A4%A")
        assert self.browser.run("return window.pwned ?? null") is None

    # --- Nothing moves ---

    @in_every_size
    def test_nothing_moves_while_a_game_is_played(self):
        places = ("return ['stage', 'controls', 'undo'].map((id) => { const box = document.getElementById(id).getBoundingClientRect();"
                  "return [box.x, box.y + scrollY, box.width, box.height].map(Math.round) })")
        self.start(address(board=LOST))
        self.verdict("Escape")
        self.browser.run(SHIFTS)
        before = self.browser.run(places)
        for act in (lambda: self.click("hint"), lambda: self.click("values"), lambda: self.browser.key(ARROWS["R"])):
            self.focus_board()
            act()
            self.wait("document.getElementById('advice').textContent", "advice")
            assert self.browser.run(places) == before, (before, self.browser.run(places))
        self.focus_board()
        self.lose()
        assert self.browser.run(places) == before, (before, self.browser.run(places))
        assert self.browser.run("return shifts") < 0.05, self.browser.run("return shifts")

    def lose(self):
        for move in "URRR":
            if not self.browser.run("return document.getElementById('card').hidden"):
                return
            self.browser.key(ARROWS[move])
            time.sleep(0.3)
        self.wait("!document.getElementById('card').hidden", "the end of the game")

    @in_every_size
    def test_the_next_board_is_ready_to_play(self):
        self.start()
        choose = "const s = document.getElementById('shelf'); s.value = '2'; s.dispatchEvent(new Event('change'))"
        for act in (lambda: self.click("next"), lambda: self.browser.run(choose), lambda: self.click("another")):
            before = self.text("name")
            self.browser.run("scrollTo(0, 9999)")
            act()
            self.wait(f"document.getElementById('name').textContent !== {json.dumps(before)}", "another board")
            self.wait("document.activeElement.id === 'stage'", "the focus on the board")
            # The page scrolls after it has named the board.
            box = "stage.getBoundingClientRect()"
            self.wait(f"{box}.top >= 0 && {box}.bottom <= innerHeight", "the whole board in view")
        self.start()
        before = self.text("name")
        self.click("next")
        self.wait(f"document.getElementById('name').textContent !== {json.dumps(before)}", "another board")
        self.wait("document.activeElement.id === 'stage'", "the focus on the board")
        self.says("The start.")
        self.browser.key(*(ARROWS[move] for move in "UDLR"))
        self.wait(f"{MOVES}.length > 0", "a move by an arrow key")

    def test_a_refused_move_does_not_take_the_next_one_with_it(self):
        self.start(address(board="; ruleset: jimmy\n#####\n#o..#\n#...#\n#..g#\n##.##\n"))
        self.says("The start.")
        self.focus_board()
        self.browser.key(ARROWS["U"], ARROWS["R"])
        self.played("R")

    # --- Results ---

    @in_every_look
    def test_a_card_shows_the_result(self):
        self.start(PAGE + "#puzzle=jimmy/one-row-higher")
        self.browser.run("localStorage.clear()")
        self.verdict("par is 4 moves")
        self.focus_board()
        self.click("hint")
        self.wait("document.getElementById('advice').textContent.startsWith('Hint: U')", "a hint")
        for number, move in enumerate("ULLL"):
            self.browser.key(ARROWS[move])
            self.made(number + 1)
        self.wait("!document.getElementById('card').hidden", "the card")
        assert self.text("card-title") == "Escaped in 4 moves", self.text("card-title")
        assert self.text("card-facts") == "Par is 4: the fewest possible. 1 hint used. Your best: 4 with hints.", self.text("card-facts")
        assert self.chosen() == "✓ One row higher (best 4, with hints)", self.chosen()
        low = [part for part in self.browser.run(CONTRAST % "#card *") if part[1] < 4.5]
        assert low == [], low
        self.shoot("card")
        self.click("again")
        self.played("")
        self.wait("document.getElementById('card').hidden", "no card")
        self.focus_board()
        for number, move in enumerate("ULLL"):
            self.browser.key(ARROWS[move])
            self.made(number + 1)
        self.wait("!document.getElementById('card').hidden", "the card")
        assert "No hints used. Your best: 4." in self.text("card-facts"), self.text("card-facts")
        self.browser.run("window.texts = []; navigator.clipboard.writeText = async (text) => void texts.push(text)")
        self.click("challenge")
        self.says("This link works on this computer only.")
        [told] = self.browser.run("return texts")
        assert "escaped in 4 moves" in told and told.endswith("#puzzle=jimmy/one-row-higher"), told
        self.browser.key("\ue007")
        self.wait("document.getElementById('name').textContent !== 'One row higher'", "Enter goes on")

    @in_every_size
    def test_a_lost_game_names_the_move_that_lost_it(self):
        self.start(address(board=LOST))
        self.verdict("Escape")
        self.focus_board()
        self.browser.key(ARROWS["R"])
        self.played("R")
        self.lose()
        self.wait("document.getElementById('card-lost').textContent.includes('You lost it on move 1, R.')", "the losing move")
        self.browser.click("#card-lost button")
        self.played("")
        assert self.text("says") == "The start."

    @in_every_size
    def test_a_maze_compares_the_whole_game(self):
        self.start(address(board="; ruleset: maze\nR.*\n...\n*..\n"))
        self.verdict("Par for all food is 6 steps if no wall moves.")
        self.focus_board()
        for number, key in enumerate("DURRDLLD"):
            self.browser.key(ARROWS[key])
            self.made(number + 1)
        self.wait("!document.getElementById('card').hidden", "the card")
        assert "Par is 6 if no wall moves: 2 moves more." in self.text("card-facts"), self.text("card-facts")

    # --- Links ---

    @in_every_size
    def test_links_are_short_and_hold_no_solution(self):
        board = "; ruleset: jimmy\n; name: Mine\n; moves: RR\n; expect: escape\n; remark: go right\n####\n#o..\n####\n"
        self.start(address(board=board, moves="R"))
        self.says("Turn 1, ")
        link = self.copied_link()
        assert "moves" not in link and len(link.split("#")[1]) < len(address(board=board).split("#")[1]) / 2, link
        self.start(link.removeprefix("file://"))
        self.says("The start.")
        assert self.text("name") == "Mine" and self.browser.run("return document.title") == "Mine - getaway"
        text = self.value("file")
        assert "remark" not in text and "moves" not in text and "expect" not in text and "#o..\n" in text, text
        self.verdict("par is 2 moves")
        # A reload keeps the game, which the link does not have.
        self.focus_board()
        self.browser.key(ARROWS["R"])
        self.played("R")
        self.browser.call("POST", "/refresh", {})
        self.says("Turn 1, ")
        self.played("R")

    def test_new_and_daily_boards_are_named_by_their_links(self):
        self.start()
        self.browser.run("document.getElementById('make-ruleset').value = 'theseus'; document.getElementById('make-level').value = 'easy'")
        for act, mark in ((lambda: self.click("another"), "#make=theseus&level=easy&seed="),
                          (lambda: self.browser.run("document.querySelector('#daily button').click()"), "#daily=jimmy&date=")):
            act()
            self.wait(f"location.hash.startsWith({json.dumps(mark)})", mark)
            self.says("The start.")
            shown = "return [document.getElementById('name').textContent, document.getElementById('file').value, location.href]"
            made = self.browser.run(shown)
            assert len(made[2].split("#")[1]) < 60, made[2]
            self.start(made[2].removeprefix("file://"))
            self.says("The start.")
            assert self.browser.run(shown) == made

    # --- Help ---

    @in_every_look
    def test_values_are_arrows_on_the_pad_and_on_the_board(self):
        self.start(address(board=LOST))
        self.verdict("Escape")
        self.click("values")
        self.wait("document.querySelectorAll('#over .arrow').length === 2", "two arrows")
        shown = self.browser.run("return [...document.querySelectorAll('#pad button:enabled')].map((b) => [b.dataset.move, b.className, b.querySelector('small').textContent])")
        assert [(move, look.split()[-1]) for move, look, _ in shown] == [("L", "good"), ("R", "bad")], shown
        assert shown[0][2].isdigit() and shown[1][2] == "✕", shown
        assert self.browser.run("return [...document.querySelectorAll('#over text')].map((t) => t.textContent)") == [text for _, _, text in shown]
        low = [part for part in self.browser.run(CONTRAST % "#pad .valued") if part[1] < 4.5]
        assert low == [], low
        self.shoot("arrows")

    @in_every_size
    def test_the_solution_is_played(self):
        self.start(PAGE + "#puzzle=jimmy/one-row-higher", reduced_motion="reduce")
        self.verdict("par is 4 moves")
        self.click("solution")
        self.wait("!document.getElementById('card').hidden", "the end of the solution")
        self.played("ULLL")
        assert "4 hints used" in self.text("card-facts"), self.text("card-facts")

    @in_every_size
    def test_moves_are_a_list_and_other_tries_stay(self):
        self.start_maze()
        self.focus_board()
        for number, move in enumerate("UR"):
            self.browser.key(ARROWS[move])
            self.made(number + 1)
        self.click("undo")
        self.made(1)
        # Bumping into a wall keeps the move to redo.
        self.browser.key(ARROWS["U"])
        self.says("wall")
        assert not self.browser.run("return document.getElementById('redo').disabled")
        self.browser.key(ARROWS["S"])
        self.played("US")
        listed = "return [...document.querySelectorAll('#moves button')].map((b) => b.textContent)"
        assert self.browser.run(listed) == ["Start", "U", "S", "or R"], self.browser.run(listed)
        self.browser.run("document.querySelector('#moves .try').click()")
        self.played("UR")
        self.browser.run("document.querySelector('#moves button').click()")
        self.played("")
        assert self.browser.run(listed) == ["Start", "U", "R", "or S"], self.browser.run(listed)
        self.browser.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": "\ue009"}, {"type": "keyDown", "value": "y"}, {"type": "keyUp", "value": "y"}, {"type": "keyUp", "value": "\ue009"}]}]})
        self.played("U")

    # --- Fingers and windows ---

    @in_every_size
    def test_only_one_finger_and_the_left_button_play(self):
        self.start_maze()
        self.touch(self.place(2.5, 0.5))
        self.played("U")
        x, y = (round(value) for value in self.place(2.5, 1.5))
        touches = lambda kind, *points: self.browser.devtools(
            "Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)])
        touches("touchStart", (x, y))
        touches("touchStart", (x, y), (x + 60, y + 60))
        touches("touchMove", (x - 40, y), (x + 90, y + 60))
        touches("touchEnd")
        self.browser.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 20, "x": x, "y": y}, {"type": "pointerDown", "button": 2}, {"type": "pointerUp", "button": 2}]})
        time.sleep(0.4)
        assert self.moves() == ["U"]

    @in_every_size
    def test_space_stays_wherever_the_focus_is(self):
        self.start(address(board="; ruleset: theseus\n+-+-+-+\n|T .|E|\n+ +-+ +\n|. .|M|\n+-+-+-+\n"))
        self.says("The start.")
        for number, ident in enumerate(("stage", "hint", "next", "log")):
            self.browser.run(f"document.getElementById('{ident}').focus()")
            self.browser.key(" ")
            self.made(number + 1)
        assert self.moves() == ["S"] * 4, self.moves()

    def test_a_wide_board_is_enlarged_and_follows_the_runner(self):
        rows = ["." * 40 for _ in range(15)]
        rows[7] = "." * 20 + "o" + "." * 19
        self.start(address(board="; ruleset: jimmy\n" + "\n".join(rows) + "\n"), size=PHONE)
        self.says("The start.")
        pressed = "return document.getElementById('enlarge').getAttribute('aria-pressed')"
        assert self.browser.run(pressed) == "true"
        buttons = self.browser.run("return [...document.querySelectorAll('header > *')].map((node) => node.getBoundingClientRect()).map((box) => [box.top, box.bottom, box.right])")
        assert all(top >= 0 and bottom <= 68 and right <= PHONE[0] for top, bottom, right in buttons), buttons
        cell = "const m = document.getElementById('board').getScreenCTM(); return [m.a, m.e]"
        wide, left = self.browser.run(cell)
        assert wide >= 30, wide
        self.focus_board()
        self.browser.key(ARROWS["R"])
        self.made(1)
        self.wait(f"Math.abs(document.getElementById('board').getScreenCTM().e - {left} + {wide}) < 1", "the board follows")
        self.touch(self.place(22.5, 7.5))
        self.played("RR")
        self.browser.click("#enlarge")
        assert self.browser.run(cell)[0] < 10 and self.browser.run(pressed) == "false"

    def test_low_windows_put_the_pad_beside_the_board(self):
        for size in ((844, 390), (720, 450)):
            self.start_maze(size=size)
            boxes = self.browser.run("return ['stage', 'pad'].map((id) => document.getElementById(id).getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom])")
            assert boxes[0][2] <= boxes[1][0] and all(box[3] <= size[1] for box in boxes), (size, boxes)
            assert self.browser.run("return document.documentElement.scrollWidth") <= size[0]
            Pages.shoot(self, f"low-{size[0]}")

    # --- For everybody ---

    @in_every_size
    def test_a_board_is_described_in_words(self):
        self.start(address(board="; ruleset: theseus\n+-+-+-+\n|T . .|\n+ +-+ +\n|. . E|\n+ +-+-+\n|. . M|\n+-+-+-+\n"))
        self.says("The start.")
        assert self.text("words") == ("Theseus at 1,1 of 3 rows and 3 columns. Around: above edge of the board, left edge of the board, right free, below free. "
                                      "Minotaur at 3,3 (2 down, 2 right). Exit at 2,3 (1 down, 2 right)."), self.text("words")
        assert self.text("summary") == "Theseus and the Minotaur with two steps to his one: reach the exit."
        self.focus_board()
        self.browser.key(ARROWS["R"])
        self.wait("document.getElementById('words').textContent.startsWith('Theseus at 1,2 ')", "the new position in words")
        assert "words" in self.browser.run("return stage.getAttribute('aria-describedby')")

    @in_every_look
    def test_forced_colours_keep_the_pressed_state(self):
        self.start_maze()
        self.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
        colors = self.browser.run("return ['mode-play', 'mode-draw'].map((id) => getComputedStyle(document.getElementById(id)).backgroundColor)")
        self.browser.devtools("Emulation.setEmulatedMedia", features=[])
        assert colors[0] != colors[1], colors

    @in_every_size
    def test_rules_come_before_glyphs(self):
        self.start_maze()
        told = self.text("rules")
        assert 0 < told.index("Theseus moves first.") < told.index("Glyphs"), told

    @in_every_look
    def test_a_print_has_the_board_and_the_rules(self):
        self.start_maze()
        self.browser.run("document.getElementById('rules-panel').open = false")
        self.browser.devtools("Emulation.setEmulatedMedia", media="print", features=[])
        shown = self.browser.run("return [...document.querySelectorAll('button, select, textarea')].filter((node) => node.checkVisibility()).length")
        seen = self.browser.run("return ['name', 'board', 'rules'].map((id) => document.getElementById(id).checkVisibility())")
        self.browser.devtools("Emulation.setEmulatedMedia", media="", features=[])
        assert shown == 0 and seen == [True, True, True], (shown, seen)

    def test_a_page_that_cannot_start_says_so(self):
        with Server(os.path.dirname(PAGE), "default-src 'self'") as server:
            self.browser.call("POST", "/url", {"url": server.url("getaway.html")})
            self.wait("document.getElementById('stuck').checkVisibility()", "the message")
        self.browser.complaints()
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.call("POST", "/url", {"url": "file://" + PAGE})
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
        self.wait("document.getElementById('stuck').checkVisibility()", "the message without scripts")

    def test_on_a_server_the_board_shows_before_the_solver(self):
        folder = os.path.join(os.path.dirname(PAGE), "server")
        assert os.path.getsize(os.path.join(folder, "index.html")) < 120_000
        with Server(folder) as server:
            server.gate.clear()
            self.browser.call("POST", "/url", {"url": "about:blank"})
            self.browser.call("POST", "/url", {"url": server.url("index.html")})
            self.wait("document.querySelector('#board path')", "the board")
            assert self.text("name") == "One row higher" and self.text("verdict") == ""
            self.browser.run(SHIFTS)
            server.gate.set()
            self.verdict("par is 4 moves")
            assert self.browser.run("return shifts") < 0.05
            self.no_complaints()

    @in_every_size
    def test_a_long_name_is_clamped(self):
        self.start(address(board=f"; ruleset: jimmy\n; name: {'long ' * 600}\n###\n#o.\n###\n"))
        self.says("The start.")
        assert self.browser.run("return document.getElementById('name').offsetHeight") < 40
        assert len(self.browser.run("return document.title")) < 300

    # --- Drawing and files ---

    @in_every_look
    def test_a_new_board_is_drawn_with_strokes(self):
        self.start()
        self.says("The start.")
        first = self.text("name")
        self.click("mode-draw")
        self.wait("document.querySelectorAll('#palette input').length > 1", "the glyphs")
        self.browser.run("document.getElementById('new-ruleset').value = 'jimmy'; document.getElementById('new-rows').value = 5;"
                         "document.getElementById('new-cols').value = 9; document.getElementById('new-board').requestSubmit()")
        rows = "document.getElementById('source').value.trim().split('\\n').slice(1)"
        self.wait(f"{rows}.length === 5 && {rows}.every((row) => row.length === 9)", "the new board")
        self.browser.run("document.querySelector('[name=glyph][value=\"#\"]').click()")
        self.touch(self.place(0.5, 0.5), self.place(8.5, 0.5), kind="mouse")
        self.wait(f"{rows}[0] === '#########'", "a continuous stroke")
        self.browser.run("document.querySelector('[name=glyph][value=o]').click()")
        self.touch(self.place(2.5, 3.5), kind="mouse")
        self.wait(f"{rows}[3][2] === 'o' && {rows}[2][4] === '.'", "the runner moves")
        self.click("undraw")
        self.click("undraw")
        self.wait(f"{rows}[0] === '.........'", "a stroke is undone at once")
        self.click("redraw")
        self.wait(f"{rows}[0] === '#########'", "the stroke again")
        self.shoot("drawing")
        self.click("next")
        self.wait("document.getElementById('drawing').hidden", "the next board in Play")
        self.browser.run("history.back()")
        self.wait(f"!document.getElementById('drawing').hidden && {rows}[0] === '#########'", "the drawing is back")
        self.browser.run("history.back()")
        self.wait(f"document.getElementById('source').value.includes({json.dumps(first)})", "the first board is back")

    @in_every_size
    def test_after_an_unplayable_board_the_next_opens_in_play(self):
        self.start(address(board=FAULTY))
        self.wait("!document.getElementById('drawing').hidden", "the editor")
        self.click("next")
        self.wait("document.getElementById('drawing').hidden", "the next board in Play")
        self.says("The start.")

    def test_files_are_dropped_and_texts_pasted(self):
        self.start()
        self.says("The start.")
        put = ("const data = new DataTransfer(); {}; document.getElementById('stage').dispatchEvent("
               "new {}Event('{}', {{bubbles: true, cancelable: true, {}: data}}))")
        text = "; ruleset: jimmy\\n; name: {}\\n; moves: R\\n####\\n#o..\\n####\\n"
        drop = f"data.items.add(new File(['{text.format('dropped')}'], 'a.txt'))"
        self.browser.run(put.format(drop, "Drag", "drop", "dataTransfer"))
        self.wait("document.getElementById('name').textContent === 'dropped'", "the dropped board")
        # A file with moves restores its game.
        self.played("R")
        self.browser.run(put.format(f"data.setData('text', '{text.format('pasted')}')", "Clipboard", "paste", "clipboardData"))
        self.wait("document.getElementById('name').textContent === 'pasted'", "the pasted board")

    @in_every_look
    def test_pictures_are_saved(self):
        self.start_maze()
        self.focus_board()
        self.browser.key(ARROWS["U"])
        self.played("U")
        self.browser.run("window.saved = []; URL.createObjectURL = (blob) => (saved.push(blob), 'about:blank'); HTMLAnchorElement.prototype.click = () => {}")
        for number, (ident, start) in enumerate((("svg", "<svg"), ("png", "\ufffdPNG"), ("gif", "GIF89a"), ("html", "<!doctype html>"))):
            self.click(ident)
            self.wait(f"saved.length === {number + 1}", ident)
            self.browser.run(f"saved[{number}].text().then((text) => (window.begin = text.slice(0, 20)))")
            self.wait(f"window.begin?.startsWith({json.dumps(start)})", ident)

    # --- Never frozen ---

    def test_a_hard_board_leaves_the_page_alive_and_shows_bounds(self):
        self.start(address(board=TOO_HARD))
        self.wait("!document.getElementById('stop').hidden", "the search")
        frames = self.browser.run(
            "return new Promise((done) => { let n = 0; const end = performance.now() + 500;"
            "const tick = () => { n += 1; performance.now() < end ? requestAnimationFrame(tick) : done(n) }; tick() })")
        assert frames >= 10, frames
        self.focus_board()
        self.browser.key(ARROWS["R"])
        self.says("Turn 1, ")
        self.wait("document.getElementById('verdict').textContent !== ''", "the first bounds")
        self.click("stop")
        self.verdict("Stopped.")
        told = self.text("verdict")
        assert re.search(r"between [\d.]+ % and [\d.]+ %", told) or "not known yet" in told or "states" in told, told
        self.wait("document.getElementById('stop').hidden", "the end of the search")
        # The next question has an answer.
        self.click("mode-draw")
        self.browser.run(
            "const area = document.getElementById('source'); area.value = '; ruleset: jimmy\\n###\\n#o.\\n###\\n';"
            "area.dispatchEvent(new Event('input'))"
        )
        self.verdict("Escape: par is 1 move")

    # --- For everybody ---

    def screens(self):
        """Opens each screen, with all panels, and yields its name."""
        for name, (fields, pressed, (ident, text)) in SCREENS.items():
            fields = {key: read(GHOSTS) if value == "GHOSTS" else value for key, value in fields.items()}
            self.start(address(**fields) if fields else PAGE + "#puzzle=theseus/a-maze")
            self.browser.run("document.querySelectorAll('details').forEach((part) => (part.open = true))")
            for button in pressed:
                self.click(button)
            self.wait(f"document.getElementById('{ident}').textContent.includes({json.dumps(text)})", name)
            yield name

    @in_every_look
    def test_every_screen_is_for_everybody(self):
        axe = read(AXE)
        texts = CONTRAST % "h1, h2, p, label, summary, button:enabled, select, li, legend, #rules *"
        for name in self.screens():
            found = self.browser.run(
                axe + "; return axe.run(document, {resultTypes: ['violations']}).then(({violations}) =>"
                "violations.map((v) => [v.id, v.help, v.nodes.map((n) => n.html.slice(0, 200))]))")
            assert found == [], (name, found)
            low = [[part, ratio] for part, ratio in self.browser.run(texts) if ratio < 4.5]
            assert low == [], (name, low)
            wide = self.browser.run("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (name, wide)
            small = self.browser.run(
                "return [...document.querySelectorAll('button, select, textarea, summary, input:not([type=radio], [type=checkbox]), fieldset label, .choice')]"
                ".filter((node) => node.checkVisibility()).map((node) => [node.id || node.textContent, node.getBoundingClientRect()])"
                ".filter(([, box]) => box.height < 44 || box.width < 44).map(([part]) => part)")
            assert small == [], (name, small)
            self.shoot(name)

    def test_figures_have_enough_contrast(self):
        kinds = ["goal", "danger", "wall", "runner", "chaser"]
        for theme in ("light", "dark"):
            self.start(color_scheme=theme)
            found = self.browser.run(
                f"for (const kind of {json.dumps(kinds)})"
                "  document.getElementById('stage').insertAdjacentHTML('beforeend', `<i class=\"${kind}\">`);"
                + CONTRAST % "#stage i")
            low = [[kind, ratio] for kind, ratio in found if ratio < 3]
            assert [kind for kind, _ in found] == kinds and low == [], (theme, found)

    def test_figures_differ_by_shape(self):
        shapes = set()
        board = "; ruleset: baddies\nHm M\n ~  \n+  *\n"
        self.start(address(board=board))
        shapes = self.browser.run(
            "return [...document.querySelectorAll('#board defs g')].map((g) => [...g.querySelectorAll('path')].map((p) => p.getAttribute('d')).join())")
        assert len(shapes) >= 6 and len(set(shapes)) == len(shapes), len(shapes)

    def test_figures_walk_only_with_motion(self):
        for wish, walks in (("no-preference", True), ("reduce", False)):
            self.start_maze(reduced_motion=wish)
            self.browser.run(
                "window.walked = 0; const animate = Element.prototype.animate;"
                "Element.prototype.animate = function (...how) { walked += 1; return animate.apply(this, how) }")
            self.focus_board()
            self.browser.key(ARROWS["U"])
            self.says("Turn 1")
            time.sleep(0.6)
            assert (self.browser.run("return walked") > 0) == walks, wish

    # --- Speed ---

    def speed_of_the_first_verdict(self):
        times = []
        for _ in range(3):
            self.start_maze()
            self.verdict("par is 33")
            times.append(self.browser.run("return performance.getEntriesByName('verdict')[0].startTime"))
        print(f"first verdict: {min(times):.0f} ms")
        assert min(times) < 1000, times

    def test_nothing_is_loaded_from_elsewhere(self):
        self.start_maze()
        self.verdict("par is 33")
        loaded = self.browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert all(name.startswith(("blob:", "data:")) for name in loaded), loaded
        self.no_complaints()


if __name__ == "__main__":
    if not os.path.exists(PAGE):
        print("skipped: web/build has not made the page")
        sys.exit(0)
    sys.exit(main(Web))
