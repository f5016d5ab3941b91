"""Checks with Apache Avro whether a reader with one schema reads data that was written with another one.

Input: a list of {"reader": schema, "writer": schema}. Output: for each, whether they are compatible; null if Avro rejects
one of the schemas.
"""

import json
import sys

import avro.schema
from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType


def qualify_aliases(schema, namespace=""):
    """Writes aliases as full names: the check compares them with full names as they are written."""
    if isinstance(schema, list):
        return [qualify_aliases(branch, namespace) for branch in schema]
    if not isinstance(schema, dict):
        return schema
    qualified = dict(schema)
    if "name" in schema and "type" in schema and not isinstance(schema["type"], (dict, list)):
        if "." in schema["name"]:
            namespace = schema["name"].rpartition(".")[0]
        aliases = schema.get("aliases", [])
        prefix = f"{namespace}." if namespace else ""
        qualified["aliases"] = [one if "." in one else prefix + one for one in aliases]
    for part in ("type", "items", "values"):
        if part in schema:
            qualified[part] = qualify_aliases(schema[part], namespace)
    if "fields" in schema:
        qualified["fields"] = [
            {**field, "type": qualify_aliases(field["type"], namespace)} for field in schema["fields"]
        ]
    return qualified


def is_compatible(pair):
    try:
        reader, writer = (avro.schema.parse(json.dumps(qualify_aliases(pair[side]))) for side in ("reader", "writer"))
    except avro.errors.AvroException:
        return None
    result = ReaderWriterCompatibilityChecker().get_compatibility(reader, writer)
    return result.compatibility is SchemaCompatibilityType.compatible


json.dump([is_compatible(pair) for pair in json.load(sys.stdin)], sys.stdout)
