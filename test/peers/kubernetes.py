"""Validates manifests against the schemas of Kubernetes.

Reads {"version", "manifests"} from standard input, writes for each manifest null or what is wrong with it.
"""

import json
import sys

import kubernetes_validate


def find_problem(manifest, version):
    try:
        kubernetes_validate.validate(manifest, version, strict=True)
    except Exception as problem:  # Each kind of problem has a class of its own.
        return str(problem)
    return None


task = json.load(sys.stdin)
json.dump([find_problem(each, task["version"]) for each in task["manifests"]], sys.stdout)
