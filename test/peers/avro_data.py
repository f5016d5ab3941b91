"""Reads data that was written with one Avro schema by another one, with fastavro and Apache avro.

Input: a list of {"writer": schema, "reader": schema}. Output: for each, null or what went wrong.
"""

import io
import json
import sys

import avro.io
import avro.schema
import fastavro
from fastavro.utils import generate_one


def find_problem(writer, reader):
    parsed = fastavro.parse_schema(writer)
    for _ in range(5):
        buffer = io.BytesIO()
        fastavro.schemaless_writer(buffer, parsed, generate_one(parsed))
        data = buffer.getvalue()
        before = fastavro.schemaless_reader(io.BytesIO(data), parsed)
        after = fastavro.schemaless_reader(io.BytesIO(data), parsed, fastavro.parse_schema(reader))
        if repr(before) != repr(after):
            return f"fastavro reads {after!r} instead of {before!r}"
        schemas = [avro.schema.parse(json.dumps(schema)) for schema in (writer, reader)]
        before, after = [
            avro.io.DatumReader(schemas[0], schema).read(avro.io.BinaryDecoder(io.BytesIO(data)))
            for schema in schemas
        ]
        if repr(before) != repr(after):
            return f"avro reads {after!r} instead of {before!r}"
    return None


def try_pair(pair):
    try:
        return find_problem(pair["writer"], pair["reader"])
    except Exception as error:
        return f"{type(error).__name__}: {error}"


json.dump([try_pair(pair) for pair in json.load(sys.stdin)], sys.stdout)
