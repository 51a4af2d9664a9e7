"""Grades a folder of submissions as Gradescope does: python3 grade.py ASSIGNMENT.zip SUBMISSIONS > marks.csv

Grades each folder in SUBMISSIONS in its own copy of the layout of /autograder, so that none affects another.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def grade(source, submission):
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        name = re.sub("^[=+@-]", r"'\g<0>", submission.name)  # a spreadsheet would take it for a formula
        try:
            shutil.copytree(source, root / "source")
            shutil.copytree(submission, root / "submission", symlinks=True)
        except OSError as error:
            return [name, 0, "", f"not graded: {error}".replace(f"{root}/", "")]
        (root / "results").mkdir()
        ran = subprocess.run(["source/run_autograder"], cwd=root, capture_output=True, text=True)
        if ran.returncode:
            return [name, 0, "", f"not graded: {ran.stderr.strip()}"]
        results = json.loads((root / "results/results.json").read_text())
    tests = results["tests"]
    lost = {}
    for test in tests:
        if test["score"] < test["max_score"]:
            reason = test["output"].splitlines()[0].removesuffix("; the board after it:")
            lost.setdefault(reason, []).append(test["name"])
    lost = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in lost.items())
    return [name, results["score"], sum(test["max_score"] for test in tests), lost]


with tempfile.TemporaryDirectory() as source, ThreadPoolExecutor(os.cpu_count()) as pool:
    zipfile.ZipFile(sys.argv[1]).extractall(source)
    subprocess.run(["sh", f"{source}/setup.sh"], check=True, stdout=sys.stderr)
    submissions = sorted(path for path in Path(sys.argv[2]).iterdir() if path.is_dir())
    marks = csv.writer(sys.stdout)
    marks.writerow(["submission", "score", "points", "lost"])
    marks.writerows(pool.map(lambda submission: grade(Path(source), submission), submissions))
