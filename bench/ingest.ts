import type { SourceExtent } from '../test/source-schema.ts'
import type { Figure, Row } from './figure.ts'
import { prepareFloor, type Floor } from './ingest-floor.ts'
import { memoryPeak, resetMemoryPeak, runOnce, startIngesting } from './ingest-product.ts'
import { measureReaders } from './ingest-readers.ts'
import { startMariadbSource, startPostgresSource, type BenchSource } from './ingest-source.ts'
import { readListened, type Reading } from './ingest-statements.ts'
import { toSpread } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const TIMES_THE_FLOOR_MAX = 3
const TIMES_THE_FIRST_MAX = 0.35
const TIMES_THE_CONFIGURED_MAX = 1.05
const MEMORY_MB_MAX = 200
const STATEMENTS_MAX = 12

/** The source of a figure. */
interface Source {
  name: string
  title: string
  extent: Omit<SourceExtent, 'tablesCount'>
  start(extent: SourceExtent): Promise<BenchSource>
}

/** Ingestion from PostgreSQL. */
export const ingestPostgres = (tablesCount: number): Figure =>
  createIngestFigure(tablesCount, {
    name: 'ingest-postgres',
    title: 'PostgreSQL',
    extent: { schemasCount: 20, viewsCount: 100 },
    start: startPostgresSource,
  })

/** Ingestion from MariaDB, with separate queries for each database. */
export const ingestMariadb = (tablesCount: number): Figure =>
  createIngestFigure(tablesCount, {
    name: 'ingest-mariadb',
    title: 'MariaDB',
    extent: { schemasCount: 2, viewsCount: 100 },
    start: startMariadbSource,
  })

function createIngestFigure(tablesCount: number, { name, title, extent, start }: Source): Figure {
  return {
    name,
    title: `Ingestion of ${tablesCount.toLocaleString('en')} tables from ${title}, against its statements and a COPY`,
    async *measure(stage) {
      await stage.clear()
      const source = await start({ ...extent, tablesCount })
      try {
        const reading = await readListened(source)
        yield statementsRow(name, reading)
        const rounds = await measureRounds(stage, source, reading.statements)
        for (const kind of stage.serverKinds) {
          yield* createRows(name, kind, rounds[kind], reading.assetsCount)
        }
        if (stage.isOnBothKinds) yield* compareServers(name, rounds)
        for (const kind of stage.serverKinds) {
          yield await measureReaders(stage, `${name}, GET during publishing`, kind, source)
        }
      } finally {
        await source.stop()
      }
    },
  }
}

/** The result of one round. */
interface Round {
  firstSeconds: number
  againSeconds: number
  floorSeconds: number
  readSeconds: number
  copySeconds: number
  /** Undefined outside Linux. */
  memoryMb: number | undefined
  /** The number of events and versions written by the unchanged run. */
  writtenCount: number
}

type Rounds = Readonly<Record<ServerKind, Round[]>>

// The kinds alternate (A B, B A, A B …), so that a change of the machine's speed affects both.
async function measureRounds(
  stage: Stage,
  source: BenchSource,
  statements: readonly string[],
): Promise<Rounds> {
  const rounds: Rounds = { configured: [], local: [] }
  const floors = new Map<ServerKind, Floor>()
  try {
    for (const kind of stage.serverKinds) {
      const floor = await prepareFloor(stage, kind, source, statements)
      floors.set(kind, floor)
      await floor.measure()
    }
    for (let round = 0; round < stage.effort.rounds; round += 1) {
      const inOrder = [...floors]
      for (const [kind, floor] of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
        rounds[kind].push(await measureRound(stage, kind, source, floor))
      }
    }
  } finally {
    // An open connection to a stopped server would hide the original error.
    for (const floor of floors.values()) await floor.close()
  }
  return rounds
}

async function measureRound(
  stage: Stage,
  kind: ServerKind,
  source: BenchSource,
  floor: Floor,
): Promise<Round> {
  const { readSeconds, copySeconds } = await floor.measure()
  const product = await startIngesting(stage, kind, source)
  await product.untilIdle()
  const idleMb = resetMemoryPeak(product.server.pid)
  const first = await runOnce(product)
  const memoryMb = idleMb === undefined ? undefined : memoryPeak(product.server.pid) - idleMb
  const again = await runOnce(product)
  const { events, versions } = await product.count()
  await product.remove()
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

function* createRows(
  figure: string,
  server: ServerKind,
  rounds: readonly Round[],
  assetsCount: number,
): Generator<Row> {
  const of = (name: keyof Round): string =>
    `${toSpread(rounds.map((round) => round[name] ?? Number.NaN)).median.toFixed(2)} s`
  const perSecond = assetsCount / toSpread(rounds.map(({ firstSeconds }) => firstSeconds)).median
  const all = { server, measured: rounds }
  yield {
    ...all,
    figure: `${figure}, first run`,
    subject: `${of('firstSeconds')}, ${Math.round(perSecond).toLocaleString('en')} assets/s`,
    limit: `${of('floorSeconds')}: read ${of('readSeconds')}, COPY ${of('copySeconds')}`,
    result: toSpread(rounds.map((round) => round.firstSeconds / round.floorSeconds)),
    unit: 'times',
    goal: TIMES_THE_FLOOR_MAX,
  }
  yield {
    ...all,
    figure: `${figure}, unchanged`,
    subject: of('againSeconds'),
    limit: `first run ${of('firstSeconds')}`,
    result: toSpread(rounds.map((round) => round.againSeconds / round.firstSeconds)),
    unit: 'times',
    goal: TIMES_THE_FIRST_MAX,
  }
  yield {
    ...all,
    figure: `${figure}, rewritten`,
    subject: 'events and versions that the unchanged run wrote',
    limit: '–',
    result: toSpread(rounds.map(({ writtenCount }) => writtenCount)),
    unit: 'count',
    goal: 0,
  }
  yield {
    ...all,
    figure: `${figure}, memory`,
    subject: 'peak of the server above idle, first run',
    limit: '–',
    result: toSpread(rounds.map(({ memoryMb }) => memoryMb ?? Number.NaN)),
    unit: 'MB',
    goal: MEMORY_MB_MAX,
  }
}

function* compareServers(figure: string, { configured, local }: Rounds): Generator<Row> {
  for (const [name, field] of [
    ['first run', 'firstSeconds'],
    ['unchanged', 'againSeconds'],
  ] as const) {
    const describe = (rounds: readonly Round[]): string =>
      `${toSpread(rounds.map((round) => round[field])).median.toFixed(2)} s`
    yield {
      figure: `${figure}, ${name}, local/configured`,
      server: 'local',
      subject: describe(local),
      limit: `${describe(configured)} on the configured server`,
      result: toSpread(
        local.map((round, at) => round[field] / (configured[at]?.[field] ?? Number.NaN)),
      ),
      unit: 'times',
      goal: TIMES_THE_CONFIGURED_MAX,
      measured: { local, configured },
    }
  }
}

function statementsRow(figure: string, { statements, seconds, assetsCount }: Reading): Row {
  return {
    figure: `${figure}, statements`,
    server: 'none',
    subject: `Without the product, the connector read ${assetsCount.toLocaleString('en')} assets in ${seconds.toFixed(2)} s`,
    limit: '–',
    result: toSpread([statements.length]),
    unit: 'count',
    goal: STATEMENTS_MAX,
    measured: statements,
  }
}
