"""Runs commands of a Python client in one process, because the start of each process takes a second.

Usage: run_commands.py SCRIPT, where SCRIPT is the name of one of the client's console scripts. Reads one
request a line from standard input and writes one answer a line to standard output, both JSON:

  {"arguments": ["teams", "list"], "input": "text of standard input", "environment": {"NAME": "value"}}
  {"exitCode": 0, "stdout": "...", "stderr": "..."}

The request {"list": true} answers with the names of all commands: ["teams list", ...].
"""

import contextlib
import importlib.metadata
import io
import json
import os
import sys
import traceback


def load(script):
    (entry,) = importlib.metadata.entry_points(group="console_scripts", name=script)
    return entry.load()


def list_commands(entry):
    import typer.main

    def walk(command, path):
        children = getattr(command, "commands", None)
        if children is None:
            return [" ".join(path)]
        return [name for key, child in children.items() for name in walk(child, [*path, key])]

    return walk(typer.main.get_command(entry), [])


def run(entry, script, request):
    output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    sys.argv = [script, *request["arguments"]]
    sys.stdin = io.TextIOWrapper(io.BytesIO(request.get("input", "").encode()), "utf-8")
    os.environ.update(request.get("environment", {}))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            # As the script does that the installation made.
            sys.exit(entry())
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
            code = 1
    texts = []
    for stream in (output, errors):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return {"exitCode": code, "stdout": texts[0], "stderr": texts[1]}


def main():
    script = sys.argv[1]
    entry = load(script)
    # The client's own output must not reach the answers.
    requests, answers = sys.stdin, sys.stdout
    sys.stdout = sys.stderr
    for line in requests:
        request = json.loads(line)
        answer = list_commands(entry) if request.get("list") else run(entry, script, request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
