"""Finds instances that a newer JSON Schema allows and an older one does not, with jsonschema.

Input: {"instances": {"field": a list, "model": a list}, "pairs": a list of {"before": document, "after": document,
"drafts": the drafts of both, "model": the pointer of the schema, "isField": which instances}}. Output: for each pair the
position of the first such instance; null if there is none or a schema is invalid.
"""

import json
import sys

from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator
from jsonschema import Draft201909Validator, Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry
from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

VALIDATORS = {
    "draft-04": (Draft4Validator, DRAFT4),
    "draft-06": (Draft6Validator, DRAFT6),
    "draft-07": (Draft7Validator, DRAFT7),
    "2019-09": (Draft201909Validator, DRAFT201909),
    "2020-12": (Draft202012Validator, DRAFT202012),
}
ID = "https://document.invalid/"


def create_validator(document, pointer, draft):
    validator, specification = VALIDATORS[draft]
    if isinstance(document, list):
        document, pointer = document[int(pointer[1:])], ""
    part = document
    for step in pointer.split("/")[1:]:
        part = part[step]
    validator.check_schema(document)
    validator.check_schema(part)
    registry = Registry().with_resource(ID, specification.create_resource(document))
    return validator({"$ref": f"{ID}#{pointer}"}, registry=registry)


def find_witness(pair, instances):
    try:
        older, newer = (
            create_validator(pair[side], pair["model"], draft)
            for side, draft in zip(("before", "after"), pair["drafts"])
        )
    except SchemaError:
        return None
    for at, instance in enumerate(instances):
        try:
            if newer.is_valid(instance) and not older.is_valid(instance):
                return at
        except RecursionError:
            return None
    return None


def main():
    given = json.load(sys.stdin)
    json.dump(
        [
            find_witness(pair, given["instances"]["field" if pair["isField"] else "model"])
            for pair in given["pairs"]
        ],
        sys.stdout,
    )


main()
