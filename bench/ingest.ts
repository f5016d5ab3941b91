import type { SourceExtent } from '../test/source-schema.ts'
import type { Figure, Row } from './figure.ts'
import { prepareFloor, type Floor } from './ingest-floor.ts'
import {
  memoryPeak,
  resetMemoryPeak,
  secondsOf,
  startIngesting,
  type IngestingProduct,
} from './ingest-product.ts'
import { durationsOf, startReaders, type Latency } from './ingest-readers.ts'
import { startMariadbSource, startPostgresSource, type BenchSource } from './ingest-source.ts'
import { readListened, type Reading } from './ingest-statements.ts'
import { spreadOf, tailOf } from './rounds.ts'
import type { Stage, StoreKind } from './stage.ts'

const TIMES_THE_FLOOR_MAX = 3
const TIMES_THE_FIRST_MAX = 0.5
const MEMORY_MB_MAX = 200
const STATEMENTS_MAX = 12
// Each round sets a store up; more than these tell nothing new.
const ROUNDS_MAX = 3

/** Where the tables of a figure are. */
interface Source {
  name: string
  title: string
  extent: Omit<SourceExtent, 'tablesCount'>
  start(extent: SourceExtent): Promise<BenchSource>
}

/** Runs over PostgreSQL. */
export const ingestPostgres = (tablesCount: number): Figure =>
  ingestOf(tablesCount, {
    name: 'ingest-postgres',
    title: 'PostgreSQL',
    extent: { schemasCount: 20, viewsCount: 100 },
    start: startPostgresSource,
  })

/** Runs over MariaDB, which is asked for each database alone. */
export const ingestMariadb = (tablesCount: number): Figure =>
  ingestOf(tablesCount, {
    name: 'ingest-mariadb',
    title: 'MariaDB',
    extent: { schemasCount: 2, viewsCount: 100 },
    start: startMariadbSource,
  })

function ingestOf(tablesCount: number, { name, title, extent, start }: Source): Figure {
  return {
    name,
    title: `Ingestion of ${tablesCount.toLocaleString('en')} tables from ${title}, against its statements and a COPY`,
    async *measure(stage) {
      for (const store of stage.storeKinds) await stage.clear(store)
      const source = await start({ ...extent, tablesCount })
      try {
        const reading = await readListened(source)
        yield statementsRow(name, reading)
        for (const store of stage.storeKinds) {
          yield* measureRuns(stage, { figure: name, store }, source, reading)
          yield await measureReaders(stage, { figure: name, store }, source)
        }
      } finally {
        await source.stop()
      }
    },
  }
}

/** The figure and the store that a row is about. */
type About = Pick<Row, 'figure'> & { store: StoreKind }

/** What one round came to. */
interface Round {
  firstSeconds: number
  againSeconds: number
  floorSeconds: number
  readSeconds: number
  copySeconds: number
  /** Undefined outside of Linux. */
  memoryMb: number | undefined
  /** Events and versions that the unchanged run wrote. */
  writtenCount: number
}

async function* measureRuns(
  stage: Stage,
  about: About,
  source: BenchSource,
  reading: Reading,
): AsyncGenerator<Row> {
  const floor = await prepareFloor(stage, about.store, source, reading.statements)
  const rounds: Round[] = []
  await floor.measure()
  while (rounds.length < Math.min(stage.effort.rounds, ROUNDS_MAX)) {
    rounds.push(await measureRound(stage, about.store, source, floor))
  }
  await floor.close()
  yield* rowsOf(about, rounds, reading.assetsCount)
}

async function measureRound(
  stage: Stage,
  store: StoreKind,
  source: BenchSource,
  floor: Floor,
): Promise<Round> {
  const { readSeconds, copySeconds } = await floor.measure()
  const product = await startIngesting(stage, store, source)
  await product.untilIdle()
  const idleMb = resetMemoryPeak(product.server.pid)
  const first = await runOf(product)
  const memoryMb = idleMb === undefined ? undefined : memoryPeak(product.server.pid) - idleMb
  const again = await runOf(product)
  await product.stop()
  const { events, versions } = await product.count()
  return {
    firstSeconds: first.seconds,
    againSeconds: again.seconds,
    floorSeconds: readSeconds + copySeconds,
    readSeconds,
    copySeconds,
    memoryMb,
    writtenCount: events + versions - 2 * first.createdCount,
  }
}

async function runOf(
  product: IngestingProduct,
): Promise<{ seconds: number; createdCount: number }> {
  const run = await product.untilEnd(await product.trigger())
  await product.untilIdle()
  if (run.status !== 'SUCCESS') throw new Error(`a run ended ${run.status}: ${run.message}`)
  return { seconds: secondsOf(run), createdCount: run.assetsCreated }
}

function* rowsOf(about: About, rounds: readonly Round[], assetsCount: number): Generator<Row> {
  const { figure, store } = about
  const of = (name: keyof Round): string =>
    `${spreadOf(rounds.map((round) => round[name] ?? Number.NaN)).median.toFixed(2)} s`
  const perSecond = assetsCount / spreadOf(rounds.map(({ firstSeconds }) => firstSeconds)).median
  const isPostgres = store === 'postgres'
  const all = { ...about, measured: rounds }
  yield {
    ...all,
    figure: `${figure}, first run`,
    subject: `${of('firstSeconds')}, ${Math.round(perSecond).toLocaleString('en')} assets/s`,
    limit: `${of('floorSeconds')}: read ${of('readSeconds')}, COPY ${of('copySeconds')}`,
    result: spreadOf(rounds.map((round) => round.firstSeconds / round.floorSeconds)),
    unit: 'times',
    goal: isPostgres ? TIMES_THE_FLOOR_MAX : undefined,
  }
  yield {
    ...all,
    figure: `${figure}, unchanged`,
    subject: of('againSeconds'),
    limit: `first run ${of('firstSeconds')}`,
    result: spreadOf(rounds.map((round) => round.againSeconds / round.firstSeconds)),
    unit: 'times',
    goal: TIMES_THE_FIRST_MAX,
  }
  yield {
    ...all,
    figure: `${figure}, rewritten`,
    subject: 'events and versions that the unchanged run wrote',
    limit: '–',
    result: spreadOf(rounds.map(({ writtenCount }) => writtenCount)),
    unit: 'count',
    goal: 0,
  }
  yield {
    ...all,
    figure: `${figure}, memory`,
    subject: 'peak of the server above idle, first run',
    limit: '–',
    result: spreadOf(rounds.map(({ memoryMb }) => memoryMb ?? Number.NaN)),
    unit: 'MB',
    goal: isPostgres ? MEMORY_MB_MAX : undefined,
  }
}

function statementsRow(figure: string, { statements, seconds, assetsCount }: Reading): Row {
  return {
    figure: `${figure}, statements`,
    store: 'none',
    subject: `the connector alone read ${assetsCount.toLocaleString('en')} assets in ${seconds.toFixed(2)} s`,
    limit: '–',
    result: spreadOf([statements.length]),
    unit: 'count',
    goal: STATEMENTS_MAX,
    measured: statements,
  }
}

/** A first run that publishes while assets are read. */
async function measureReaders(
  stage: Stage,
  { figure, store }: About,
  source: BenchSource,
): Promise<Row> {
  const product = await startIngesting(stage, store, source)
  const readers = await startReaders(product)
  const startedAtMs = performance.now()
  let publishingAtMs = Number.NaN
  const run = await product.untilEnd(await product.trigger(), ({ phase, status }) => {
    // The last look before, because on the embedded store nobody looks while a run publishes.
    if (phase === 'waiting' || phase === 'listing' || Number.isNaN(publishingAtMs)) {
      publishingAtMs = performance.now()
    }
    if (status === 'FAILED') throw new Error('the run failed')
  })
  const endedAtMs = startedAtMs + secondsOf(run) * 1000
  const latencies = await readers.stop()
  await product.stop()
  const overlaps = ({ sentAtMs, answeredAtMs }: Latency): boolean =>
    sentAtMs <= endedAtMs && answeredAtMs >= publishingAtMs
  const meanwhile = latencies.filter(overlaps)
  const before = latencies.filter(({ answeredAtMs }) => answeredAtMs < publishingAtMs)
  const usual = tailOf(durationsOf(before))
  return {
    figure: `${figure}, GET meanwhile`,
    store,
    subject: `p99 of ${meanwhile.length} requests within ${((endedAtMs - publishingAtMs) / 1000).toFixed(1)} s of publishing (p50, longest)`,
    limit: `while it lists: p50 ${usual.least.toFixed(1)} ms, p99 ${usual.median.toFixed(1)} ms`,
    result: tailOf(durationsOf(meanwhile)),
    unit: 'ms',
    goal: undefined,
    measured: { run, latencies: meanwhile },
  }
}
