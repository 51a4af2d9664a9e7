"""Decides the boards of a Spark DataFrame with getaway."""

import json
import queue
import subprocess
import threading

import pyarrow as pa

# The columns added to each row: fields of `getaway check --json`.
ANSWER = pa.schema(
    [
        ("verdict", pa.string()),
        ("length", pa.int64()),
        ("moves", pa.list_(pa.string())),
        ("survives", pa.bool_()),
        ("direction", pa.int64()),
        ("probability", pa.float64()),
        ("lower", pa.float64()),
        ("upper", pa.float64()),
        ("certain", pa.bool_()),
        ("states", pa.int64()),
        ("limit", pa.string()),
        ("error", pa.string()),
    ]
)


def decide(dataframe, program="getaway", max_memory="1GiB", max_states=None, flags=()):
    """Returns the rows of `dataframe`, each with the answer to its board.

    `rows` is the board: an array of strings, or one string with line breaks. All other columns except `id` are headers
    (`ruleset`, `radius`, ...) unless they are null. All columns are kept. `program` is the path of getaway on each worker;
    `flags` are additional arguments for `getaway check`.

    An answer depends only on the board: limits are fixed numbers, no result depends on the clock, and one
    single-threaded process decides each partition. A repeated task returns the same rows.
    """
    limits = ["--max-memory", max_memory]
    if max_states is not None:
        limits += ["--max-states", str(max_states)]
    command = [program, "check", "--json", "--no-timing", "--threads", "1", *limits, *flags, "-"]

    def partition(batches):
        return _answered(command, batches)

    # Spark requires the types of the result.
    from pyspark.sql.pandas.types import from_arrow_schema

    fields = list(dataframe.schema.fields) + list(from_arrow_schema(ANSWER).fields)
    return dataframe.mapInArrow(partition, type(dataframe.schema)(fields))


def _answered(command, batches):
    """Yields the batches with their answers, computed by one process."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    waiting = queue.Queue()
    feeder = threading.Thread(target=_feed, args=(batches, process.stdin, waiting), daemon=True)
    feeder.start()
    try:
        while (batch := waiting.get()) is not None:
            if isinstance(batch, BaseException):
                raise batch
            answers = [_answer(process.stdout.readline()) for _ in range(batch.num_rows)]
            table = pa.Table.from_pylist(answers, schema=ANSWER).combine_chunks()
            columns = batch.columns + [
                column.chunk(0) if column.num_chunks else pa.array([], column.type)
                for column in table.columns
            ]
            yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names + ANSWER.names)
        # Exit codes 0 to 3 describe the boards; all others mean a failure.
        if process.stdout.readline() or process.wait() not in (0, 1, 2, 3):
            raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


def _feed(batches, stdin, waiting):
    """Writes the boards, and queues each batch and then None or an exception."""
    try:
        for batch in batches:
            waiting.put(batch)
            lines = (json.dumps(_board(row)) for row in batch.to_pylist())
            stdin.write("".join(line + "\n" for line in lines).encode())
        stdin.close()
        waiting.put(None)
    except BaseException as error:  # For the other thread.
        waiting.put(error)


def _board(row):
    board = {key: value for key, value in row.items() if value is not None and key != "id"}
    if isinstance(board.get("rows"), str):
        board["rows"] = board["rows"].splitlines()
    return board


def _answer(line):
    if not line:
        raise RuntimeError("getaway ended before its last answer")
    answer = json.loads(line)
    lower, upper = answer.get("bounds", (None, None))
    error = answer.get("error", {}).get("message")
    return answer | {"lower": lower, "upper": upper, "error": error}
