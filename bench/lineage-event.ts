// The events of the benchmark: run events of OpenLineage of about 6 KB, as a dbt model sends them.

const COLUMNS_COUNT = 24

/** Returns the text of an event of a run; it is ASCII. */
export function createEventText(runId: string): string {
  return JSON.stringify(createEvent(runId))
}

function createEvent(runId: string): object {
  const producer = 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt'
  const facet = (name: string): object => ({
    _producer: producer,
    _schemaURL: `https://openlineage.io/spec/facets/1-1-1/${name}.json`,
  })
  const columns = Array.from({ length: COLUMNS_COUNT }, (_, at) => `shipment_attribute_${at}`)
  const fields = columns.map((name) => ({ name, type: 'VARCHAR', description: `Column ${name}.` }))
  const dataset = (name: string): object => ({
    namespace: 'snowflake://velmora.eu-central-1',
    name: `LOGISTICS.SHIPMENTS.${name}`,
    facets: { schema: { ...facet('SchemaDatasetFacet'), fields } },
  })
  return {
    eventType: 'COMPLETE',
    eventTime: '2026-11-26T02:00:00.000Z',
    run: {
      runId,
      facets: { entropy_data: { dataProductId: 'shipment-events-0001' } },
    },
    job: {
      namespace: 'dbt',
      name: 'LOGISTICS.shipments.stg_shipment_events',
      facets: {
        sql: { ...facet('SQLJobFacet'), query: `select ${columns.join(',\n  ')}\nfrom raw_events` },
      },
    },
    inputs: [dataset('RAW_EVENTS')],
    outputs: [dataset('STG_SHIPMENT_EVENTS')],
    producer,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  }
}
