"""Inserts sample values into columns of each type in DuckDB.

Input: {"types": [text], "values": [text]}.
Output: for each type null if DuckDB does not have it, or else the positions of the values that a column takes unchanged.
"""

import json
import sys

import duckdb

# DuckDB cuts long values in its messages, also inside a character.
REFUSALS = (duckdb.Error, UnicodeDecodeError)

CHECKS = ["varchar", "decimal(38,12)", "timestamptz", "time", "blob"]


def is_kept(connection, value):
    for check in CHECKS:
        try:
            row = connection.execute(
                f"select a::varchar::{check} = ?::{check} from t", [value]
            ).fetchone()
            if row[0]:
                return True
        except REFUSALS:
            continue
    return False


def takes(connection, value):
    connection.execute("delete from t")
    try:
        connection.execute("insert into t values (?)", [value])
    except REFUSALS:
        return False
    return is_kept(connection, value)


def find_values(connection, text, values):
    connection.execute("drop table if exists t")
    try:
        connection.execute(f"create table t (a {text})")
    except REFUSALS:
        return None
    return [at for at, value in enumerate(values) if takes(connection, value)]


given = json.load(sys.stdin)
with duckdb.connect() as connection:
    connection.execute("set timezone = 'UTC'")
    json.dump([find_values(connection, text, given["values"]) for text in given["types"]], sys.stdout)
