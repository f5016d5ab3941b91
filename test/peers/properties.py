"""Parses properties files with dbt-core, all of them as one project.

Input: {"schemas": a list of YAML texts, "models": the names of models to create}. Output: {"problems": a list of errors
and deprecations, "manifest": the text of the manifest}.
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
    for name in given["models"]:
        (root / "models" / f"{name}.sql").write_text("select 1 as id")
    for number, text in enumerate(given["schemas"]):
        (root / "models" / f"schema_{number}.yml").write_text(text)
    arguments = ["parse", "--project-dir", directory, "--profiles-dir", directory]
    # dbt writes its own log to the standard output.
    with contextlib.redirect_stdout(sys.stderr):
        result = dbtRunner(callbacks=[note]).invoke(
            [*arguments, "--quiet", "--no-partial-parse", "--show-all-deprecations"]
        )
    if result.exception is not None:
        problems.append(str(result.exception))
    written = root / "target" / "manifest.json"
    manifest = written.read_text() if written.exists() else None

json.dump({"problems": problems, "manifest": manifest}, sys.stdout)
