import { sql } from 'kysely'
import pino from 'pino'
import { lockReality } from '../server/ledger/promises/lock.ts'
import { readConfig } from '../server/platform/config.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import type { Database } from '../server/platform/tables.ts'
import { compareWaiting } from '../server/reality/drift/upkeep-service.ts'
import { fillPromises } from '../server/reality/links/fill-service.ts'
import { relink } from '../server/reality/links/relink-service.ts'
import { settleReality } from '../server/reality/settle-service.ts'
import { settleDueTrust } from '../server/reality/trust/settle-service.ts'
import { newOffload } from '../server/requests/http/offload.ts'
import { openPools, openStore } from '../server/store.ts'
import type { Filled } from '../test/large-store/documents.ts'
import { readProcessorMs } from '../test/check-cost.ts'
import { TASK_THREAD } from '../test/world.ts'
import type { Figure, Row } from './figure.ts'
import { fillReality, type RealitySize } from '../test/large-store/reality.ts'
import { toSpread } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const LINK_SECONDS_MAX = 5
const ALL_SECONDS_MAX = 60
/** The memory of a process may grow by this while it reads all promises. */
const MEMORY_MB_MAX = 200

/** The time of one step. */
interface Seconds {
  wall: number
  /** Of the database and of this process, with its threads. */
  processor: number
}

/** Every promise of a large catalog, linked with its tables, compared and judged. */
export function realityLinks(size: RealitySize): Figure {
  return {
    name: 'reality-links',
    title: `Contract against reality: ${size.promisesCount.toLocaleString('en')} promises, ${size.assetsCount.toLocaleString('en')} assets`,
    async *measure(stage) {
      for (const kind of stage.serverKinds) yield* measureLinks(stage, kind, size)
    },
  }
}

async function* measureLinks(
  stage: Stage,
  kind: ServerKind,
  size: RealitySize,
): AsyncGenerator<Row> {
  const { environment } = await stage.newPlace(kind)
  const log = pino({ level: 'silent' })
  const store = await openStore(readConfig(environment), log, 'command')
  const pools = openPools(store, log, 1)
  try {
    const db = pools.bulkDb
    const filled = await fillReality({ db, connection: store.connection }, size, 'promised')
    yield* measureAll(db, kind, size)
    yield await measureRelinks(db, kind, filled, size)
  } finally {
    await pools.close()
    await store.close()
  }
}

async function* measureAll(
  db: Database,
  server: ServerKind,
  { promisesCount }: RealitySize,
): AsyncGenerator<Row> {
  const services = { db, clock: storeClock, settleReality }
  const offload = newOffload(TASK_THREAD)
  const before = process.memoryUsage().rss
  const steps = {
    read: await measure(db, async () => fillPromises(services)),
    compared: await measure(db, async () => compareWaiting({ db, clock: storeClock, offload })),
    judged: await measure(db, async () => settleDueTrust(db, storeClock)),
  }
  const memoryMb = (process.memoryUsage().rss - before) / 1e6
  const texts = Object.entries(steps).map(([name, { wall }]) => `${name} ${wall.toFixed(1)} s`)
  const sum = (name: keyof Seconds): number =>
    Object.values(steps).reduce((total, seconds) => total + seconds[name], 0)
  const counted = await countResults(db)
  if (counted.linked !== promisesCount) throw new Error(JSON.stringify(counted))
  yield {
    figure: `reality: ${promisesCount.toLocaleString('en')} promises`,
    server,
    subject: `${texts.join(', ')}; ${counted.findings.toLocaleString('en')} findings, processor ${sum('processor').toFixed(1)} s`,
    limit: '–',
    result: toSpread([sum('wall')]),
    unit: 's',
    goal: ALL_SECONDS_MAX,
    measured: steps,
  }
  yield {
    figure: 'reality: memory',
    server,
    subject: 'growth of the process that reads and compares them',
    limit: '–',
    result: toSpread([memoryMb]),
    unit: 'MB',
    goal: MEMORY_MB_MAX,
    measured: memoryMb,
  }
}

async function countResults(db: Database): Promise<{ linked: number; findings: number }> {
  const { rows } = await sql<{ linked: number; findings: number }>`
    select
      (select count(*)::integer from asset_link where compared_at is not null) as linked,
      (select count(*)::integer from drift_finding where resolved_at is null) as findings
  `.execute(db)
  return rows[0] ?? { linked: 0, findings: 0 }
}

class RolledBack extends Error {}

// All links are decided again, from none.
async function measureRelinks(
  db: Database,
  server: ServerKind,
  { organizationId, integrationId }: Filled,
  { promisesCount, assetsCount }: RealitySize,
): Promise<Row> {
  const change = { organizationId, principal: 'system', requestId: '', integrationId }
  let seconds: Seconds = { wall: Number.NaN, processor: Number.NaN }
  const work = async (db: Database): Promise<void> => {
    await lockReality(db, organizationId)
    await sql`delete from asset_link`.execute(db)
    seconds = await measure(db, async () => {
      const linked = await relink(db, storeClock, { ...change, kind: 'address' })
      if (linked.some(({ assetId }) => assetId === null)) throw new Error('a promise has no asset')
    })
    throw new RolledBack()
  }
  await db
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return {
    figure: 'reality: links',
    server,
    subject: `${promisesCount.toLocaleString('en')} promises linked with ${assetsCount.toLocaleString('en')} assets, processor ${seconds.processor.toFixed(1)} s`,
    limit: '–',
    result: toSpread([seconds.wall]),
    unit: 's',
    goal: LINK_SECONDS_MAX,
    measured: seconds,
  }
}

async function measure(db: Database, work: () => Promise<unknown>): Promise<Seconds> {
  const pids = await listBackends(db)
  const databaseMs = sumProcessorMs(pids)
  const own = process.cpuUsage()
  const startedAtMs = performance.now()
  await work()
  const wall = (performance.now() - startedAtMs) / 1000
  const { user, system } = process.cpuUsage(own)
  const processor = (sumProcessorMs(pids) - databaseMs + (user + system) / 1000) / 1000
  return { wall, processor }
}

async function listBackends(db: Database): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid
    from pg_stat_activity
    where datname = current_database()
      and backend_type = 'client backend'
  `.execute(db)
  return rows.map(({ pid }) => pid)
}

function sumProcessorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + readProcessorMs(pid), 0)
}
