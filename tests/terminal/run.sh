#!/usr/bin/env bash
# Tests `play` and `edit` in a real terminal: tmux presses the keys, and the screens must match those in `screens`.
# `BLESS=20` rewrites them; review them before a commit.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v tmux >/dev/null 2>&1; then
    (apt-get install -y tmux >/dev/null 2>&1) || true
fi
if ! command -v tmux >/dev/null 2>&1; then
    echo "skipped: tmux is missing and cannot be installed"
    exit 0
fi

# The program, a debug build (which can panic on purpose).
program=${GETAWAY:-}
if [[ -z $program ]]; then
    cargo build --locked --quiet
    program=${CARGO_TARGET_DIR:-target}/debug/getaway
fi
program=$(realpath "$program")
screens=$PWD/tests/terminal/screens
folder=$(mktemp -d)
socket=getaway-$$
cp -r puzzles "$folder"
trap 'tmux -L $socket kill-server 2>/dev/null || true; rm -rf "$folder"' EXIT
checks=0

# A terminal of 80x24 with a shell, without user settings.
tmux -L "$socket" -f /dev/null new-session -d -s t -x 80 -y 24 -c "$folder" \
    "env -u NO_COLOR LC_ALL=C.UTF-8 XDG_DATA_HOME='$folder/data' PS1='$ ' bash --norc --noprofile"
tmux -L "$socket" set-option -g status off >/dev/null

fail() {
    echo "$1"
    echo "the screen is:"
    tmux -L "$socket" capture-pane -p -t t
    exit 1
}

press() { tmux -L "$socket" send-keys -t t "$@"; }

shows() {
    for _ in $(seq 1000); do
        if tmux -L "$socket" capture-pane -p -t t | grep -qF -- "$1"; then
            checks=$((checks + 1))
            return
        fi
        sleep 0.02
    done
    fail "timeout: the screen does not show: $1"
}

# Waits until the screen matches the file of this name.
is() {
    local file=$screens/$1.txt
    for _ in $(seq "${BLESS:-500}"); do
        tmux -L "$socket" capture-pane -p -t t | sed 's/ *$//' >"$folder/.screen"
        if [[ -z ${BLESS:-} ]] && diff -q "$file" "$folder/.screen" >/dev/null 2>&1; then
            checks=$((checks + 1))
            return
        fi
        sleep 0.02
    done
    if [[ -n ${BLESS:-} ]]; then
        cp "$folder/.screen" "$file"
        return
    fi
    diff "$file" "$folder/.screen" || true
    fail "the screen is not $file"
}

rows() { tmux -L "$socket" resize-window -t t -x 80 -y "$1"; }

run() {
    press "clear; $program $1" Enter
}

# The state of the terminal: alternate screen, visible cursor, mouse capture.
state() {
    tmux -L "$socket" display-message -p -t t '#{alternate_on} #{cursor_flag} #{mouse_any_flag}'
}

# Waits until the program has left the terminal. Keys pressed earlier would go to the program.
leaves() {
    for _ in $(seq 1000); do
        [[ $(state) == "0 1 0" ]] && return
        sleep 0.02
    done
    fail "the terminal is not restored: $(state)"
}

stops() {
    for _ in $(seq 1000); do
        [[ $(ps -o stat= -p "$1") == T* ]] && shows "Stopped" && return
        sleep 0.02
    done
    fail "the process does not stop"
}

# Checks that the shell has its terminal back: settings, screen and cursor.
is_a_shell() {
    press -l "stty -g | cmp - .stty && echo left as it was \$((20 + $((++shells))))"
    press Enter
    shows "left as it was $((20 + shells))"
    leaves
}
shells=0

# Checks the exit code of the program, and that the terminal is restored.
ends_with() {
    leaves
    press -l "echo code \$? \$((40 + $((++ends))))"
    press Enter
    shows "code $1 $((40 + ends))"
    is_a_shell
}
ends=0
press -l 'stty -g >.stty' 
press Enter

echo "-- a game of each ruleset to its end"
run "play puzzles/jimmy/01-source-left-up-left.txt"
shows "fewest possible: 3"
press Down
shows "turn 1 of 1"
is jimmy-lost-unsaid
press v
shows "lost since move 1"
is jimmy-lost
press v BSpace
shows "turn 0 of 1"
press i
shows "hint: ← L"
rows 13
is jimmy-hint
rows 24
press Enter
shows "turn 1 of 1"
press Up
shows "turn 2 of 2"
press L
shows "ESCAPED"
is jimmy-escaped
press q
ends_with 0

run "play puzzles/baddies/01-the-standard-board.txt"
shows "fewest possible: 38"
press c
shows "turn 1 of 1"
press v
shows "now: escape in 37 moves"
press i
shows "hint: "
is baddies
press u
press Space
shows "the solver plays"
press + + + + + +
shows "ESCAPED"
press v
shows "in 38 moves, with help"
is baddies-escaped
press Q
ends_with 0

run "play puzzles/maze/36-moves-of-many-turns.txt"
shows "turn 0 of 0"
press 1 8
shows "gathered: 0"
press Right
shows "gathered: 1"
rows 12
is maze
rows 24
press Space
shows "ESCAPED"
is maze-escaped
press q
ends_with 0

run "play --seed 3 --coach puzzles/dungeon/42-two-ghosts-and-their-cooldowns.txt"
shows "best play from the start: 0.3967"
rows 13
is dungeon
rows 24
press Right
shows "turn 1 of 1"
press Space
shows "CAUGHT ✖"
shows "seed 3"
is dungeon-over
press Home
shows "turn 0 of"
press q y
ends_with 0

run "play puzzles/theseus/01-a-maze.txt"
shows "fewest possible: 33"
press U R
shows "turn 2 of 2"
press v
shows "now: escape in 31 moves"
rows 20
is theseus
rows 24
press S
shows "turn 3 of 3"
press m y
shows "loaded the board's line of 33 moves"
press End
shows "ESCAPED"
is theseus-escaped
press g 3 Enter
shows "turn 3 of 33"
press q
ends_with 0

echo "-- nothing is thrown away, and the way out is in sight at every size"
run "play puzzles/theseus/01-a-maze.txt"
shows "goal: reach the exit"
press h
shows "Theseus and the Minotaur"
press Escape
shows "goal: reach the exit"
press U n
shows "y discards it"
press x n y
shows "turn 0 of 0"
press Escape
ends_with 0
for size in 60x15 80x24 120x40; do
    tmux -L "$socket" resize-window -t t -x "${size%x*}" -y "${size#*x}"
    run "play puzzles/baddies/01-the-standard-board.txt"
    shows "Q leave"
    shows "? keys"
    is "baddies-$size"
    press '?' End
    shows "Esc closes"
    shows "super monster"
    press Escape
    shows "Q leave"
    press Q
    ends_with 0
done
tmux -L "$socket" resize-window -t t -x 80 -y 24

echo "-- new boards, and the menu"
run "play theseus --difficulty easy"
shows "goal: reach the exit"
press n
shows "theseus.txt#2"
press p
shows "theseus.txt#1"
press q
ends_with 0
run "play"
shows "which game do you want to play?"
is menu
press d
shows "goal: reach the border"
press n
shows "this is the only board"
press q
shows "which game do you want to play?"
press 1
shows "jimmy: 0 of 24 solved"
press Enter
shows "jimmy: One row higher"
press i
shows "hint: ↑ U"
press Enter Left Left Left
shows "in 4 moves, with help"
press r Up Left Left Left
shows "in 4 moves, the fewest possible"
press n
shows "jimmy: Past the corner"
press q
shows "jimmy: 1 of 24 solved"
is collection
press End Enter
shows "goal: reach the border"
press n
shows "jimmy.txt#2"
press q
shows "jimmy: 1 of 24 solved"
press q
shows "which game do you want to play?"
press q
ends_with 0
run "play --daily 2026-12-05"
shows "which game do you want to play?"
press 5
shows "theseus: Saturday 2026-12-05"
press C-c
ends_with 130

echo "-- games that are watched"
run "play --watch --moves D puzzles/jimmy/01-source-left-up-left.txt"
shows "the moves end here"
shows "lost since move 1"
is watched-saved
press Left
shows "turn 0 of 1"
shows "paused"
shows "can still escape"
press Right
shows "turn 1 of 1"
press i
shows "a watched game can't be changed"
press r
shows "the moves end here"
press q
ends_with 0
if command -v python3 >/dev/null 2>&1; then
    # A runner that makes these moves and then stays.
    cat >"$folder/by_heart.py" <<'PYTHON'
import json
import sys

moves = iter(sys.argv[1].split())
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif kind == "move":
        print(json.dumps({"move": next(moves, ".")}), flush=True)
PYTHON
    run "play --watch --runner 'python3 by_heart.py \"L U L\"' puzzles/jimmy/01-source-left-up-left.txt"
    shows "ESCAPED"
    shows "in 3 moves, the fewest possible"
    press q
    ends_with 0
    if pgrep -f "^python3 by_heart.py" >/dev/null; then fail "a program of a game that is over is left"; fi
    run "play --watch --seed 3 --runner 'python3 by_heart.py R' puzzles/dungeon/42-two-ghosts-and-their-cooldowns.txt"
    shows "CAUGHT"
    is watched-dungeon
    press Home
    shows "now: 0.3967"
    press Q
    ends_with 0
    run "play --watch --turns 3 --zombie 'python3 by_heart.py .' puzzles/dungeon/16-zombie-1a-towards-player.txt"
    shows "if chasers keep to their rules:"
    shows "turn 3 of 3"
    press s Enter
    shows "saved as 16-zombie-1a-towards-player-moves.txt"
    press q
    leaves
    run "play --watch 16-zombie-1a-towards-player-moves.txt"
    shows "if chasers keep to their rules:"
    shows "turn 3 of 3"
    press q
    leaves
fi

echo "-- plain ASCII"
run "play --ascii puzzles/theseus/01-a-maze.txt"
shows "fewest possible: 33"
press i
shows "hint: ^ U"
is theseus-ascii
press C-c
ends_with 130

echo "-- a line of play is saved, checked and replayed"
run "play puzzles/jimmy/01-source-left-up-left.txt"
shows "fewest possible"
press Left Up s
shows "save as (Esc cancels): 01-source-left-up-left-moves.txt"
press Enter
shows "saved as 01-source-left-up-left-moves.txt"
press Left s Enter
shows "saved as 01-source-left-up-left-moves-2.txt"
press q
ends_with 0
run "play --seed 5 puzzles/dungeon/42-two-ghosts-and-their-cooldowns.txt"
shows "moves: 0"
press d Right Right Left s Enter
shows "saved as 42-two-ghosts-and-their-cooldowns-moves.txt"
press q
ends_with 0
run "play puzzles/baddies/90-several-boards.jsonl#2"
shows "baddies: "
press s C-s Enter
shows "saved as 90-several-boards-2-moves.jsonl"
press Q
ends_with 0
diff -rq puzzles "$folder/puzzles" || fail "the puzzle folder has changed"
for file in "$folder"/{01-*,42-*,90-*}-moves{,-2}.*; do
    [[ -e $file ]] || continue
    "$program" check --strict "$file" >/dev/null || fail "$file: not as expected"
    "$program" trace "$file" | grep -q "replaying the" || fail "$file: no moves"
    checks=$((checks + 1))
done
"$program" trace "$folder/01-source-left-up-left-moves-2.txt" | grep -q "escape in 3 moves"
grep -q "^; seed: 5$" "$folder/42-two-ghosts-and-their-cooldowns-moves.txt"

echo "-- from board to board"
mkdir "$folder/boards"
cp puzzles/jimmy/01-* "$folder/boards/a.txt"
printf '; ruleset: jimmy\n####\n#oo.\n####\n' >"$folder/boards/b.txt"
printf '; ruleset: jimmy\n; name: first\n###\n#o.\n\n; ruleset: jimmy\n; name: second\n###\n#o.\n' >"$folder/boards/c.txt"
run "play boards"
shows "left, up, left"
press p
shows "this is the first board"
press n
shows "two Jimmys"
press n
shows "jimmy: first"
press n
shows "jimmy: second"
press n
shows "this is the last board"
press p p p
shows "left, up, left"
press q
ends_with 0

echo "-- another size, stopping and going on, and every way to leave"
run "play puzzles/jimmy/42-a-big-field.txt"
shows "fewest possible"
tmux -L "$socket" resize-window -t t -x 39 -y 10
shows "make it at"
tmux -L "$socket" resize-window -t t -x 120 -y 40
shows "fewest possible: 36"
tmux -L "$socket" resize-window -t t -x 80 -y 24
shows "fewest possible: 36"
press Down
shows "turn 1 of"
pid=$(pgrep -n -f "^$program play")
press C-z
stops "$pid"
is_a_shell
press fg Enter
shows "turn 1 of"
press Right
shows "turn 2 of"
kill -TSTP "$pid"
stops "$pid"
is_a_shell
press fg Enter
shows "turn 2 of"
kill -STOP "$pid"
stops "$pid"
press fg Enter
shows "turn 2 of"
press u
shows "turn 1 of"
kill -TERM "$pid"
ends_with 143
run "play puzzles/jimmy/01-source-left-up-left.txt"
shows "fewest possible"
press '?'
shows "take a move back"
press Escape
# A terminal that receives Escape and a letter at once takes them for Alt and the letter.
shows "fewest possible"
press g x 7 Enter
shows "choose a turn from 0 to 0"
press C-c
ends_with 130
press -l 'export GETAWAY_TEST_PANIC=screen'
press Enter
run "play puzzles/jimmy/01-source-left-up-left.txt"
shows "internal error: a panic on purpose"
press -l 'unset GETAWAY_TEST_PANIC'
press Enter
is_a_shell

echo "-- long work shows what it has, and Ctrl-C keeps it"
tmux -L "$socket" resize-window -t t -x 120 -y 40
hard=$PWD/tests/cases/real.jsonl#5
for command in solve analyse; do
    run "$command $hard"
    shows "escape, probability "
    shows " positions, "
    shows "MB; Ctrl-C keeps this"
    press C-c
    shows "interrupted after"
    ends_with 3
done
run "trace $hard"
shows "escape, probability "
shows "MB; Ctrl-C keeps this"
press C-c
shows "escape in 53 moves"
leaves
tmux -L "$socket" resize-window -t t -x 80 -y 24
"$program" solve --timeout 2 "$hard" >"$folder/.answer" 2>"$folder/.errors" || true
[[ ! -s $folder/.errors ]] || fail "progress is shown without a terminal"
grep -q "escape, probability .*: timed out after" "$folder/.answer"
run "solve puzzles/jimmy/01-source-left-up-left.txt"
shows "escape in 3 moves: LUL"
if tmux -L "$socket" capture-pane -p -t t | grep -q "Ctrl-C"; then fail "a quick search shows progress"; fi
run "generate jimmy --rows 9 --cols 9 --min-moves 45 --seed 1"
shows "best so far: "
press C-c
shows "; criteria not met: the best found, interrupted"
ends_with 3
run "mutate --max-states 3000000 puzzles/dungeon/42-two-ghosts-and-their-cooldowns.txt"
shows "best so far: probability 0."
press C-c
shows "there may be more"
ends_with 3

echo "-- no terminal, and no board"
run "play puzzles/jimmy/01-source-left-up-left.txt | cat"
shows 'error: `play` needs a terminal, and standard output is not one'
run "edit puzzles/jimmy/01-source-left-up-left.txt | cat"
shows 'error: `edit` needs a terminal, and standard output is not one'
run "play puzzles/jimmy/01-source-left-up-left.txt >/dev/null"
ends_with 2
run "play boards/b.txt >.play 2>&1; $program solve boards/b.txt >.solve 2>&1; cmp .play .solve"
ends_with 0
printf '###\n#o.\n###\n' >"$folder/piped.txt"
run "play --ruleset jimmy - <piped.txt"
shows "turn 0 of 0"
press Right
shows "ESCAPED"
press q
ends_with 0

echo "-- a fault drawn and mended"
run "edit boards/a.txt"
shows "escape in 3 moves: LUL"
press Down Right o
shows "two Jimmys"
is edit-fault
press C-s
shows "saved boards/a.txt"
press C-u
shows "escape in 3 moves: LUL"
press Escape
shows "save before leaving?"
press y
ends_with 0
cmp puzzles/jimmy/01-source-left-up-left.txt "$folder/boards/a.txt"
run "edit boards/b.txt"
shows "two Jimmys"
press Down Right Right .
shows "escape in 2 moves: RR"
press Tab
shows "q returns to the drawing"
press Right Right
shows "ESCAPED"
press q
shows "(not saved)"
press C-c
shows "save before leaving?"
press C-c
ends_with 130
grep -q "#oo" "$folder/boards/b.txt"

echo "-- one board of many, a new one, and the mouse"
cp puzzles/jimmy/90-several-boards.jsonl "$folder/boards/d.jsonl"
run "edit boards/d.jsonl#2"
shows "jimmy: "
shows "caught"
press Down Right Right '#' C-s
shows "saved boards/d.jsonl"
press Escape
ends_with 0
changed=$(diff puzzles/jimmy/90-several-boards.jsonl "$folder/boards/d.jsonl" | grep -c '^[<>]') || true
[[ $changed == 2 ]] || fail "$changed lines differ: only one board was to be changed"
run "edit boards/new.txt"
shows "which ruleset"
press 1
shows "no Jimmy"
# A click on the line of `o`, then one on a cell in the middle of the board.
tmux -L "$socket" capture-pane -p -t t >"$folder/.screen"
row=$(grep -n "Jimmy" "$folder/.screen" | tail -n 1 | cut -d: -f1)
press -l $'\e[<0;50;'"${row}M"$'\e[<0;50;'"${row}m"
press -l $'\e[<0;23;10M\e[<0;23;10m'
shows "escape in"
is edit-new
press C-s
shows "saved boards/new.txt"
press Escape
ends_with 0
"$program" solve "$folder/boards/new.txt" | grep -q "^escape in"

echo "-- a maze drawn from nothing"
run "edit --ruleset theseus maze.txt"
shows "no Theseus"
press T M Down E
shows "escape in"
press Left ' '
is edit-maze
press C-s
shows "saved maze.txt"
press Escape
ends_with 0
if grep -qE '^ *$' "$folder/maze.txt"; then fail "a row of spaces was saved"; fi
"$program" solve "$folder/maze.txt" | grep -q "^escape"

echo "-- the mouse plays"
run "play puzzles/jimmy/01-source-left-up-left.txt"
shows "fewest possible"
tmux -L "$socket" capture-pane -p -t t >"$folder/.screen"
row=$(grep -n "██.* o " "$folder/.screen" | cut -d: -f1)
col=$(grep "██.* o " "$folder/.screen" | sed 's/ o .*//' | wc -m)
press -l $'\e[<0;'"$((col + 5));$row"$'M\e[<0;'"$((col + 5));$row"m
shows "Jimmy → R"
press q y
ends_with 0

echo "-- the docs show these screens"
page=$(<docs/playing.md)
for name in jimmy-hint theseus; do
    [[ $page == *"$(<"$screens/$name.txt")"* ]] || fail "docs/playing.md has not the screen $name"
    checks=$((checks + 1))
done

echo "$checks checks of the screen passed"
