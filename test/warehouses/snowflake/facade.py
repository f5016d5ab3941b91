"""Speaks Snowflake's SQL API v2 on fakesnow, which runs the SQL of Snowflake on DuckDB: `facade.py <port> <token>`.

Follows https://docs.snowflake.com/en/developer-guide/sql-api/reference: results as JSON texts in partitions, answers
202 for statements that are still running, cancellation, and errors with their codes. Tests change its behaviour:

    POST /facade/settings {"partitionRows": 2, "pendingPolls": 1}

Every statement answers 202 for `pendingPolls` requests before its result. Without a `warehouse`, statements on
INFORMATION_SCHEMA fail as in Snowflake. What fakesnow lacks is added: functions of the session, the precision of times,
keys of a whole database, and an empty result for foreign keys, which it reports wrongly.
"""

import datetime
import decimal
import json
import re
import sys
import threading
import time
import uuid

import snowflake.connector.errors
import uvicorn
from fakesnow.converter import from_binding
from fakesnow.instance import FakeSnow
from fakesnow.rowtype import describe_as_rowtype
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route

SUCCEEDED = {"code": "090001", "sqlState": "00000", "message": "Statement executed successfully."}
RUNNING = {"code": "333334", "message": "Asynchronous execution in progress. Use provided query id to perform query monitoring and management."}
CANCELLED = {"code": "000604", "sqlState": "57014", "message": "SQL execution canceled"}
NO_WAREHOUSE = {"code": "000606", "sqlState": "57P03", "message": "No active warehouse selected in the current session."}
WRONG_TOKENS = {"PROGRAMMATIC_ACCESS_TOKEN": ("394400", "Programmatic access token is invalid.")}
KEYS_OF_DATABASE = re.compile(r'SHOW (\w+) KEYS IN DATABASE "(.+)"')
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


class Facade:
    def __init__(self, token):
        self.token = token
        self.settings = {"partitionRows": 10_000, "pendingPolls": 0, "warehouse": "PORTBOOK_WH"}
        self.snow = FakeSnow(create_database_on_connect=False, create_schema_on_connect=False)
        # DuckDB serializes DDL, and fakesnow shares one connection.
        self.lock = threading.Lock()
        self.statements = {}
        self.handles_by_request = {}

    def run_adapted(self, body):
        """Runs a statement with what fakesnow lacks; returns its columns and rows as texts."""
        keys = KEYS_OF_DATABASE.fullmatch(body["statement"])
        if keys is not None:
            kind, database = keys.groups()
            _, schemas = self.run({"statement": f'SHOW SCHEMAS IN DATABASE "{database}"'})
            row_type, rows = self.run({"statement": f'SHOW {kind} KEYS IN SCHEMA "{database}"."PUBLIC"', "database": database})
            for name in {schema[1] for schema in schemas} - {"PUBLIC", "information_schema"}:
                rows += self.run({"statement": f'SHOW {kind} KEYS IN SCHEMA "{database}"."{name}"'})[1]
            return row_type, [] if kind == "IMPORTED" else rows
        warehouse = self.settings["warehouse"]
        statement = body["statement"]
        for missing, value in {
            "current_user()": "'PORTBOOK'",
            "current_role()": "'PORTBOOK'",
            "current_warehouse()": "null" if warehouse is None else f"'{warehouse}'",
            "datetime_precision": "9 as datetime_precision",
        }.items():
            statement = statement.replace(missing, value)
        row_type, rows = self.run({**body, "statement": statement})
        if statement.startswith("SHOW SCHEMAS"):
            rows = [row for row in rows if row[1] != "information_schema"]
        return row_type, rows

    def run(self, body):
        """Runs a statement of fakesnow; returns its columns and rows as texts."""
        bindings = body.get("bindings") or {}
        params = tuple(from_binding(bindings[str(at + 1)]) for at in range(len(bindings))) or None
        with self.lock:
            connection = self.snow.connect(to_name(body.get("database")), to_name(body.get("schema")))
            cursor = connection.cursor()
            cursor.execute(body["statement"], binding_params=params, server=True)
            row_type = describe_as_rowtype(cursor._describe_last_sql())
            table = cursor._arrow_table
        if table is None:
            return row_type, []
        columns = [column.to_pylist() for column in table.columns]
        return row_type, [
            [to_text(value, column["type"]) for value, column in zip(row, row_type, strict=True)]
            for row in zip(*columns, strict=True)
        ]

    def submit(self, body, request_id):
        """Runs a statement once for each request id; returns its handle."""
        known = self.handles_by_request.get(request_id)
        if known is not None:
            return known
        handle = str(uuid.uuid4())
        statement = {"handle": handle, "createdOn": int(time.time() * 1000), "polls": self.settings["pendingPolls"]}
        try:
            row_type, rows = self.run_adapted(body)
            size = self.settings["partitionRows"]
            partitions = [rows[at : at + size] for at in range(0, len(rows), size)] or [[]]
            statement.update(row_type=row_type, partitions=partitions)
        except snowflake.connector.errors.Error as error:
            code = f"{error.errno:06d}" if error.errno and error.errno > 0 else "001003"
            statement["error"] = {"code": code, "sqlState": error.sqlstate or "42000", "message": error.raw_msg or str(error)}
        except Exception as error:  # A statement that fakesnow does not support.
            statement["error"] = {"code": "000002", "sqlState": "0A000", "message": f"Unsupported feature: {error}"}
        self.statements[handle] = statement
        if request_id is not None:
            self.handles_by_request[request_id] = handle
        return handle

    def answer(self, handle, partition=0):
        """Answers with the state of a statement, or with a partition of its result."""
        statement = self.statements.get(handle)
        if statement is None:
            return JSONResponse({"code": "390142", "message": "Statement handle not found"}, 404)
        path = f"/api/v2/statements/{handle}"
        common = {"statementHandle": handle, "statementStatusUrl": path}
        if statement.get("cancelled"):
            return JSONResponse({**CANCELLED, **common}, 422)
        if statement["polls"] > 0:
            statement["polls"] -= 1
            return JSONResponse({**RUNNING, **common}, 202)
        if "error" in statement:
            return JSONResponse({**statement["error"], **common}, 422)
        partitions = statement["partitions"]
        if not 0 <= partition < len(partitions):
            return JSONResponse({"code": "391914", "message": "Partition index out of range"}, 400)
        if partition > 0:
            return JSONResponse({"data": partitions[partition]})
        metadata = {
            "numRows": sum(len(rows) for rows in partitions),
            "format": "jsonv2",
            "partitionInfo": [{"rowCount": len(rows), "uncompressedSize": len(json.dumps(rows))} for rows in partitions],
            "rowType": statement["row_type"],
        }
        created_on = statement["createdOn"]
        return JSONResponse(
            {**SUCCEEDED, **common, "createdOn": created_on, "resultSetMetaData": metadata, "data": partitions[0]}
        )

    def find_rejection(self, request):
        """Returns the answer to a request with a wrong token; None if the token is right."""
        if request.headers.get("authorization") == f"Bearer {self.token}":
            return None
        kind = request.headers.get("x-snowflake-authorization-token-type")
        code, message = WRONG_TOKENS.get(kind, ("390144", "JWT token is invalid."))
        return JSONResponse({"code": code, "message": message}, 401)

    async def handle_submission(self, request):
        rejection = self.find_rejection(request)
        if rejection is not None:
            return rejection
        body = await request.json()
        if not isinstance(body.get("statement"), str):
            return JSONResponse({"code": "391902", "message": "Unable to parse the request: no statement"}, 400)
        if self.settings["warehouse"] is None and "information_schema" in body["statement"]:
            return JSONResponse(NO_WAREHOUSE, 422)
        request_id = request.query_params.get("requestId")
        handle = self.submit(body, request_id)
        if request.query_params.get("async") == "true" and "error" not in self.statements[handle]:
            self.statements[handle]["polls"] = max(1, self.statements[handle]["polls"])
        return self.answer(handle)

    async def handle_status(self, request):
        partition = int(request.query_params.get("partition", "0"))
        return self.find_rejection(request) or self.answer(request.path_params["handle"], partition)

    async def handle_cancellation(self, request):
        rejection = self.find_rejection(request)
        if rejection is not None:
            return rejection
        handle = request.path_params["handle"]
        statement = self.statements.get(handle)
        if statement is None:
            return self.answer(handle)
        if statement["polls"] > 0:
            statement["cancelled"] = True
            return JSONResponse({**CANCELLED, "statementHandle": handle})
        return JSONResponse({"code": "000709", "message": "Statement is not executing", "statementHandle": handle}, 422)

    async def handle_settings(self, request):
        self.settings.update(await request.json())
        return JSONResponse(self.settings)

    async def handle_log(self, _request):
        """Lists the statements with their states, for tests of cancellation."""
        names = ("handle", "polls", "cancelled")
        return JSONResponse([{name: statement.get(name) for name in names} for statement in self.statements.values()])


def to_name(name):
    """Returns a name as fakesnow stores it; quotes keep its case, as in the SQL API."""
    if not name:
        return None
    return name[1:-1].replace('""', '"') if name.startswith('"') else name.upper()


def to_text(value, kind):
    """Writes a value as the SQL API does; None for null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        seconds = to_seconds((value if value.tzinfo else value.replace(tzinfo=datetime.UTC)) - EPOCH)
        return f"{seconds} 1440" if kind == "timestamp_tz" else seconds
    if isinstance(value, datetime.date):
        return str((value - EPOCH.date()).days)
    if isinstance(value, datetime.time):
        since_midnight = datetime.datetime.combine(EPOCH, value) - datetime.datetime.combine(EPOCH, datetime.time())
        return to_seconds(since_midnight)
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    return value if isinstance(value, str) else json.dumps(value, default=str)


def to_seconds(duration):
    microseconds = duration // datetime.timedelta(microseconds=1)
    return f"{microseconds // 1_000_000}.{microseconds % 1_000_000:06d}000"


def create_app(facade):
    statements = "/api/v2/statements"
    routes = [
        Route(statements, facade.handle_submission, methods=["POST"]),
        Route(f"{statements}/{{handle}}", facade.handle_status, methods=["GET"]),
        Route(f"{statements}/{{handle}}/cancel", facade.handle_cancellation, methods=["POST"]),
        Route("/facade/settings", facade.handle_settings, methods=["POST"]),
        Route("/facade/statements", facade.handle_log, methods=["GET"]),
        Route("/facade/health", lambda _request: JSONResponse({}), methods=["GET"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(GZipMiddleware, minimum_size=500)])


if __name__ == "__main__":
    port, token = sys.argv[1:]
    uvicorn.run(create_app(Facade(token)), host="127.0.0.1", port=int(port), log_level="warning")
