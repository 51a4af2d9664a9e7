"""Tests decide() on a real cluster: a master and two workers on this machine, one of which is killed during the job.

    python3 examples/spark/test.py PROGRAM [BOARDS]

Every verdict must equal that of `getaway check` alone. The number of boards is 1,000,000 by default.
"""

import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def boards(count):
    """Returns a fixed list of boards of three rulesets, some of them invalid."""
    draw = random.Random(1)
    for number in range(count):
        if number % 1000 == 999:
            yield {"id": number, "ruleset": "jimmy", "rows": ["o", "x"]}
        elif number % 3 == 0:
            rows = [[draw.choice("..##g") for _ in range(7)] for _ in range(6)]
            rows[3][3] = "o"
            yield {"id": number, "ruleset": "jimmy", "rows": ["".join(row) for row in rows]}
        elif number % 3 == 1:
            rows = [[draw.choice("    +m#~") for _ in range(7)] for _ in range(4)]
            rows[1][0], rows[2][6] = "H", "*"
            yield {"id": number, "ruleset": "baddies", "rows": ["".join(row) for row in rows]}
        else:
            rows = [[draw.choice([0, 0, 0, 3, -1]) for _ in range(5)] for _ in range(5)]
            rows[2][2] = 2
            yield {"id": number, "ruleset": "maze", "rows": [str(row) for row in rows]}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """A standalone master and its workers."""

    def __init__(self, workers, folder):
        import pyspark

        self.home = Path(pyspark.__file__).parent
        self.folder = folder
        self.url = f"spark://127.0.0.1:{free_port()}"
        port = self.url.rsplit(":", 1)[1]
        self.processes = [
            self.start("master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0")
        ]
        time.sleep(5)
        self.workers = [
            self.start(
                "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0",
                "--work-dir", str(folder / f"worker-{number}"), self.url,
            )
            for number in range(workers)
        ]
        self.processes += self.workers

    def start(self, name, *args):
        log = open(self.folder / "cluster.log", "ab")
        environment = os.environ | {
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYTHONPATH": str(HERE),
            "SPARK_DAEMON_MEMORY": "512m",
        }
        command = [self.home / "bin/spark-class", f"org.apache.spark.deploy.{name}", *args]
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log)

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


def session(cluster):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    return (
        SparkSession.builder.master(cluster.url)
        .appName("getaway")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "768m")
        .config("spark.executor.cores", "1")
        .config("spark.executorEnv.PYTHONPATH", str(HERE))
        .config("spark.speculation", "true")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "5000")
        .config("spark.sql.files.maxPartitionBytes", "8m")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )


def kill_on_the_way(spark, worker, told):
    """Kills a worker once some tasks of the job are finished."""
    tracker = spark.sparkContext.statusTracker()
    while not told["done"]:
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info and info.numTasks >= 8 and info.numCompletedTasks >= 2:
                worker.send_signal(signal.SIGKILL)
                told["killed"] = f"{info.numCompletedTasks} of {info.numTasks} tasks"
                return
        time.sleep(0.05)


def alone(program, path, out):
    """Returns the answers of the program alone, by id, with its wall-clock and processor time in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(out, "wb") as file:
        command = [program, "check", "--json", "--no-timing", str(path)]
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.monotonic() - start
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with open(out, "rb") as file:
        # An invalid line may have no id, so its line number identifies it.
        answers = {number: comparable(json.loads(line)) for number, line in enumerate(file)}
    return answers, seconds, processor


def comparable(answer):
    return (answer.get("verdict"), answer.get("length"), answer.get("direction"), answer.get("states"))


def main():
    program = shutil.which(sys.argv[1]) or sys.exit(f"program not found: {sys.argv[1]}")
    program = str(Path(program).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    sys.path.insert(0, str(HERE))
    from getaway_spark import decide

    folder = Path(tempfile.mkdtemp(prefix="getaway-spark-"))
    with open(folder / "boards.jsonl", "w") as file:
        for board in boards(count):
            file.write(json.dumps(board) + "\n")
    expected, seconds, processor = alone(program, folder / "boards.jsonl", folder / "alone.jsonl")
    assert len(expected) == count, (len(expected), count)
    print(f"alone: {count:,} boards in {seconds:.1f} s, {processor:.1f} s of processor time", flush=True)

    cluster = Cluster(2, folder)
    told = {"done": False, "killed": None}
    try:
        spark = session(cluster)
        lines = spark.read.schema("id long, ruleset string, rows array<string>").json(str(folder / "boards.jsonl"))
        lines.repartition(32).write.parquet(str(folder / "boards"))
        start = time.monotonic()
        killer = threading.Thread(target=kill_on_the_way, args=(spark, cluster.workers[0], told))
        killer.start()
        frame = spark.read.parquet(str(folder / "boards"))
        decide(frame, program=program).write.parquet(str(folder / "answers"))
        seconds = time.monotonic() - start
        told["done"] = True
        killer.join()
        found = spark.read.parquet(str(folder / "answers"))
        rows = found.select("id", "verdict", "length", "direction", "states").toLocalIterator()
        answers = {}
        for row in rows:
            assert row.id not in answers, f"board {row.id} has two answers"
            answers[row.id] = (row.verdict, row.length, row.direction, row.states)
        spark.stop()
    finally:
        told["done"] = True
        cluster.stop()
    print(f"Spark: {len(answers):,} boards in {seconds:.1f} s, one of two workers killed after {told['killed']}")
    assert told["killed"], "the worker was not killed during the job: use more boards"
    wrong = [number for number in range(count) if answers.get(number) != expected[number]]
    assert len(answers) == count and not wrong, (len(answers), [(n, answers.get(n), expected[n]) for n in wrong[:5]])
    print(f"all {count:,} answers are the same")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
