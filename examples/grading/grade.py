"""Grades a folder of submissions as Gradescope does: python3 grade.py ASSIGNMENT.zip SUBMISSIONS > marks.csv

Each folder in SUBMISSIONS is graded in its own copy of the layout of /autograder.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def grade(source, submission):
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        (root / "source").symlink_to(source)
        (root / "submission").symlink_to(submission.resolve())
        (root / "results").mkdir()
        ran = subprocess.run([source / "run_autograder"], cwd=root, capture_output=True, text=True)
        try:
            results = json.loads((root / "results/results.json").read_text())
        except OSError:
            return [submission.name, 0, "", f"not graded: {ran.stderr.strip()}"]
    tests = results["tests"]
    lost = {}
    for test in tests:
        if test["score"] < test["max_score"]:
            lost.setdefault(test["output"].splitlines()[0], []).append(test["name"])
    lost = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in lost.items())
    return [submission.name, results["score"], sum(test["max_score"] for test in tests), lost]


with tempfile.TemporaryDirectory() as source, ThreadPoolExecutor(os.cpu_count()) as pool:
    zipfile.ZipFile(sys.argv[1]).extractall(source)
    subprocess.run(["sh", f"{source}/setup.sh"], check=True, stdout=sys.stderr)
    submissions = sorted(path for path in Path(sys.argv[2]).iterdir() if path.is_dir())
    marks = csv.writer(sys.stdout)
    marks.writerow(["submission", "score", "points", "lost"])
    marks.writerows(pool.map(lambda submission: grade(Path(source), submission), submissions))
