import { randomBytes } from 'node:crypto'

// The spans of the benchmark: the log of a warehouse, in the order of time, with the queries of 500 people on 100 data
// products. A fifth of the queries are on one product, which all people use; each other one has 30 readers.

/** The data product whose page is measured. */
export const HOT_PRODUCT = 'orders-0'

/** The number of spans in a request. */
export const REQUEST_SPANS = 5000

const PRODUCTS_COUNT = 100
const USERS_COUNT = 500
const READERS_COUNT = 30
const ROLES = ['analyst', 'engineer', 'report']
const PORTS = ['warehouse', 'stream']
const SOURCES_COUNT = 50
/** The time that a request of the log covers: a million spans are 28 days. */
export const REQUEST_MS = 200 * 60 * 1000

/** Creates the body of a request, whose log begins at a time; the ids of its spans begin with eight digits. */
export function createTraces(sinceMs: number, prefix: string): string {
  const perSource = REQUEST_SPANS / SOURCES_COUNT
  const resourceSpans = Array.from({ length: SOURCES_COUNT }, (_, source) => {
    const product = source % 5 === 0 ? 0 : Math.floor(Math.random() * PRODUCTS_COUNT)
    const attributes = [
      toAttribute('service.name', 'warehouse'),
      toAttribute('dataproduct.id', `orders-${product}`),
      toAttribute('outputport.name', PORTS[source % PORTS.length] ?? ''),
    ]
    const spans = Array.from({ length: perSource }, () => createSpan(product, sinceMs, prefix))
    const scopeSpans = [{ scope: { name: 'query-log', version: '1.4.2' }, spans }]
    return { resource: { attributes }, scopeSpans }
  })
  return JSON.stringify({ resourceSpans })
}

function createSpan(product: number, sinceMs: number, prefix: string): object {
  const reader = Math.floor(Math.random() * (product === 0 ? USERS_COUNT : READERS_COUNT))
  const user = (product + reader) % USERS_COUNT
  const startMs = Math.floor(sinceMs + Math.random() * REQUEST_MS)
  const rows = Math.floor(Math.random() * 10_000)
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: `${prefix}${randomBytes(4).toString('hex')}`,
    name: 'query',
    kind: 'SPAN_KIND_SERVER',
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 800}000000`,
    attributes: [
      toAttribute('user', `person-${user}@velmora.example`),
      toAttribute('role', ROLES[user % ROLES.length] ?? ''),
      toAttribute('type', 'SELECT'),
      toAttribute(
        'query',
        `select order_id, customer_id, total from sales.orders where order_date > current_date - ${rows}`,
      ),
      { key: 'rows', value: { intValue: String(rows) } },
      toAttribute('result', 'success'),
    ],
  }
}

function toAttribute(key: string, text: string): object {
  return { key, value: { stringValue: text } }
}
