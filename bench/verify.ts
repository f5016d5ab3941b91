import pino from 'pino'
import { readConfig } from '../server/platform/config.ts'
import { openPools, openStore, type Store } from '../server/store.ts'
import type { Database } from '../server/platform/tables.ts'
import type { RunQuery } from '../server/transfer/cursor.ts'
import { CHECKS, withSnapshot } from '../server/transfer/verify.ts'
import { ACTIVITY_CHECK } from '../server/transfer/verify/activity.ts'
import type { Check } from '../server/transfer/verify/check.ts'
import { readProcessorMs } from '../test/check-cost.ts'
import { createFilled, fillLargeStore } from '../test/large-store/fill.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const NAME = 'verify'
const SIZES = [10_000, 100_000, 1_000_000]
const GROWTH_MAX = 1.3
const SCAN_TIMES_MAX = 3
const ACTIVITY_SECONDS_MAX = 60
const ALL_SECONDS_MAX = 360
/** Below this, a check is mostly the start of its statements. */
const SECONDS_MIN = 0.1

/** The time of one check or scan. */
interface Seconds {
  wall: number
  /** Of the database and of this process. */
  processor: number
}

/** The times of all checks in a store of one size. */
interface SizeTimes {
  size: number
  checks: ReadonlyMap<Check, Seconds>
  /** One scan that hashes the entries of the activity. */
  scan: Seconds
  memoryMB: number
}

/** The checks of `verify` in stores that grow: in each, a tenth of the rows are documents. */
export function verify(rowsMax: number): Figure {
  return {
    name: NAME,
    title: `verify: processor seconds of each check for a million rows, in stores of up to ${rowsMax.toLocaleString('en')} entries and assets and a tenth of documents`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) {
        const times: SizeTimes[] = []
        for (const size of SIZES.filter((one) => one <= rowsMax)) {
          times.push(await measureSize(stage, kind, size))
        }
        yield* toRows(kind, times)
      }
    },
  }
}

async function measureSize(stage: Stage, kind: ServerKind, size: number): Promise<SizeTimes> {
  const { environment } = await stage.newPlace(kind)
  const log = pino({ level: 'silent' })
  const store: Store = await openStore(readConfig(environment), log, 'command')
  const pools = openPools(store, log, 1)
  try {
    const filled = await createFilled(store)
    const others = size / 10
    const rows = { documents: others, assets: size, entries: size, others }
    await fillLargeStore({ db: pools.bulkDb, connection: store.connection }, filled, rows)
    return { size, ...(await measureChecks(pools.bulkDb)) }
  } finally {
    await pools.close()
    await store.close()
  }
}

async function measureChecks(db: Database): Promise<Omit<SizeTimes, 'size'>> {
  return await withSnapshot(db, async (run, snapshot) => {
    const checks = new Map<Check, Seconds>()
    for (const check of CHECKS) {
      const seconds = await measure(run, async () => {
        for await (const { text } of check.findings(run, snapshot)) throw new Error(text)
      })
      checks.set(check, seconds)
    }
    const memoryMB = process.memoryUsage().rss / 1e6
    const scan = await measure(run, () =>
      run('select count(hash_activity_entry(entry)) from activity_entry as entry'),
    )
    return { checks, scan, memoryMB }
  })
}

async function measure(run: RunQuery, work: () => Promise<unknown>): Promise<Seconds> {
  const [backend] = await run<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = backend?.pid ?? 0
  const [startedAtMs, databaseMs, own] = [
    performance.now(),
    readProcessorMs(pid),
    process.cpuUsage(),
  ]
  await work()
  const { user, system } = process.cpuUsage(own)
  return {
    wall: (performance.now() - startedAtMs) / 1000,
    processor: (readProcessorMs(pid) - databaseMs) / 1000 + (user + system) / 1e6,
  }
}

function* toRows(server: ServerKind, times: readonly SizeTimes[]): Generator<Row> {
  for (const check of CHECKS) yield toGrowthRow(server, check, times)
  const last = times.at(-1)
  if (last === undefined) return
  const { size, checks, scan } = last
  const activity = checks.get(ACTIVITY_CHECK) ?? { wall: 0, processor: 0 }
  const isLargest = size === SIZES.at(-1)
  const shared = { server, measured: { size, memoryMB: last.memoryMB } }
  yield {
    ...shared,
    figure: `${NAME}, the activity against one scan`,
    subject: `${activity.processor.toFixed(2)} s`,
    limit: `${scan.processor.toFixed(2)} s: one scan that hashes the entries`,
    result: toSpread([activity.processor / scan.processor]),
    unit: 'times',
    goal: SCAN_TIMES_MAX,
  }
  yield {
    ...shared,
    figure: `${NAME}, the activity`,
    subject: `${size.toLocaleString('en')} entries`,
    limit: '–',
    result: toSpread([activity.wall]),
    unit: 's',
    goal: isLargest ? ACTIVITY_SECONDS_MAX : undefined,
  }
  const all = [...checks.values()]
  const sum = (name: keyof Seconds): number => all.reduce((total, one) => total + one[name], 0)
  yield {
    ...shared,
    figure: `${NAME}, everything`,
    subject: `${sum('processor').toFixed(1)} processor seconds, ${last.memoryMB.toFixed(0)} MB in this process`,
    limit: '–',
    result: toSpread([sum('wall')]),
    unit: 's',
    goal: isLargest ? ALL_SECONDS_MAX : undefined,
  }
}

/** Compares the cost of a row in the largest store with that in the one before. */
function toGrowthRow(server: ServerKind, check: Check, times: readonly SizeTimes[]): Row {
  const perMillion = times.map(({ size, checks }) => {
    const seconds = checks.get(check)?.processor ?? 0
    return { size, seconds, rate: (seconds / size) * 1e6 }
  })
  const [before, last] = [perMillion.at(-2), perMillion.at(-1)]
  const isMeasured = before !== undefined && before.seconds >= SECONDS_MIN
  return {
    figure: `${NAME}, ${check.rules[0]?.name ?? ''}`.slice(0, 60),
    server,
    subject: perMillion
      .map(({ size, rate }) => `${rate.toFixed(2)} s at ${size.toLocaleString('en')}`)
      .join(', '),
    limit: 'the size before',
    result: toSpread([isMeasured ? (last?.rate ?? 0) / before.rate : 1]),
    unit: 'times',
    goal: isMeasured ? GROWTH_MAX : undefined,
    measured: perMillion,
  }
}
