// The documents of the benchmark: data products of about 2 KB, as a pipeline sends them.

/** The number of products in a measured database. */
export const PRODUCTS_COUNT = 1000

/** The team that owns all products. */
export const OWNER_TEAM = { id: 'logistics', name: 'Logistics' }

const CHANGE = '@change@'
const CHANGE_DIGITS = 12

const DOMAINS = ['transport', 'warehouse', 'customs', 'billing'] as const
const STATUSES = ['active', 'draft', 'deprecated'] as const

/** A document with a variable part: equal numbers result in equal documents, all of the same length. */
export interface DocumentTemplate {
  id: string
  /** Returns the document for the number of a change. */
  text(change: number): string
}

/** Returns the template of the product at an index, 0 to PRODUCTS_COUNT - 1. */
export function documentTemplate(at: number): DocumentTemplate {
  const id = `shipment-events-${String(at).padStart(4, '0')}`
  const parts = JSON.stringify(createProduct(id, at)).split(CHANGE)
  return { id, text: (change) => parts.join(String(change).padStart(CHANGE_DIGITS, '0')) }
}

// A change modifies the version of the product, as in a pipeline, and one of its two ports.
function createProduct(id: string, at: number): object {
  const domain = DOMAINS[at % DOMAINS.length] ?? DOMAINS[0]
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name: `Shipment events ${at}`,
    version: `2.4.1+${CHANGE}`,
    status: STATUSES[at % STATUSES.length],
    domain,
    tags: ['shipment', domain, 'gdpr-checked'],
    description: {
      purpose: `Every movement of a shipment between two terminals of region ${at % 40}, as the scanners report it.`,
      limitations: 'Scanners of partner terminals report with a delay of up to six hours.',
      usage: 'Lead-time analysis, delay prediction, and the daily report to the customs office.',
    },
    team: { name: OWNER_TEAM.id },
    authoritativeDefinitions: [
      { type: 'businessDefinition', url: `https://wiki.example.com/logistics/shipments/${at}` },
      { type: 'sourceCode', url: `https://git.example.com/logistics/shipment-events-${at}` },
    ],
    customProperties: [
      { property: 'type', value: 'source-aligned' },
      { property: 'maturity', value: 'managed' },
      { property: 'costCentre', value: `CC-${4000 + at}` },
    ],
    inputPorts: [
      {
        name: 'scanner-events',
        version: '1.0.0',
        contractId: `scanner-events-${at % 50}`,
        customProperties: [{ property: 'sourceSystemId', value: 'terminal-scanners' }],
      },
    ],
    outputPorts: [
      {
        name: 'shipment_events_v2',
        version: '2.4.1',
        type: 'snowflake',
        description: `One row for each event, deduplicated, loaded every 15 minutes (build ${CHANGE}).`,
        contractId: `shipment-events-table-${at}`,
        customProperties: [
          {
            property: 'server',
            value: { account: 'velmora.eu-central-1', database: 'LOGISTICS', schema: 'SHIPMENTS' },
          },
          { property: 'status', value: 'active' },
          { property: 'containsPii', value: false },
        ],
      },
      {
        name: 'shipment_events_stream',
        version: '2.0.0',
        type: 'kafka',
        description: 'The same events within two seconds, keyed by shipment; kept for seven days.',
        contractId: `shipment-events-stream-${at}`,
        customProperties: [
          { property: 'server', value: { host: 'kafka.example.com:9092', topic: 'shipments.v2' } },
          { property: 'status', value: 'active' },
        ],
      },
    ],
  }
}

/** The number of definitions in a measured glossary. */
export const DEFINITIONS_COUNT = 10_000

/** Returns a definition of the glossary as its JSON text. A change modifies its description. */
export function createDefinition(at: number, change: number): { id: string; text: string } {
  const id = `logistics/${DOMAINS[at % DOMAINS.length]}/term-${String(at).padStart(5, '0')}`
  const document = {
    id,
    title: `Weight of shipment class ${at}`,
    owner: OWNER_TEAM.id,
    description: `The weight of a shipment with its packaging, in kilograms, as weighed at the terminal. Revision ${change}.`,
    type: 'number',
    minimum: 0,
    maximum: 90_000,
    example: 1250.5,
    pii: false,
    classification: 'internal',
    tags: ['weight', 'shipment'],
  }
  return { id, text: JSON.stringify(document) }
}
