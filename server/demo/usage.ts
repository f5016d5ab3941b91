import { hash } from 'node:crypto'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { receiveTraces } from '../reports/usage/service.ts'
import { AGREEMENTS } from './access.ts'
import { toAddress } from './people.ts'

// The usage of some data products of the demo, as a warehouse would report it.

/** A consumer of an output port, whose use grows or shrinks. */
interface DemoConsumer {
  /** The access agreement under which it reads; undefined = its warehouse reports none. */
  agreement?: string
  /** The period of access. */
  period?: { fromDaysAgo: number; toDaysAgo: number }
  product: string
  port: string
  user?: string | undefined
  role: string
  /** Queries in the current month. */
  queries: number
  /** The part of them a month earlier: 0.9 = its use grows. */
  before: number
  /** The number of months in which it used the port. */
  months: number
  rows: number
}

/** Consumers with access, by their agreement: people, teams and data products. They read in its period. */
const WITH_ACCESS: readonly DemoConsumer[] = [
  reader('journeys-for-customer-logistics', 'noemi.castellani', [58, 4200]),
  reader('journeys-for-customer-logistics', 'dragan.ilic', [17, 800]),
  reader('journeys-for-dispatch', 'pavel.hruska', [40, 310]),
  reader('journeys-for-dispatch-renewed', 'pavel.hruska', [36, 310]),
  reader('journeys-for-arrival-forecast', undefined, [62, 61_000]),
  reader('yard-dwell-for-terminal-occupancy', undefined, [31, 125_000]),
  reader('running-events-for-wagon-journeys', undefined, [90, 18_000]),
  reader('running-events-for-driver-hours', undefined, [30, 9000]),
  reader('delays-for-punctuality', undefined, [25, 24_000]),
  reader('consignments-for-wagon-journeys', undefined, [88, 30_000]),
  reader('customers-for-freight-invoices', undefined, [29, 5200]),
  reader('moves-for-safety', 'piroska.nemeth', [11, 640]),
]

/** Consumers without an agreement: members of the owning team, and a role that no agreement names. */
const WITHOUT_ACCESS: readonly DemoConsumer[] = [
  without('wagon-journeys', 'journeys', 'jana.petrikova', 'fleet-engineer', [36, 0.93, 13, 90]),
  without('wagon-journeys', 'journeys', 'lucien.artois', 'fleet-engineer', [24, 0.88, 11, 1200]),
  without('wagon-journeys', 'journeys', undefined, 'empty-running-model', [14, 0.6, 4, 900]),
  without('train-movements', 'delays-daily', 'sanne.verhoek', 'control-room', [24, 0.9, 8, 24]),
  without('train-movements', 'running-events', 'marek.dolezel', 'control-room', [41, 0.97, 13, 80]),
]

/** The consumers whose usage the demo reports. */
export const CONSUMERS: readonly DemoConsumer[] = [...WITH_ACCESS, ...WITHOUT_ACCESS]

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
  agreement: string,
  user: string | undefined,
  [queries, rows]: readonly [number, number],
): DemoConsumer {
  const terms = AGREEMENTS.find(({ id }) => id === agreement)
  if (terms === undefined) throw new Error(`the demo has no access agreement ${agreement}`)
  const { product, port, role = '', from, to, approved } = terms
  const fromDaysAgo = from === undefined ? approved?.daysAgo : -from
  const period = { fromDaysAgo: fromDaysAgo ?? 0, toDaysAgo: to === undefined ? 0 : -to }
  return { product, port, user, role, queries, before: 1, months: 3, rows, agreement, period }
}

function without(
  product: string,
  port: string,
  user: string | undefined,
  role: string,
  [queries, before, months, rows]: readonly [number, number, number, number],
): DemoConsumer {
  return { product, port, user, role, queries, before, months, rows }
}

// The queries of a month are at equal distances.
function listStarts({ queries, before, months, period }: DemoConsumer, nowMs: number): number[] {
  const { fromDaysAgo, toDaysAgo } = period ?? { fromDaysAgo: Infinity, toDaysAgo: 0 }
  return Array.from({ length: months }, (_, age) => {
    const now = new Date(nowMs)
    const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age)
    const endMs = Math.min(nowMs, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age + 1))
    const share = (endMs - monthMs) / (30 * DAY_MS)
    const count = Math.ceil(queries * before ** age * Math.min(1, share))
    return Array.from({ length: count }, (_none, at) =>
      Math.floor(monthMs + ((at + 0.5) / count) * (endMs - monthMs)),
    )
  })
    .flat()
    .filter((startMs) => {
      const daysAgo = (nowMs - startMs) / DAY_MS
      return daysAgo < fromDaysAgo && daysAgo > toDaysAgo
    })
}

function toSpan(consumer: DemoConsumer, startMs: number): object {
  const { agreement, product, port, user, role, rows } = consumer
  const id = hash('sha256', JSON.stringify([product, port, user, role, startMs]))
  return {
    traceId: id.slice(0, 32),
    spanId: id.slice(32, 48),
    name: 'query',
    kind: 'SPAN_KIND_SERVER',
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 800}000000`,
    attributes: [
      ...(user === undefined ? [] : [toAttribute('user', toAddress(user))]),
      ...(agreement === undefined ? [] : [toAttribute('access.id', agreement)]),
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
