"""Plays the suite with simple agents and trains others: `python puzzles/suite/baselines.py [--results FILE]`.

It needs the Python package and PyTorch. It prints the tables in README.md and draws learning.svg. Each agent plays with
five seeds. With `--results`, finished runs are stored in a file, and another start continues after them.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
sys.path.append(str(FOLDER.parents[1] / "python" / "examples"))

import dqn  # noqa: E402
import ppo  # noqa: E402
import q_learning  # noqa: E402
from make import LEVELS  # noqa: E402

GAMES = 200
COLOURS = {"PPO": "#0969da", "DQN": "#bc4c00"}
WIDTH, HEIGHT = 180, 130  # of a panel


def optima(ruleset):
    return ppo.arena(ruleset, "test", 1).reset(seed=1)[1]["value"]


def simulate(ruleset, runner, seed):
    """Returns the regret of an agent of the program on each test board."""
    args = ["--runner", runner, "--runs", str(GAMES), "--turns", str(ppo.TURNS), "--seed", str(seed), "--json"]
    command = [sys.executable, "-P", "-m", "getaway", "simulate", *args, "-"]
    regrets = []
    for board, optimum in zip(ppo.texts(ruleset, "test"), optima(ruleset)):
        run = subprocess.run(command, input=board, capture_output=True, text=True, check=True)
        regrets.append(optimum - json.loads(run.stdout)["escaped"] / GAMES)
    return regrets


def learn_tables(ruleset, seed):
    """Returns the regret of a table on each test board, for which it is trained on that board itself."""
    boards = zip(ppo.texts(ruleset, "test"), optima(ruleset))
    return [optimum - q_learning.rate(board, seed=seed)[0] for board, optimum in boards]


AGENTS = {
    "random": lambda ruleset, seed: {"test": simulate(ruleset, "random", seed)},
    "greedy": lambda ruleset, seed: {"test": simulate(ruleset, "greedy", seed)},
    "Q-learning": lambda ruleset, seed: {"test": learn_tables(ruleset, seed)},
    "DQN": dqn.train,
    "PPO": ppo.train,
}


def run(agent, ruleset, seed):
    return {"agent": agent, "ruleset": ruleset, "seed": seed} | AGENTS[agent](ruleset, seed)


def finish(path, processes):
    """Returns the results of all runs, and makes those that the file does not contain."""
    done = [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []
    keys = {(result["agent"], result["ruleset"], result["seed"]) for result in done}
    jobs = [(agent, ruleset, seed) for agent in reversed(AGENTS) for seed in ppo.SEEDS for ruleset in LEVELS]
    with ProcessPoolExecutor(processes) as pool:
        for future in as_completed([pool.submit(run, *job) for job in jobs if job not in keys]):
            done.append(future.result())
            print("{agent}, {ruleset}, seed {seed}".format(**done[-1]), file=sys.stderr, flush=True)
            if path:
                with path.open("a") as file:
                    file.write(json.dumps(done[-1]) + "\n")
    return sorted(done, key=lambda result: result["seed"])


def select(results, agent, ruleset):
    return [result for result in results if (result["agent"], result["ruleset"]) == (agent, ruleset)]


def print_regrets(results):
    """Prints the regret on test boards, and that of the networks on the boards that they are trained on."""
    columns = [(agent, "test") for agent in AGENTS] + [("DQN", "train"), ("PPO", "train")]
    names = [agent if part == "test" else f"{agent}, training boards" for agent, part in columns]
    print(f"| level | {' | '.join(names)} |\n|{' --- |' * (len(names) + 1)}")
    for ruleset, levels in LEVELS.items():
        for number, level in enumerate(levels):
            cells = []
            for agent, part in columns:
                runs = select(results, agent, ruleset)
                cells.append(ppo.interval([ppo.by_level(run[part])[number] for run in runs]))
            print(f"| {ruleset}, {level} | {' | '.join(cells)} |")


def print_endings(results):
    """Prints how games on test boards end, and where the good moves lead at the first mistake."""
    ends = ["escaped", "caught", "out of turns", "mistake"]
    print(f"\n| ruleset | agent | {' | '.join(ends)} | it aims nearer | no good move does | only waiting is good |")
    print("|" + " --- |" * 9)
    for ruleset in LEVELS:
        for agent in COLOURS:
            games = [game for run in select(results, agent, ruleset) for game in run["games"]]
            counts = Counter(game["end"] for game in games)
            mistakes = [game for game in games if game["end"] == "mistake"]
            nearer = sum(game["ways"][game["move"]] == "nearer" for game in mistakes)
            good = [{game["ways"][move] for move in game["good"]} for game in mistakes]
            kinds = [nearer, sum("nearer" not in ways for ways in good), sum(ways == {"waits"} for ways in good)]
            print(f"| {ruleset} | {agent} | {' | '.join(map(str, [*(counts[end] for end in ends), *kinds]))} |")


def curves(results, ruleset, agent):
    """Draws the mean regret of the seeds as lines, with the interval on test boards as a band."""
    points = np.array([run["curve"] for run in select(results, agent, ruleset)])
    steps, (train, test) = points[0, :, 0], points[..., 1:].mean(axis=0).T
    spread = ppo.T_95 * points[..., 2].std(axis=0, ddof=1) / len(points) ** 0.5
    band = [*zip(steps, test + spread), *reversed([*zip(steps, test - spread)])]

    def path(places):
        last = steps[-1]
        return " ".join(f"{WIDTH * x / last:.1f},{HEIGHT * (1 - np.clip(y, 0, 1)):.1f}" for x, y in places)

    colour = COLOURS[agent]
    yield f'<polygon points="{path(band)}" fill="{colour}" opacity="0.15"/>'
    for values, dash in [(test, ""), (train, ' stroke-dasharray="4 3"')]:
        yield f'<polyline points="{path(zip(steps, values))}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'


def draw(results):
    """Draws a panel of learning curves for each ruleset."""
    width, height = len(LEVELS) * (WIDTH + 40) + 20, HEIGHT + 85
    font = 'font-family="sans-serif" font-size="11"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>'
    yield f'<rect width="{width}" height="{height}" fill="white"/>'
    for panel, ruleset in enumerate(LEVELS):
        yield f'<g transform="translate({40 + panel * (WIDTH + 40)} 30)"><text x="0" y="-8">{ruleset}</text>'
        for value in (0, 0.5, 1):
            y = HEIGHT * (1 - value)
            yield f'<path d="M0 {y}h{WIDTH}" stroke="#d0d7de"/>'
            yield f'<text x="-5" y="{y + 4}" text-anchor="end">{value:g}</text>'
        yield f'<text x="{WIDTH}" y="{HEIGHT + 15}" text-anchor="end">{ppo.STEPS:,} steps</text>'
        for agent in COLOURS:
            yield from curves(results, ruleset, agent)
        yield "</g>"
    keys = [f'<tspan fill="{colour}">{agent}</tspan>' for agent, colour in COLOURS.items()]
    text = "Mean regret: solid on test boards, with intervals of 95 % over five seeds; dashed on training boards."
    yield f'<text x="40" y="{height - 15}">{text} {", ".join(keys)}</text></svg>'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    results = finish(options.results, options.processes)
    print_regrets(results)
    print_endings(results)
    (FOLDER / "learning.svg").write_text("\n".join(draw(results)) + "\n")


if __name__ == "__main__":
    main()
