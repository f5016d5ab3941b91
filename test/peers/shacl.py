"""Validates graphs with SHACL by pyshacl.

Input: {"shapes": [Turtle], "graphs": [Turtle]}.
Output: [the violations as a text, or null], one for each graph.
"""

import json
import sys

from pyshacl import validate
from rdflib import Graph


def parse(texts):
    graph = Graph()
    for text in texts:
        graph.parse(data=text, format="turtle")
    return graph


def find_violations(text, shapes):
    conforms, _, report = validate(parse([text]), shacl_graph=shapes, inference="none")
    return None if conforms else report


asked = json.load(sys.stdin)
shapes = parse(asked["shapes"])
print(json.dumps([find_violations(text, shapes) for text in asked["graphs"]]))
