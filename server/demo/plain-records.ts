import { randomUUID } from 'node:crypto'
import { CONNECTOR } from '../../formats/record/plain-kinds/connector.ts'
import { COST } from '../../formats/record/plain-kinds/cost.ts'
import { EXAMPLE_DATA } from '../../formats/record/plain-kinds/example-data.ts'
import { NOTIFICATION_CHANNEL } from '../../formats/record/plain-kinds/notification-channel.ts'
import type { PlainRecordKind } from '../../formats/record/plain-record-kind.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { putPlainRecord } from '../documents/plain-records/service.ts'
import { newTable } from '../../formats/name/table.ts'

// The plain records of the demo: connectors, costs, example data and notification channels.

/** A plain record of the demo. */
interface DemoRecord {
  kind: PlainRecordKind
  id: string
  /** The team of a notification channel. */
  team?: string
  document: object
}

const MONTHS = 8

/**
 * Euros a month by data product: the name, the category, the amount of the current month, and how much less each month
 * before was.
 */
export const MONTHLY_COSTS = newTable<readonly (readonly [string, string, number, number])[]>({
  'wagon-journeys': [
    ['Warehouse queries', 'Compute', 412.5, 18.25],
    ['Tables and Parquet files', 'Storage', 96.4, 3.1],
  ],
  'train-movements': [['Stream processing', 'Compute', 688, 11.5]],
  'locomotive-energy': [['Meter readings', 'Network', 1240.75, 42]],
})

/** Registers the plain records of the demo. */
export async function addPlainRecords(
  services: Services,
  caller: Caller,
  now: Instant,
): Promise<void> {
  const records = [...listConnectors(now), ...listCosts(now), ...EXAMPLES, ...CHANNELS]
  for (const { kind, id, team = '', document } of records) {
    const body = { text: JSON.stringify(document), mediaType: 'application/json' } as const
    const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
    await putPlainRecord(services, caller, kind, {
      scope: team,
      id,
      body,
      conditions,
      requestId: '',
    })
  }
}

function listConnectors(now: Instant): DemoRecord[] {
  const at = new Date(now).toISOString()
  return [
    {
      id: 'warehouse-access',
      info: {
        type: 'postgres',
        description: 'Grants approved access requests in the operations warehouse.',
        connectorVersion: '1.4.2',
      },
      health: { status: 'OK', startedAt: at, updatedAt: at },
      state: { lastEventId: '0197f3a2-5d1c-7b4e-9a51-0c2f6f1de8a0', lastEventAt: Date.parse(now) },
    },
    {
      id: 'kafka-topics',
      info: {
        type: 'kafka',
        description: 'Registers topics with their schemas.',
        connectorVersion: '0.9.0',
      },
      health: {
        status: 'ERROR',
        startedAt: at,
        updatedAt: at,
        errorMessage: 'Broker kafka-2.velmora.example:9092 has not answered for 14 minutes.',
      },
      state: { offsets: { 'wagon.positions.v1': [184467, 184312, 184523] } },
      custom: { region: 'eu-central-1' },
    },
  ].map((document) => ({ kind: CONNECTOR, id: document.id, document }))
}

function listCosts(now: Instant): DemoRecord[] {
  const today = new Date(now)
  return Object.entries(MONTHLY_COSTS).flatMap(([dataProductId, costs]) =>
    costs.flatMap(([name, category, amount, step]) =>
      Array.from({ length: MONTHS }, (_, ago) => {
        const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 1))
        const document = {
          dataProductId,
          name,
          amount: Number((amount - step * ago).toFixed(2)),
          currency: 'EUR',
          yearMonth: month.toISOString().slice(0, 7),
          category,
          ...(ago === 0 ? { estimated: true } : {}),
        }
        return { kind: COST, id: randomUUID(), document }
      }),
    ),
  )
}

/** The example data of the demo, which fit the contracts of their ports. */
export const EXAMPLES: readonly DemoRecord[] = [
  {
    id: 'wagon-journeys-journeys',
    dataProductId: 'wagon-journeys',
    outputPortId: 'journeys',
    dataContractId: 'wagon-journeys-v2',
    schemaName: 'journey',
    data: [
      {
        journey_id: 900_417,
        wagon_number: '318035471024',
        load_state: 'loaded',
        departed_at: '2026-01-10T22:14:00Z',
        arrived_at: null,
        distance_km: 1042.6,
        consignment_id: 'CN-2026-004417',
        legs: [
          {
            train_number: '51117',
            from_point: 'DE-EDHF',
            to_point: 'CH-BSRB',
            began_at: '2026-01-10T22:14:00Z',
            is_estimated: false,
          },
          {
            train_number: null,
            from_point: 'CH-BSRB',
            to_point: 'CH-BSRB',
            began_at: '2026-01-11T09:31:00Z',
            is_estimated: true,
          },
        ],
      },
      {
        journey_id: 900_418,
        wagon_number: '336849527710',
        load_state: 'empty',
        departed_at: '2026-01-11T05:02:00Z',
        arrived_at: '2026-01-12T04:50:00Z',
        distance_km: 698.2,
        consignment_id: null,
        legs: [
          {
            train_number: '51382',
            from_point: 'CZ-UHR',
            to_point: 'DE-AWLT',
            began_at: '2026-01-11T05:02:00Z',
            is_estimated: false,
          },
        ],
      },
      {
        journey_id: 900_419,
        wagon_number: '318035471107',
        load_state: 'uncleaned',
        departed_at: '2026-01-10T18:40:00Z',
        arrived_at: '2026-01-12T21:15:00Z',
        distance_km: 1391.9,
        consignment_id: null,
        legs: [
          {
            train_number: '51906',
            from_point: 'PL-KRO',
            to_point: 'NL-MVT',
            began_at: '2026-01-10T18:40:00Z',
            is_estimated: false,
          },
        ],
      },
    ],
  },
  {
    id: 'train-movements-delays-daily',
    dataProductId: 'train-movements',
    outputPortId: 'delays-daily',
    dataContractId: 'train-delays-daily',
    schemaName: 'delays_daily',
    data: [
      {
        operating_day: '2026-01-11',
        train_number: '51117',
        operating_point: 'AT-LZ',
        planned_arrival: '2026-01-11T13:20:00Z',
        actual_arrival: '2026-01-11T13:41:00Z',
        planned_departure: '2026-01-11T13:35:00Z',
        actual_departure: '2026-01-11T13:52:00Z',
        delay_minutes: 21,
        reason_code: '47',
        is_interpolated: false,
      },
      {
        operating_day: '2026-01-11',
        train_number: '51382',
        operating_point: 'DE-AWLT',
        planned_arrival: '2026-01-12T04:56:00Z',
        actual_arrival: '2026-01-12T04:50:00Z',
        planned_departure: null,
        actual_departure: null,
        delay_minutes: -6,
        reason_code: null,
        is_interpolated: true,
      },
    ],
  },
].map((document) => ({ kind: EXAMPLE_DATA, id: document.id, document }))

/** The notification channels of the demo. */
export const CHANNELS: readonly DemoRecord[] = [
  {
    id: 'wagon-fleet',
    name: '#wagon-fleet',
    type: 'slack',
    endpoint: 'https://hooks.chat.velmora.example/services/fleet',
    enabled: true,
  },
  {
    id: 'night-shift',
    name: 'Night shift',
    type: 'teams',
    endpoint: 'https://velmora.webhook.office.example/fleet',
    enabled: false,
  },
].map((document) => ({ kind: NOTIFICATION_CHANNEL, id: document.id, team: 'fleet', document }))
