import { schemaName } from '../test/source-schema.ts'
import { odcs } from '../test/world.ts'
import type { Figure, Row } from './figure.ts'
import { memoryPeak, resetMemoryPeak, runOnce, startIngesting } from './ingest-product.ts'
import type { IngestingProduct } from './ingest-product.ts'
import { startPostgresSource, type BenchSource } from './ingest-source.ts'
import { toSpread } from './rounds.ts'
import { putTeam, type ServerKind, type Stage } from './stage.ts'

const CHANGED_TIMES_MAX = 1.4
const UNCHANGED_TIMES_MAX = 1.02
const MEMORY_MB_MAX = 200
const MODELS_COUNT = 100
const SCHEMAS_COUNT = 20
const FIRST_LENGTH = 20
// The length of a varchar is stored with the bytes of its header.
const HEADER_BYTES = 4

/** The seconds of runs of one product, and the peak of its memory above idle in MB. */
interface Runs {
  changed: number[]
  unchanged: number[]
  memoryMb: number
}

/** Runs over linked tables that have all changed, or none: against the same runs without any contract. */
export function realityRuns(tablesCount: number): Figure {
  return {
    name: 'reality-runs',
    title: `Contract against reality: runs over ${tablesCount.toLocaleString('en')} linked tables`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) yield* measureRuns(stage, kind, tablesCount)
    },
  }
}

async function* measureRuns(
  stage: Stage,
  kind: ServerKind,
  tablesCount: number,
): AsyncGenerator<Row> {
  const extent = { tablesCount, schemasCount: SCHEMAS_COUNT, viewsCount: 0 }
  const source = await startPostgresSource(extent)
  const [linked, bare] = [
    await startIngesting(stage, kind, source),
    await startIngesting(stage, kind, source),
  ]
  try {
    await putContracts(linked, source, tablesCount)
    for (const product of [linked, bare]) await runOnce(product)
    const runs = await measureRounds(stage, source, { linked, bare })
    yield* createRows(kind, tablesCount, runs)
  } finally {
    for (const product of [linked, bare]) await product.remove()
    await source.stop()
  }
}

async function measureRounds(
  stage: Stage,
  source: BenchSource,
  products: Readonly<Record<'linked' | 'bare', IngestingProduct>>,
): Promise<Record<'linked' | 'bare', Runs>> {
  const runs = {
    linked: { changed: [], unchanged: [], memoryMb: 0 } as Runs,
    bare: { changed: [], unchanged: [], memoryMb: 0 } as Runs,
  }
  for (let round = 1; round <= stage.effort.rounds; round += 1) {
    await source.discard([toChange(FIRST_LENGTH + round)])
    const order = (['linked', 'bare'] as const).toSorted(() => (round % 2 === 0 ? 1 : -1))
    for (const name of order) {
      const { pid } = products[name].server
      const idleMb = resetMemoryPeak(pid) ?? Number.NaN
      runs[name].changed.push((await runOnce(products[name])).seconds)
      runs[name].memoryMb = Math.max(runs[name].memoryMb, memoryPeak(pid) - idleMb)
    }
    for (const name of order) runs[name].unchanged.push((await runOnce(products[name])).seconds)
  }
  return runs
}

// The tables are rows of the system catalogs, which a superuser may change.
function toChange(length: number): string {
  return `
    update pg_attribute
    set atttypmod = ${length + HEADER_BYTES}
    where attname = 'order_number'
      and attrelid in (select oid from pg_class where relname like 'orders\\_%' and relkind = 'r')`
}

async function putContracts(
  { server, key }: IngestingProduct,
  { configuration }: BenchSource,
  tablesCount: number,
): Promise<void> {
  await putTeam(server, key)
  for (let first = 0; first < tablesCount; first += MODELS_COUNT) {
    const id = `orders-${first}`
    const response = await fetch(`${server.url}/api/datacontracts/${id}`, {
      method: 'PUT',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(createContract(id, first, tablesCount, configuration)),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}

function createContract(
  id: string,
  first: number,
  tablesCount: number,
  { host, port }: Record<string, unknown>,
): object {
  const perSchema = Math.ceil(tablesCount / SCHEMAS_COUNT)
  const numbers = Array.from({ length: MODELS_COUNT }, (_, at) => first + at)
  return odcs(id, {
    team: { name: 'logistics' },
    servers: [
      {
        server: 'production',
        type: 'postgres',
        environment: 'prod',
        host,
        port,
        database: 'postgres',
        schema: 'public',
      },
    ],
    schema: numbers.map((number) => ({
      name: `orders_${number}`,
      physicalName: `${schemaName(Math.floor(number / perSchema))}.orders_${String(number).padStart(6, '0')}`,
      properties: [
        { name: 'id', logicalType: 'integer', physicalType: 'bigint', required: true },
        {
          name: 'order_number',
          logicalType: 'string',
          physicalType: `varchar(${FIRST_LENGTH})`,
          required: true,
        },
        { name: 'amount', logicalType: 'number', physicalType: 'numeric(12,2)' },
        { name: 'placed_on', logicalType: 'date', physicalType: 'date' },
      ],
    })),
  })
}

function* createRows(
  server: ServerKind,
  tablesCount: number,
  { linked, bare }: Record<'linked' | 'bare', Runs>,
): Generator<Row> {
  const tables = `${tablesCount.toLocaleString('en')} linked tables`
  for (const [name, goal] of [
    ['changed', CHANGED_TIMES_MAX],
    ['unchanged', UNCHANGED_TIMES_MAX],
  ] as const) {
    const describe = (runs: Runs): string => `${toSpread(runs[name]).median.toFixed(2)} s`
    yield {
      figure: `reality: run, ${name}`,
      server,
      subject: `${describe(linked)}, ${tables}`,
      limit: `${describe(bare)} without contracts`,
      result: toSpread(linked[name].map((seconds, at) => seconds / (bare[name][at] ?? Number.NaN))),
      unit: 'times',
      goal,
      measured: { linked, bare },
    }
  }
  yield {
    figure: 'reality: run, memory',
    server,
    subject: `peak of the server above idle, ${tables}`,
    limit: `${bare.memoryMb.toFixed(0)} MB without contracts`,
    result: toSpread([linked.memoryMb]),
    unit: 'MB',
    goal: MEMORY_MB_MAX,
    measured: linked.memoryMb,
  }
}
