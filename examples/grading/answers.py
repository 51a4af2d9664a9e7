"""Connects a function that answers boards with `getaway check --agent`."""

import json
import os
import resource
import sys
import tempfile

MEMORY, OUTPUT = 1 << 29, 1 << 16  # the limits for a submission, in bytes


def serve(answer):
    """Calls `answer` with each board. The output of the submission goes to a file, emptied before each board."""
    for path in sys.argv[1:]:
        if path.startswith("submission/") and not os.path.exists(path):
            sys.exit(f"the submission has no file {path.removeprefix('submission/')}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    printed = tempfile.TemporaryFile()
    os.dup2(printed.fileno(), 1)
    for line in questions:
        message = json.loads(line)
        reply = {"type": "hello", "protocol": 1}
        if message["type"] == "board":
            os.lseek(1, 0, os.SEEK_SET)
            os.truncate(1, 0)
            reply = answer(message)
            sys.stdout.flush()
        print(json.dumps(reply), file=answers, flush=True)
