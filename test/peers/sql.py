"""Parses SQL with sqlglot, and executes it in DuckDB.

Input: {"parse": [{"dialect": …, "text": …}], "execute": [text]}.
Output: {"parse": [error or null], "execute": [error or null]}.
"""

import json
import logging
import sys

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

logging.disable(logging.WARNING)

# Types of PostgreSQL that DuckDB has under other names.
DUCKDB_TYPES = {"jsonb": "json", "inet": "varchar", "xml": "varchar"}


def parse(dialect, text):
    try:
        statements = sqlglot.parse(text, dialect=dialect, error_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        return str(error)
    # A statement that sqlglot does not understand is kept as a command.
    for statement in statements:
        if isinstance(statement, exp.Command) and statement.name.upper() in ("CREATE", "ALTER"):
            return f"not understood: {statement.sql()}"
    return None


def execute(text):
    with duckdb.connect() as connection:
        for name, other in DUCKDB_TYPES.items():
            connection.execute(f"create type {name} as {other}")
        try:
            connection.execute(text)
        except duckdb.Error as error:
            return str(error)
    return None


given = json.load(sys.stdin)
result = {
    "parse": [parse(item["dialect"], item["text"]) for item in given["parse"]],
    "execute": [execute(text) for text in given["execute"]],
}
json.dump(result, sys.stdout)
