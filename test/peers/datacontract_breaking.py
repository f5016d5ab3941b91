"""Compares the levels of contract changes with `datacontract breaking`.

Reads the tables formats/diff/peers/{odcs,dcs}.json and writes the verdict of the tool into each row, for the change and
for the opposite one: the highest of `error` (breaking for consumers), `warning` (undetermined) and `info`, or `rejected`
when the tool does not read the contract. Not part of the tests; docs/levels.md describes how to run it.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from datacontract.data_contract import DataContract

LEVELS = ["info", "warning", "error"]
TABLES = Path(__file__).parents[2] / "formats" / "diff" / "peers"


def create_contract(base: dict, fragment: dict) -> DataContract:
    merged = {
        name: {**base[name], **part} if name in base and isinstance(part, dict) else part
        for name, part in fragment.items()
    }
    return DataContract(data_contract_str=json.dumps({**base, **merged}), inline_references=False)


def judge(before: DataContract, after: DataContract, verbose: bool) -> str:
    try:
        entries = before.breaking(after).entries
    except Exception as error:
        print(f"  {error}".splitlines()[0], file=sys.stderr)
        return "rejected"
    if verbose:
        for entry in entries:
            print(f"  {entry.level.value} {entry.rule_id}: {entry.message}")
    return max((entry.level.value for entry in entries), key=LEVELS.index, default="info")


def main() -> None:
    verbose = "--verbose" in sys.argv
    for path in (TABLES / "odcs.json", TABLES / "dcs.json"):
        table = json.loads(path.read_text())
        changed = 0
        for row in table["rows"]:
            if verbose:
                print(f"{path.stem}: {row['change']}")
            before, after = (create_contract(table["base"], row[side]) for side in ("before", "after"))
            verdict = {"change": judge(before, after, verbose), "back": judge(after, before, verbose)}
            changed += row.get("peer") != verdict
            row["peer"] = verdict
        table["peer"] = f"datacontract-cli {version('datacontract-cli')}"
        # On one line, so that oxfmt breaks only the lines that are too long.
        path.write_text(json.dumps(table, ensure_ascii=False) + "\n")
        print(f"{path.name}: {len(table['rows'])} changes, {changed} verdicts changed")


if __name__ == "__main__":
    main()
