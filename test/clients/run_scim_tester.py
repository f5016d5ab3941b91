"""Checks a SCIM server with scim2-tester: run_scim_tester.py <base URL> <key>. Prints one JSON object for each check."""

import json
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server


def main(url: str, key: str) -> None:
    http = httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60)
    client = SyncSCIMClient(http)
    client.discover()
    # The tester fills attributes with random texts; a user needs an address.
    user = client.get_resource_model("User")
    user.model_fields["user_name"].examples = [f"person-{at}@example.test" for at in range(10_000)]
    for result in check_server(client):
        print(
            json.dumps(
                {
                    "title": result.title,
                    "status": result.status.name,
                    "reason": result.reason,
                    "attribute": result.data.get("urn") if isinstance(result.data, dict) else None,
                }
            )
        )


main(*sys.argv[1:])
