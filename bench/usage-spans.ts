import { randomBytes } from 'node:crypto'

// The spans of the benchmark: queries of a warehouse by 500 people on 100 data products, within 30 days. One product
// gets a fifth of them.

/** The data product whose page is measured. */
export const HOT_PRODUCT = 'orders-0'

/** The number of spans in a request. */
export const REQUEST_SPANS = 5000

const PRODUCTS_COUNT = 100
const USERS_COUNT = 500
const ROLES = ['analyst', 'engineer', 'report']
const PORTS = ['warehouse', 'stream']
const SOURCES_COUNT = 50
const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** Creates the body of a request; the ids of its spans begin with a prefix of eight digits. */
export function createTraces(nowMs: number, prefix: string): string {
  const perSource = REQUEST_SPANS / SOURCES_COUNT
  const resourceSpans = Array.from({ length: SOURCES_COUNT }, (_, source) => {
    const product = source % 5 === 0 ? 0 : Math.floor(Math.random() * PRODUCTS_COUNT)
    const attributes = [
      toAttribute('service.name', 'warehouse'),
      toAttribute('dataproduct.id', `orders-${product}`),
      toAttribute('outputport.name', PORTS[source % PORTS.length] ?? ''),
    ]
    const spans = Array.from({ length: perSource }, () => createSpan(nowMs, prefix))
    const scopeSpans = [{ scope: { name: 'query-log', version: '1.4.2' }, spans }]
    return { resource: { attributes }, scopeSpans }
  })
  return JSON.stringify({ resourceSpans })
}

function createSpan(nowMs: number, prefix: string): object {
  const user = Math.floor(Math.random() * USERS_COUNT)
  const startMs = Math.floor(nowMs - Math.random() * DAYS * DAY_MS)
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
