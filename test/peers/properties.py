"""Parses properties files with dbt-core, all of them as one project.

Input: a list of YAML texts. Output: a list of errors and deprecations.
"""

import contextlib
import json
import sys
import tempfile
from pathlib import Path

from dbt.cli.main import dbtRunner

PROJECT = """
name: peer
version: '1.0.0'
profile: peer
flags: {send_anonymous_usage_stats: false}
"""
PROFILE = "peer: {target: t, outputs: {t: {type: duckdb, path: ':memory:'}}}"

given = json.load(sys.stdin)
problems = []


def note(event):
    name = event.info.name
    if event.info.level == "error" or name.endswith("Deprecation"):
        problems.append(f"{name}: {event.info.msg}")


with tempfile.TemporaryDirectory() as directory:
    root = Path(directory)
    (root / "models").mkdir()
    (root / "dbt_project.yml").write_text(PROJECT)
    (root / "profiles.yml").write_text(PROFILE)
    for number, text in enumerate(given):
        (root / "models" / f"schema_{number}.yml").write_text(text)
    arguments = ["parse", "--project-dir", directory, "--profiles-dir", directory]
    # dbt writes its own log to the standard output.
    with contextlib.redirect_stdout(sys.stderr):
        result = dbtRunner(callbacks=[note]).invoke(
            [*arguments, "--quiet", "--no-partial-parse", "--show-all-deprecations"]
        )
    if result.exception is not None:
        problems.append(str(result.exception))

json.dump(problems, sys.stdout)
