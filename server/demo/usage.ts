import { hash } from 'node:crypto'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { receiveTraces } from '../reports/usage/service.ts'

// The usage of some data products of the demo, as a warehouse would report it.

/** A consumer of an output port, whose use grows or shrinks. */
interface DemoConsumer {
  product: string
  port: string
  user?: string
  role: string
  /** Queries in the current month. */
  queries: number
  /** The part of them a month earlier: 0.9 = its use grows. */
  before: number
  /** The number of months in which it used the port. */
  months: number
  rows: number
}

const CONSUMERS: readonly DemoConsumer[] = [
  reader('wagon-journeys', 'journeys', 'noemi.castellani', 'fleet-analyst', [58, 0.93, 13, 4200]),
  reader('wagon-journeys', 'journeys', 'pavel.hruska', 'dispatcher', [36, 0.88, 11, 310]),
  reader('wagon-journeys', 'journeys', undefined, 'punctuality-report', [62, 1, 13, 61_000]),
  reader('wagon-journeys', 'journeys', 'ilka.brandauer', 'train-controller', [21, 0.75, 5, 90]),
  reader('wagon-journeys', 'yard-dwell', 'henrike.vossberg', 'owner', [9, 1.12, 9, 45]),
  reader('wagon-journeys', 'yard-dwell', undefined, 'empty-running-model', [31, 0.6, 4, 125_000]),
  reader(
    'train-movements',
    'running-events',
    undefined,
    'arrival-forecast',
    [90, 0.95, 13, 18_000],
  ),
  reader('train-movements', 'delays-daily', 'ilka.brandauer', 'train-controller', [25, 0.9, 8, 24]),
]

const DAY_MS = 24 * 60 * 60 * 1000

/** Reports the usage of the months before an instant. */
export async function reportUsage(services: Services, caller: Caller, now: Instant): Promise<void> {
  const nowMs = Date.parse(now)
  const resourceSpans = CONSUMERS.map((consumer) => {
    const { product, port } = consumer
    const attributes = [
      toAttribute('service.name', 'operations-warehouse'),
      toAttribute('dataproduct.id', product),
      toAttribute('outputport.name', port),
    ]
    const spans = listStarts(consumer, nowMs).map((startMs) => toSpan(consumer, startMs))
    return { resource: { attributes }, scopeSpans: [{ scope: { name: 'query-log' }, spans }] }
  })
  await receiveTraces(services, caller, JSON.stringify({ resourceSpans }))
}

function reader(
  product: string,
  port: string,
  user: string | undefined,
  role: string,
  [queries, before, months, rows]: readonly [number, number, number, number],
): DemoConsumer {
  const person = user === undefined ? {} : { user: `${user}@velmora.example` }
  return { product, port, ...person, role, queries, before, months, rows }
}

// The queries of a month are at equal distances.
function listStarts({ queries, before, months }: DemoConsumer, nowMs: number): number[] {
  return Array.from({ length: months }, (_, age) => {
    const now = new Date(nowMs)
    const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age)
    const endMs = Math.min(nowMs, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age + 1))
    const share = (endMs - monthMs) / (30 * DAY_MS)
    const count = Math.ceil(queries * before ** age * Math.min(1, share))
    return Array.from({ length: count }, (_none, at) =>
      Math.floor(monthMs + ((at + 0.5) / count) * (endMs - monthMs)),
    )
  }).flat()
}

function toSpan({ product, port, user, role, rows }: DemoConsumer, startMs: number): object {
  const id = hash('sha256', JSON.stringify([product, port, user, role, startMs]))
  return {
    traceId: id.slice(0, 32),
    spanId: id.slice(32, 48),
    name: 'query',
    kind: 'SPAN_KIND_SERVER',
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 800}000000`,
    attributes: [
      ...(user === undefined ? [] : [toAttribute('user', user)]),
      toAttribute('role', role),
      toAttribute('type', 'SELECT'),
      toAttribute('result', 'success'),
      { key: 'rows', value: { intValue: String(rows) } },
    ],
  }
}

function toAttribute(key: string, text: string): object {
  return { key, value: { stringValue: text } }
}
