/**
 * The benchmark: `npm run bench` (every figure on every kind of PostgreSQL server), or
 * `npm run bench -- <figure> …`. `reality` also measures the figures whose names begin with `reality-`.
 *
 * It compares every figure with its limit in the same run and reports the ratio, because a single number
 * depends on the machine. It prints missed goals; only a missed goal of a page sets the exit code to 1.
 * It only writes the table, and temporary files below TMPDIR, which should be on a disk.
 *
 *   --server configured|local   use only one kind of PostgreSQL server
 *   --programs <folder>         PostgreSQL programs of the configured server, for example
 *                               /usr/lib/postgresql/15/bin, which compiles statements (JIT)
 *   --rounds <count>            rounds of each side (default 7)
 *   --seconds <number>          length of a round (default 2)
 *   --tables <count>            tables that the ingestion figures ingest (default 10,000)
 *   --products <count>          data products that search finds (default 10,000)
 *   --contracts <count>         their data contracts, at most one each (default 7,500)
 *   --assets <count>            assets that search finds (default 100,000)
 *   --spans <count>             spans of usage (default 1,000,000)
 *   --promises <count>          promises of contracts that are linked with tables (default 58,000)
 *   --promised-assets <count>   assets with which they are linked (default 1,000,000)
 *   --entries <count>           entries of activity (default 1,000,000)
 *   --json                      print all measurements as JSON instead of the table
 */

import { parseArgs } from 'node:util'
import { agreementExpiry } from './agreement-expiry.ts'
import { agreements } from './agreements.ts'
import { activity } from './activity.ts'
import { catalogRdf } from './catalog-rdf.ts'
import { coldStart } from './cold-start.ts'
import { connections } from './connections.ts'
import { connectors } from './connectors.ts'
import { contractFormats } from './contract-formats.ts'
import { isGoalReached, type Figure, type Row } from './figure.ts'
import { fairness } from './fairness.ts'
import { followers } from './followers.ts'
import { getProduct } from './get-product.ts'
import { hostileContracts } from './hostile-contracts.ts'
import { identity } from './identity.ts'
import { idleMemory } from './idle-memory.ts'
import { cancel } from './ingest-cancel.ts'
import { silentSources } from './ingest-silent.ts'
import { ingestMariadb, ingestPostgres } from './ingest.ts'
import { limitedKey } from './limited-key.ts'
import { lineageEvents } from './lineage-events.ts'
import { monitoring } from './monitoring.ts'
import { pages } from './pages.ts'
import { pooler } from './pooler.ts'
import { putChanged } from './put-changed.ts'
import { putContract } from './put-contract.ts'
import { putUnchanged } from './put-unchanged.ts'
import { describeMachine } from './rounds.ts'
import { realityLinks } from './reality-links.ts'
import { realityRequests } from './reality-requests.ts'
import { realityRuns } from './reality-runs.ts'
import { realityTrust } from './reality-trust.ts'
import { records } from './records.ts'
import { searchWithFacets } from './search.ts'
import { SERVER_KINDS, Stage } from './stage.ts'
import { start } from './start.ts'
import { usage } from './usage.ts'
import { verify } from './verify.ts'
import { warehouses } from './warehouses.ts'
import { webhooks } from './webhooks.ts'

const WARM_UP_ROUNDS = 2
// The source has views over the first hundred tables of the first schema.
const TABLES_MIN = 2000
const MESH_MIN = 100

const { values, positionals } = parseArgs({
  options: {
    assets: { type: 'string', default: '100000' },
    contracts: { type: 'string', default: '7500' },
    entries: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
    products: { type: 'string', default: '10000' },
    programs: { type: 'string' },
    promises: { type: 'string', default: '58000' },
    'promised-assets': { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    server: { type: 'string' },
    spans: { type: 'string', default: '1000000' },
    tables: { type: 'string', default: '10000' },
  },
  allowPositionals: true,
})
const tablesCount = Number(values.tables)
const meshSize = {
  productsCount: Number(values.products),
  contractsCount: Number(values.contracts),
  assetsCount: Number(values.assets),
}
const FIGURES: readonly Figure[] = [
  getProduct,
  limitedKey,
  putUnchanged,
  putChanged,
  putContract,
  followers,
  fairness,
  records,
  catalogRdf,
  contractFormats,
  hostileContracts,
  ingestPostgres(tablesCount),
  ingestMariadb(tablesCount),
  warehouses(tablesCount),
  cancel,
  silentSources,
  searchWithFacets(meshSize),
  lineageEvents,
  agreementExpiry,
  connections,
  connectors,
  coldStart,
  start,
  idleMemory,
  pages,
  agreements,
  pooler,
  usage(Number(values.spans)),
  webhooks,
  activity(Number(values.entries)),
  verify(Number(values.entries)),
  monitoring(Number(values.entries)),
  identity,
  realityTrust,
  realityLinks({
    promisesCount: Number(values.promises),
    assetsCount: Number(values['promised-assets']),
  }),
  realityRequests,
  realityRuns(tablesCount),
]
const isChosen = (figure: Figure, name: string): boolean =>
  figure.name === name || figure.name.startsWith(`${name}-`)
const unknown = positionals.filter((name) => !FIGURES.some((figure) => isChosen(figure, name)))
const servers = SERVER_KINDS.filter((kind) => values.server === undefined || values.server === kind)
const roundMs = Number(values.seconds) * 1000
const rounds = Number(values.rounds)
// The judged queries take samples of every kind.
const isMesh = Object.values(meshSize).every((count) => count >= MESH_MIN)
const isEffort = roundMs > 0 && rounds >= 1 && tablesCount >= TABLES_MIN && isMesh
if (unknown.length > 0 || servers.length === 0 || !isEffort) {
  const names = FIGURES.map(({ name }) => name).join(' | ')
  console.error(`usage: npm run bench -- [${names}] … [--server configured|local]`)
  console.error('       [--programs <folder>] [--rounds <count>] [--seconds <number>]')
  console.error('       [--tables <count>] [--products <count>] [--contracts <count>]')
  console.error(
    '       [--assets <count>] [--spans <count>] [--entries <count>] [--promises <count>]',
  )
  console.error('       [--promised-assets <count>] [--json]')
  process.exit(2)
}

const effort = { rounds, roundMs, warmUpMs: roundMs * WARM_UP_ROUNDS }
const stage = new Stage(effort, servers, values.programs)
let misses: readonly Row[] = []
try {
  misses = await run(
    FIGURES.filter(
      (figure) => positionals.length === 0 || positionals.some((name) => isChosen(figure, name)),
    ),
  )
} finally {
  await stage.close()
}
for (const { figure, server } of misses) console.error(`missed: ${figure} on ${server}`)
// The demo is started by the tests' helpers, which would print an empty test report without this.
process.exit(misses.length > 0 ? 1 : 0)

/** Measures the figures and prints their rows. Returns the rows that miss a required goal. */
async function run(figures: readonly Figure[]): Promise<Row[]> {
  const rows: Row[] = []
  const machine = describeMachine()
  if (!values.json) console.log(`${machine}, ${rounds} rounds of ${roundMs / 1000} s a side`)
  for (const figure of figures) {
    if (!values.json) console.log(`\n${figure.title}`)
    for await (const row of figure.measure(stage)) {
      rows.push(row)
      if (!values.json) console.log(formatRow(row))
    }
  }
  if (values.json) console.log(JSON.stringify({ machine, rounds, roundMs, rows }, null, 2))
  return rows.filter((row) => row.required === true && !isGoalReached(row))
}

function formatRow(row: Row): string {
  const { figure, server, subject, limit, result, unit, goal } = row
  const number = (value: number): string => {
    if (unit === 'ratio' || unit === 'times') return value.toFixed(2)
    if (unit === 'count') return value.toFixed(0)
    return `${value.toFixed(unit === 's' ? 2 : unit === 'µs' ? 1 : 0)} ${unit}`
  }
  const range = `${number(result.least)} to ${number(result.greatest)}`
  const sign = unit === 'ratio' ? '≥' : '≤'
  const verdict =
    goal === undefined
      ? 'reported'
      : `goal ${sign} ${number(goal)}: ${isGoalReached(row) ? 'reached' : 'MISSED'}`
  return [
    `  ${figure.padEnd(45)} ${server.padEnd(10)} ${number(result.median).padStart(7)}`,
    `(${range})`.padEnd(20),
    verdict.padEnd(24),
    `${subject}  |  against ${limit}`,
  ].join('  ')
}
