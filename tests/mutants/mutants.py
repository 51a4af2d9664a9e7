#!/usr/bin/env python3
"""Finds changes to the sources that no test notices.

    tests/mutants/mutants.py build                 builds all mutants into one program; records which tests reach them
    tests/mutants/mutants.py run PART COUNT        tests the first COUNT mutants of a fixed random order
    tests/mutants/mutants.py run PART COUNT --again    tests those that survived again, after new tests and `build`
    tests/mutants/mutants.py table                 prints the results
    tests/mutants/mutants.py survivors [PART]      lists the mutants that no test notices

Needs cargo-mutants (`cargo install cargo-mutants`), which lists the mutants. Writes to `target/mutants`. Runs `--jobs` tests at a
time, one by default.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
STORE = ROOT / "target" / "mutants"
PLAIN, COPY = STORE / "plain", STORE / "source"
RESULTS = STORE / "results.jsonl"

# The parts, by path prefix. `agents` is left out, because its mutants would kill unrelated processes.
PARTS = {
    name: [f"crates/{name}/src/"] for name in "board ruleset rules play search chance verify".split()
}
# Results of killed mutants. `slow`: the tests took more than twenty times their usual time plus five seconds.
KILLED = ("failed", "slow")

# Mutants that only change an estimate of memory or work, by function name and by line.
ESTIMATING = re.compile(r"(bytes|bytes_to_make|reserve|free)$")
ESTIMATE = re.compile(
    r"size_of|\bbytes::<|_bytes\(|\.bytes\([^)]|check_memory|(sheet|puzzle|budget|allowance)\.take\(|\.work\(|let work\b"
    r"|let bytes\b|\.free\(|\.capacity\(\)|self\.room\b"
)


def environment(**more):
    """Returns the environment of woven programs. `RUSTC_BOOTSTRAP` lets a stable compiler build the switch, which detects
    compile-time evaluation."""
    always = {
        "CARGO_TARGET_DIR": str(STORE / "build"),
        "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
        "CARGO_MANIFEST_DIR": str(COPY),
        "CARGO_PKG_NAME": "getaway",
        "RUSTC_BOOTSTRAP": "getaway",
        "RUSTFLAGS": "-A warnings",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WOVEN")}
    return kept | always | more


def load(name, default=None):
    path = STORE / name
    return json.loads(path.read_text()) if path.exists() else default


def save(name, value):
    (STORE / name).write_text(json.dumps(value))


def part_of(file):
    return next((part for part, starts in PARTS.items() if file.startswith(tuple(starts))), None)


# Building.


def listed():
    """Returns the mutants of all parts. A key identifies each one across changes elsewhere in its file: file, function, change,
    line text, and a number if these are equal."""
    globs = [f"--file={start}{'**' if start.endswith('/') else '*'}" for starts in PARTS.values() for start in starts]
    command = ["cargo", "mutants", "--list", "--json", "--no-config", *globs]
    mutants = json.loads(subprocess.run(command, cwd=PLAIN, check=True, stdout=subprocess.PIPE).stdout)
    mutants = [mutant for mutant in mutants if part_of(mutant["file"])]
    seen = collections.Counter()
    for mutant in mutants:
        start = mutant["span"]["start"]
        mutant["text"] = (PLAIN / mutant["file"]).read_text().splitlines()[start["line"] - 1].strip()
        what = mutant["name"].split(": ", 1)[1]
        key = f"{mutant['file']}: {what} | {mutant['text']}"
        seen[key] += 1
        mutant["key"] = key if seen[key] == 1 else f"{key} | {seen[key]}"
        del mutant["diff"]
    return mutants


def copy_sources():
    """Copies the sources twice: unchanged, and to weave into."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in files.splitlines():
        for folder in (PLAIN, COPY):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    shutil.copy2(HERE / "woven.rs", COPY / "src" / "woven.rs")
    features = "#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]\n"
    library = (ROOT / "src" / "lib.rs").read_text()
    (COPY / "src" / "lib.rs").write_text(f"{features}{library}\n#[doc(hidden)]\npub mod woven;\n")


def weave(left_out):
    save("left-out.json", sorted(left_out))
    command = ["cargo", "run", "--quiet", "--manifest-path", HERE / "Cargo.toml", "--target-dir", STORE / "weave", "--"]
    command += [STORE / "list.json", STORE / "left-out.json", PLAIN, COPY]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def messages(*arguments):
    command = ["cargo", *arguments, "--message-format=json"]
    output = subprocess.run(command, cwd=COPY, env=environment(), stdout=subprocess.PIPE).stdout
    return [json.loads(line) for line in output.splitlines()]


def objected_to(message, regions):
    """Returns the innermost mutants around the location of a compiler error."""
    spans = sorted(message["spans"], key=lambda span: not span["is_primary"])
    for span in spans:
        around = [
            (end - start, number)
            for start, end, number in regions.get(span["file_name"], [])
            if start <= span["byte_start"] and span["byte_end"] <= end
        ]
        if around:
            return {number for size, number in around if size == min(around)[0]}
    sys.exit("no mutant explains this error:\n" + message["rendered"])


def weave_what_compiles():
    left_out = set()
    while True:
        woven = weave(left_out)
        errors = [
            one["message"]
            for one in messages("check", "--lib")
            if one["reason"] == "compiler-message" and one["message"]["level"] == "error" and one["message"]["spans"]
        ]
        if not errors:
            return woven, left_out
        for error in errors:
            left_out |= objected_to(error, woven["regions"])
        print(f"{len(left_out)} mutants do not compile", flush=True)


def build(_):
    copy_sources()
    mutants = listed()
    save("list.json", mutants)
    woven, left_out = weave_what_compiles()
    for number, mutant in enumerate(mutants):
        mutant["part"] = part_of(mutant["file"])
        mutant["state"] = "woven" if number in woven["numbers"] else "no code" if number in left_out else "no switch"
    print("building the tests", flush=True)
    built = [one for one in messages("test", "--no-run", "--tests") if one.get("executable")]
    programs = [one["executable"] for one in built if one["profile"]["test"]]
    if not programs:
        sys.exit("the tests cannot be built")
    tests = [test for program in programs for test in tests_of(program)]
    save("mutants.json", mutants)
    print(f"recording which mutants each of {len(tests)} tests reaches", flush=True)
    for test in tests:
        ask_what_it_reaches(test)
    save("tests.json", tests)
    print("skipped, because they fail without a mutant:", [test["name"] for test in tests if not test["passes"]])


# Running tests.


def limits(seconds):
    """Limits of a test: a mutant may request unlimited memory and disk space."""

    def set_limits():
        os.nice(10)
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 2))

    return set_limits


def outcome(program, names, seconds, **variables):
    """Returns `passed`, `failed` or `slow`, and the processor time in seconds. Ends all processes of the test."""
    process = subprocess.Popen(
        [program, "--exact", *names, "--test-threads=1"],
        env=environment(**variables),
        cwd=COPY,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=limits(seconds),
        start_new_session=True,
    )
    # A test that waits takes no processor time.
    alarm = threading.Timer(4 * seconds + 30, lambda: os.killpg(process.pid, signal.SIGKILL))
    alarm.start()
    _, status, usage = os.wait4(process.pid, 0)
    alarm.cancel()
    process.returncode = status
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    is_slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    how = "slow" if is_slow else "failed" if status else "passed"
    return how, usage.ru_utime + usage.ru_stime


def tests_of(program):
    command = [program, "--list", "--format", "terse"]
    names = subprocess.run(command, check=True, env=environment(), cwd=COPY, stdout=subprocess.PIPE, text=True).stdout
    names = [line.removesuffix(": test") for line in names.splitlines() if line.endswith(": test")]
    return [{"program": program, "name": name} for name in names]


def ask_what_it_reaches(test):
    file = STORE / "reached"
    file.unlink(missing_ok=True)
    how, test["seconds"] = outcome(test["program"], [test["name"]], 600, WOVEN_REACH=str(file))
    test["passes"] = how == "passed"
    test["reaches"] = sorted(set(map(int, file.read_text().split()))) if file.exists() else []


def in_groups(tests):
    """Groups the tests of each program, quick tests that reach few mutants first: small groups, then half a second each."""
    tests = sorted(tests, key=lambda test: test["seconds"] * (50 + len(test["reaches"])))
    groups, open_groups = [], {}
    for test in tests:
        group = open_groups.setdefault(test["program"], [])
        group.append(test)
        if len(group) >= (4 if len(groups) < 4 else 30) or sum(test["seconds"] for test in group) > 0.5:
            groups.append(open_groups.pop(test["program"]))
    groups += open_groups.values()
    return sorted(groups, key=lambda group: max(test["seconds"] for test in group) > 2)


def tried(number, mutant, tests):
    """Tests a mutant and returns the result."""
    result = {"key": mutant["key"], "how": "survived" if tests else "unreached"}
    for group in in_groups(tests):
        names = [test["name"] for test in group]
        seconds = 5 + 20 * sum(test["seconds"] for test in group)
        how, _ = outcome(group[0]["program"], names, seconds, WOVEN=str(number))
        if how != "passed":
            if outcome(group[0]["program"], names, seconds)[0] != "passed":
                sys.exit(f"these also fail without a mutant: {names}")
            return result | {"how": how, "by": names[:3]}
    return result


def results():
    """Returns the latest result by key."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {result["key"]: result["how"] for result in map(json.loads, lines)}


def drawn(part):
    """Returns the mutants of a part that have a switch, in a fixed random order."""
    lot = lambda pair: hashlib.sha256(pair[1]["key"].encode()).digest()
    mutants = enumerate(load("mutants.json"))
    return sorted((pair for pair in mutants if pair[1]["part"] == part and pair[1]["state"] == "woven"), key=lot)


def run(options):
    reaching = collections.defaultdict(list)
    for test in load("tests.json"):
        for number in test["reaches"] if test["passes"] else []:
            reaching[number].append(test)
    known = results()
    if options.again:
        known = {key: how for key, how in known.items() if how in KILLED}
    todo = [(number, mutant) for number, mutant in drawn(options.part)[: options.count] if mutant["key"] not in known]
    print(f"{options.part}: {len(todo)} to try", flush=True)
    end = time.monotonic() + 60 * options.minutes
    with RESULTS.open("a") as file, concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        in_time = lambda pair: tried(*pair, reaching[pair[0]]) if time.monotonic() < end else None
        for result in filter(None, workers.map(in_time, todo)):
            print(json.dumps(result), file=file, flush=True)


# Reporting.


def interval(k, n, z=1.96):
    """Returns the 95% confidence interval of a proportion (Wilson)."""
    middle, width = k / n + z * z / 2 / n, z * math.sqrt(k / n * (1 - k / n) / n + z * z / 4 / n / n)
    return [100 * (middle + side * width) / (1 + z * z / n) for side in (-1, 1)]


def is_estimate(mutant):
    function = (mutant["function"] or {}).get("function_name", "")
    return bool(ESTIMATING.search(function) or ESTIMATE.search(mutant["text"]))


def table(_):
    known, mutants, total = results(), load("mutants.json"), collections.Counter()
    print("| part | listed | do not compile | no switch | sampled | failed | slow | estimates | survived | killed | killed, without estimates |")
    print("|" + " --- |" * 11)
    rows = []
    for part in PARTS:
        here = [mutant for mutant in mutants if mutant["part"] == part]
        count = collections.Counter(mutant["state"] for mutant in here) + collections.Counter(listed=len(here))
        for mutant in here:
            how = known.get(mutant["key"]) if mutant["state"] == "woven" else None
            if how:
                count["drawn"] += 1
                count[how if how in KILLED else "estimates" if is_estimate(mutant) else "survive"] += 1
        rows.append((f"`{part}/`", count))
        total += count
    for name, count in [*rows, ("total", total)]:
        killed, n = count["failed"] + count["slow"], count["drawn"]
        columns = ["listed", "no code", "no switch", "drawn", "failed", "slow", "estimates", "survive"]
        numbers = " | ".join(f"{count[column]:,}" for column in columns)
        shares = []
        for of in (n, n - count["estimates"]):
            low, high = interval(killed, of) if of else (0, 0)
            shares.append(f"{100 * killed / of if of else 0:.1f} % ({low:.1f} to {high:.1f})")
        print(f"| {name} | {numbers} | {' | '.join(shares)} |")


def survivors(options):
    known = results()
    for mutant in load("mutants.json"):
        how = known.get(mutant["key"])
        if mutant["state"] == "woven" and how and how not in KILLED and options.part in (None, mutant["part"]):
            print(f"{how}{' (estimate)' if is_estimate(mutant) else ''}: {mutant['name']} | {mutant['text']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("build").set_defaults(do=build)
    running = commands.add_parser("run")
    running.add_argument("part", choices=PARTS)
    running.add_argument("count", type=int)
    running.add_argument("--again", action="store_true", help="only those that survived")
    running.add_argument("--minutes", type=float, default=math.inf, help="start no mutant after this time")
    running.add_argument("--jobs", type=int, default=1, help="tests at a time")
    running.set_defaults(do=run)
    commands.add_parser("table").set_defaults(do=table)
    telling = commands.add_parser("survivors")
    telling.add_argument("part", nargs="?", choices=PARTS)
    telling.set_defaults(do=survivors)
    options = parser.parse_args()
    options.do(options)


if __name__ == "__main__":
    main()
