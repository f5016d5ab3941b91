import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseContract } from '../../test/contract-readings.ts'
import { getLateAt, readFreshnessPromise, type FreshnessPromise } from './freshness.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const MODELS = [
  { name: 'orders', physicalName: 'raw.orders', properties: [{ name: 'updated_at' }] },
  { name: 'wagons', properties: [{ name: 'seen_at' }] },
]

function read(members: object, model = 'orders'): FreshnessPromise | undefined {
  const contract = parseContract(
    JSON.stringify({
      kind: 'DataContract',
      apiVersion: 'v3.1.0',
      id: 'orders',
      name: 'Fleet',
      version: '1.0.0',
      status: 'active',
      team: { name: 'fleet' },
      schema: MODELS,
      ...members,
    }),
  )
  const one = contract.models.find(({ name }) => name === model)
  assert.ok(one)
  return readFreshnessPromise(contract, one)
}

function readDcs(servicelevels: object, model = 'orders'): FreshnessPromise | undefined {
  const contract = parseContract(
    JSON.stringify({
      dataContractSpecification: '1.2.1',
      id: 'orders',
      info: { title: 'Fleet', version: '1.0.0', owner: 'fleet' },
      models: { orders: { fields: { updated_at: { type: 'timestamp' } } }, wagons: { fields: {} } },
      servicelevels,
    }),
  )
  const one = contract.models.find(({ name }) => name === model)
  assert.ok(one)
  return readFreshnessPromise(contract, one)
}

const sla = (...slaProperties: object[]): { slaProperties: object[] } => ({ slaProperties })

/** Returns the seconds of a promise, the reason if it cannot be judged, or its schedule. */
function outline(promise: FreshnessPromise | undefined): unknown {
  if (promise === undefined) return undefined
  if ('unreadable' in promise) return promise.unreadable
  const { seconds } = promise
  return 'cron' in promise ? [promise.cron, promise.timeZone, seconds] : seconds
}

const PROMISES: readonly (readonly [name: string, members: object, expected: unknown])[] = [
  ['no level', {}, undefined],
  ['freshness', sla({ property: 'freshness', value: 24, unit: 'h' }), DAY],
  ['any spelling', sla({ property: 'Freshness', value: 'PT90M' }), 1.5 * HOUR],
  ['latency', sla({ property: 'latency', value: 4, unit: 'd' }), 4 * DAY],
  ['frequency is one and a half', sla({ property: 'frequency', value: 'daily' }), 1.5 * DAY],
  ['interval', sla({ property: 'interval', value: 2, unit: 'h' }), 3 * HOUR],
  ['updateFrequency', sla({ property: 'updateFrequency', value: '1d' }), 1.5 * DAY],
  [
    'freshness before latency and frequency',
    sla(
      { property: 'frequency', value: '1h' },
      { property: 'latency', value: '2h' },
      { property: 'freshness', value: '3h' },
    ),
    3 * HOUR,
  ],
  [
    'the strictest',
    sla({ property: 'freshness', value: '3h' }, { property: 'freshness', value: '2h' }),
    2 * HOUR,
  ],
  [
    'a schedule',
    sla({ property: 'frequency', value: null, scheduler: 'cron', schedule: '0 6 * * *' }),
    ['0 6 * * *', 'UTC', 2 * HOUR],
  ],
  [
    'a schedule with its latency',
    sla(
      { property: 'refresh', value: null, schedule: '0 6 * * *' },
      { property: 'latency', value: '30m' },
    ),
    ['0 6 * * *', 'UTC', HOUR / 2],
  ],
  [
    'a time zone',
    sla({ property: 'refresh', value: null, schedule: 'CRON_TZ=Europe/Berlin 0 6 * * 1-5' }),
    ['0 6 * * 1-5', 'Europe/Berlin', 2 * HOUR],
  ],
  [
    'an unknown time zone',
    sla({ property: 'refresh', value: null, schedule: 'TZ=Mars/Base 0 6 * * *' }),
    'Unknown time zone. Use a name from the IANA database, such as Europe/Berlin or UTC.',
  ],
  [
    'a schedule that never fires',
    sla({ property: 'refresh', value: null, schedule: '0 6 30 2 *' }),
    'This schedule never fires: its day does not exist.',
  ],
  [
    'another scheduler',
    sla({ property: 'refresh', value: null, scheduler: 'aws', schedule: 'rate(1 day)' }),
    'The cron expression contains invalid characters.',
  ],
  ['a custom property', { customProperties: [{ property: 'freshness', value: '6h' }] }, 6 * HOUR],
  [
    'a level before a custom property',
    {
      ...sla({ property: 'freshness', value: '9h' }),
      customProperties: [{ property: 'freshness', value: '9h' }],
    },
    9 * HOUR,
  ],
  [
    'an unreadable value',
    sla({ property: 'freshness', value: 'soon' }),
    '"soon" is not a duration. Write it like 24h, P1D, or 24 with the unit h.',
  ],
  [
    'an amount without a unit',
    sla({ property: 'freshness', value: 5 }),
    '"5" is not a duration. Write it like 24h, P1D, or 24 with the unit h.',
  ],
  ['nothing', sla({ property: 'freshness', value: '0h' }), '"0h" is not between 0 and 100 years.'],
  [
    'forever',
    sla({ property: 'freshness', value: 'unlimited' }),
    '"unlimited" is not between 0 and 100 years.',
  ],
  ['retention', sla({ property: 'retention', value: '1y' }), undefined],
  ['availability', sla({ property: 'availability', value: '99 %' }), undefined],
]

for (const [name, members, expected] of PROMISES) {
  test(`readFreshnessPromise › ${name}`, () => {
    assert.deepEqual(outline(read(members)), expected)
  })
}

test('readFreshnessPromise › limits a level to the models of its element', () => {
  const level = (element: string): object => sla({ property: 'freshness', value: '1h', element })
  for (const element of [
    'orders',
    'orders.updated_at',
    'raw.orders',
    'raw.orders.updated_at',
    'updated_at',
    'x, orders',
  ]) {
    assert.equal(outline(read(level(element))), HOUR, element)
    assert.equal(read(level(element), 'wagons'), undefined, element)
  }
  assert.match(String(outline(read(level('trains')))), /^The element "trains" names no model/)
  assert.equal(
    outline(
      read({ ...sla({ property: 'freshness', value: '1h' }), slaDefaultElement: 'wagons.seen_at' }),
    ),
    undefined,
  )
  const custom = { ...MODELS[0], customProperties: [{ property: 'freshness', value: '2h' }] }
  assert.equal(outline(read({ schema: [custom, MODELS[1]] })), 2 * HOUR)
  assert.equal(read({ schema: [custom, MODELS[1]] }, 'wagons'), undefined)
})

test('readFreshnessPromise › reads the levels of DCS', () => {
  assert.equal(
    outline(readDcs({ freshness: { threshold: '25h', timestampField: 'orders.updated_at' } })),
    25 * HOUR,
  )
  assert.equal(
    readDcs({ freshness: { threshold: '25h', timestampField: 'orders.updated_at' } }, 'wagons'),
    undefined,
  )
  assert.equal(outline(readDcs({ latency: { threshold: '3h' } })), 3 * HOUR)
  assert.equal(outline(readDcs({ frequency: { type: 'batch', interval: 'daily' } })), 1.5 * DAY)
  assert.deepEqual(outline(readDcs({ frequency: { cron: '0 0 * * *' } })), [
    '0 0 * * *',
    'UTC',
    2 * HOUR,
  ])
  assert.equal(readDcs({ retention: { period: 'P1Y' } }), undefined)
})

test('getLateAt › follows a schedule through a change of clocks', () => {
  const promise = read(
    sla({ property: 'x', value: null, schedule: 'CRON_TZ=Europe/Berlin 0 6 * * *' }),
  )
  assert.ok(promise)
  const lateAt = (text: string): string =>
    new Date(getLateAt(promise, Date.parse(text)) ?? Number.NaN).toISOString()
  assert.equal(lateAt('2026-03-28T04:59:00Z'), '2026-03-28T07:00:00.000Z')
  // On the 29th the clocks of Berlin go forward: 06:00 is an hour earlier.
  assert.equal(lateAt('2026-03-28T06:30:00Z'), '2026-03-29T06:00:00.000Z')
  assert.equal(lateAt('1970-01-01T00:00:00Z'), '1970-01-01T07:00:00.000Z')
})
