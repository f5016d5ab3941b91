import type { Services } from '../requests/http/endpoint.ts'
import { publishResult } from '../reports/test-results/service.ts'
import type { PastEvent } from './estate.ts'
import { newOwnerCaller, setBack } from './register.ts'

// The test results of the example mesh: nightly tests of some contracts, as the Data Contract CLI publishes them.

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS

type Checks = readonly Readonly<Record<string, unknown>>[]

/** A nightly test of a contract. */
interface NightlyTest {
  contractId: string
  version: string
  /** A server of the contract. */
  server: string
  /** The model of the contract with its number of rows. */
  model: string
  rowCount: number
  /** Further checks of its own, as they pass. */
  rules?: Checks
  /** The nights before today on which it ran, with the checks that did not pass. */
  nights: readonly { ago: number; problems: Checks }[]
}

const IN_ORDER = {
  name: 'arrives-after-it-departs',
  type: 'model_quality_sql',
  category: 'quality',
  dimension: 'consistency',
  result: 'passed',
  diagnostics: { value: 0 },
}
const LATE = {
  ...IN_ORDER,
  result: 'failed',
  diagnostics: { value: 12 },
  reason: '12 journeys arrive before they depart. All of them began at Maschen on the same day.',
  failedNumber: 12,
}
const STALE = {
  name: 'Latest reading is at most 2 hours old',
  type: 'servicelevel_freshness',
  category: 'servicelevel',
  dimension: 'timeliness',
  result: 'warning',
  field: 'measured_at',
  reason: 'The latest reading is 2 hours and 22 minutes old.',
}
const UNREACHABLE = {
  name: 'Connect to the server',
  type: 'connection',
  category: 'general',
  result: 'error',
  reason: 'The warehouse did not answer within 30 seconds.',
}

/** The nightly tests of the demo. */
export const TESTS: readonly NightlyTest[] = [
  {
    contractId: 'wagon-journeys-v2',
    version: '2.0.0',
    server: 'warehouse',
    model: 'journey',
    rowCount: 48_211,
    rules: [IN_ORDER],
    nights: [
      ...listGoodNights(15, 4),
      { ago: 3, problems: [UNREACHABLE] },
      { ago: 2, problems: [] },
      { ago: 1, problems: [LATE] },
    ],
  },
  {
    contractId: 'wagon-sensor-readings',
    version: '1.3.0',
    server: 'production',
    model: 'sensor_reading',
    rowCount: 912_004,
    nights: [{ ago: 1, problems: [STALE] }],
  },
  {
    contractId: 'consignments-v2',
    version: '2.0.0',
    server: 'warehouse',
    model: 'consignment',
    rowCount: 30_512,
    nights: [
      { ago: 2, problems: [] },
      { ago: 1, problems: [] },
    ],
  },
]

// The nights from the oldest to the newest one on which every check passed.
function listGoodNights(oldest: number, newest: number): NightlyTest['nights'] {
  return Array.from({ length: oldest - newest + 1 }, (_, at) => ({
    ago: oldest - at,
    problems: [],
  }))
}

/** Lists the tests of the demo with their ages. */
export function listTests(
  services: Services,
  organizationId: string,
  principal: string,
  now: string,
): PastEvent[] {
  const caller = newOwnerCaller(organizationId, principal)
  return TESTS.flatMap((test, at) =>
    test.nights.map(({ ago, problems }): PastEvent => {
      // One after the other, so that their order is certain.
      const ageMs = (ago * 24 - 20) * HOUR_MS - at * MINUTE_MS
      return {
        ageMs,
        async replay(age) {
          const dated = { ...services, clock: setBack(services.clock, age) }
          const result = buildResult(test, ago, problems, Date.parse(now) - ageMs)
          await publishResult(dated, caller, JSON.stringify(result), { requestId: '' })
        },
      }
    }),
  )
}

function buildResult(
  { contractId, version, server, model, rowCount, rules = [] }: NightlyTest,
  ago: number,
  problems: Checks,
  endMs: number,
): object {
  const id = `${contractId}-${ago}`
  const [worst] = problems
  // A program that cannot read the data runs no other check.
  const rows = rowCount - ago * ROWS_OF_A_DAY
  const names = new Set(problems.map(({ name }) => name))
  const passed = rules.filter(({ name }) => !names.has(name))
  const others = worst?.result === 'error' ? [] : [...listPassed(model, rows), ...passed]
  const checks = [...others, ...problems].map((check) => ({
    engine: 'soda',
    model,
    totalNumber: rows,
    ...check,
  }))
  const startedAt = new Date(endMs - 41_000).toISOString()
  return {
    id,
    runId: id,
    datacontractCliVersion: '1.2.8',
    dataContractId: contractId,
    dataContractVersion: version,
    server,
    timestampStart: startedAt,
    timestampEnd: new Date(endMs).toISOString(),
    result: worst?.result ?? 'passed',
    checks,
    logs: [
      { level: 'INFO', message: `Testing ${contractId} on ${server}`, timestamp: startedAt },
      { level: 'INFO', message: `Connected to ${server}`, timestamp: startedAt },
    ],
  }
}

const ROWS_OF_A_DAY = 190

function listPassed(model: string, rows: number): Checks {
  return [
    { name: 'Check that all fields are present', type: 'field_is_present', category: 'schema' },
    { name: 'Check the types of all fields', type: 'field_type', category: 'schema' },
    {
      name: `${model} has rows`,
      type: 'row_count',
      category: 'quality',
      dimension: 'completeness',
      diagnostics: { value: rows },
    },
  ].map((check) => ({ ...check, result: 'passed' }))
}
