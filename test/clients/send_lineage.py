"""Sends OpenLineage events with the public Python client.

Reads one JSON object from standard input: the transport of the client, the namespace of the jobs, and the
number of runs. Each run has three events with facets, and an event each of a job and a data set follow.
Writes the number of events to standard output.
"""

import json
import sys
from datetime import datetime, timezone

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import (
    DatasetEvent,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    RunState,
    StaticDataset,
)
from openlineage.client.facet_v2 import schema_dataset, sql_job
from openlineage.client.uuid import generate_new_uuid

PRODUCER = "https://example.test/send_lineage"


def build_events(namespace, runs):
    fields = [schema_dataset.SchemaDatasetFacetFields(name=f"column_{at}", type="text") for at in range(200)]
    facets = {"schema": schema_dataset.SchemaDatasetFacet(fields=fields)}
    time = datetime.now(timezone.utc).isoformat()
    for number in range(runs):
        run = Run(runId=str(generate_new_uuid()))
        job = Job(namespace, f"load_{number}", facets={"sql": sql_job.SQLJobFacet(query="select 1")})
        for state in (RunState.START, RunState.RUNNING, RunState.COMPLETE):
            yield RunEvent(
                eventType=state,
                eventTime=time,
                run=run,
                job=job,
                producer=PRODUCER,
                inputs=[InputDataset("postgres://db", "shop.sales.orders", facets=facets)],
                outputs=[OutputDataset("postgres://db", "shop.sales.current", facets=facets)],
            )
    yield JobEvent(eventTime=time, job=Job(namespace, "documented"), producer=PRODUCER)
    dataset = StaticDataset("postgres://db", "shop.sales.orders", facets=facets)
    yield DatasetEvent(eventTime=time, dataset=dataset, producer=PRODUCER)


def main():
    request = json.load(sys.stdin)
    client = OpenLineageClient(config={"transport": request["transport"]})
    events = list(build_events(request["namespace"], request["runs"]))
    for event in events:
        client.emit(event)
    # Waits for the events that are still on their way.
    client.close(timeout=20)
    print(len(events))


main()
