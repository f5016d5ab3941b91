import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '../server/people/api-keys/service.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { openDatabase } from '../server/platform/kit/database.ts'
import { createOrganization } from '../server/people/organizations/service.ts'
import type { Tables } from '../server/platform/tables.ts'
import type { LoopFigures } from '../test/loop-meter.ts'
import { type DatabasePlace, openPlace } from './database-place.ts'
import type { Row } from './figure.ts'
import type { Attack } from './hostile-attack.ts'
import { toSpread } from './rounds.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { createBootstrapEnvironment, type Stage } from './stage.ts'

const METER = new URL('../test/loop-meter.ts', import.meta.url).href
const ATTACK = new URL('./hostile-attack.ts', import.meta.url)
const HONEST_PAUSE_MS = 20
const WARM_UP_COUNT = 200
const QUIET_COUNT = 1000
const ATTACKERS = 4
const WRITE_MS = 300

const DELAY_MS_MAX = 100
const HONEST_TIMES_MAX = 3
const MEMORY_MB_MAX = 512

/**
 * Measures the effect of hostile documents of one organization on a server: the longest turns of its event loop, the
 * latency of another organization, and the memory.
 */
export async function* hostileLoad(stage: Stage): AsyncGenerator<Row> {
  const { environment, database, keyFile } = await stage.newPlace('configured')
  const meter = join(environment['PORTBOOK_DATA_DIR'] ?? '', 'loop-figures')
  const product = await startProduct({
    ...environment,
    ...createBootstrapEnvironment(keyFile),
    NODE_OPTIONS: `--import=${METER}`,
    PORTBOOK_LOOP_METER: meter,
  })
  const hostileKey = readFileSync(keyFile, 'utf8').trim()
  const honestKey = await newOrganization(database)
  await put(product, hostileKey, '/api/teams/a', { id: 'a', name: 'Team' })
  const readFigures = async (): Promise<LoopFigures> => {
    await sleep(WRITE_MS)
    return JSON.parse(readFileSync(meter, 'utf8')) as LoopFigures
  }
  await measureRequests(product, honestKey, (count) => count === WARM_UP_COUNT)
  const quiet = await measureRequests(product, honestKey, (count) => count === QUIET_COUNT)
  process.kill(product.pid, 'SIGUSR2')
  const idle = await readFigures()
  const attack = { isOver: false }
  const attacking = attackWith(product, hostileKey).finally(() => (attack.isOver = true))
  const busy = await measureRequests(product, honestKey, () => attack.isOver)
  await attacking
  const after = await readFigures()
  await product.stop()
  yield* createRows({ quiet, busy, idle, after })
}

/** The times of requests before and during the attack, and the figures of the event loop. */
interface Measured {
  quiet: number[]
  busy: number[]
  idle: LoopFigures
  after: LoopFigures
}

function* createRows({ quiet, busy, idle, after }: Measured): Generator<Row> {
  const { longestDelayMs, longestTurnCpuMs } = after
  const common = { server: 'configured' as const, limit: '–' }
  yield {
    ...common,
    figure: 'hostile-contracts, event-loop delay p100',
    subject: `longest turn ${longestTurnCpuMs.toFixed(0)} ms CPU`,
    result: toSpread([longestDelayMs]),
    unit: 'ms',
    goal: DELAY_MS_MAX,
    measured: after,
  }
  const [quietP99, busyP99] = [getP99(quiet), getP99(busy)]
  yield {
    ...common,
    figure: 'hostile-contracts, p99 of another organization',
    subject: `${busyP99.toFixed(1)} ms`,
    limit: `${quietP99.toFixed(1)} ms quiet`,
    result: toSpread([busyP99 / quietP99]),
    unit: 'times',
    goal: HONEST_TIMES_MAX,
    measured: { quiet, busy },
  }
  yield {
    ...common,
    figure: 'hostile-contracts, memory above idle',
    subject: `${Math.round(after.rssMax / 1e6)} MB`,
    limit: `${Math.round(idle.rssMax / 1e6)} MB idle`,
    result: toSpread([(after.rssMax - idle.rssMax) / 1e6]),
    unit: 'MB',
    goal: MEMORY_MB_MAX,
    measured: { idle, after },
  }
}

async function newOrganization(place: DatabasePlace): Promise<string> {
  const { connection, close } = await openPlace(place)
  const limits = {
    connectionsMax: 1,
    connectTimeoutMs: 10_000,
    queryTimeoutMs: 10_000,
  }
  const { db, ...database } = openDatabase<Tables>(connection, limits, () => undefined)
  const organizationId = await createOrganization(db, 'Another organization')
  const wish = {
    scope: 'organization' as const,
    team: undefined,
    userId: undefined,
    displayName: 'honest',
    expiresOn: undefined,
  }
  const { secret } = await createApiKey(db, storeClock, organizationId, wish, 'system')
  await database.close()
  await close()
  return secret
}

async function put({ url }: RunningServer, key: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

/** Sends requests of the other organization one by one until `isDone`; returns their times in milliseconds. */
async function measureRequests(
  { url }: RunningServer,
  key: string,
  isDone: (count: number) => boolean,
): Promise<number[]> {
  const times: number[] = []
  while (!isDone(times.length)) {
    const startedAtMs = performance.now()
    const answer = await fetch(`${url}/api/dataproducts`, { headers: { 'x-api-key': key } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`another organization got ${answer.status}`)
    times.push(performance.now() - startedAtMs)
    await sleep(HONEST_PAUSE_MS)
  }
  return times
}

/** Sends the requests from a separate process, so that it does not delay responses to other callers. */
async function attackWith({ url }: RunningServer, key: string): Promise<void> {
  const attack = fork(ATTACK)
  attack.send({ url, key, callers: ATTACKERS } satisfies Attack)
  const [code] = await once(attack, 'exit')
  if (code !== 0) throw new Error(`The attack exited with ${code}`)
}

function getP99(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.99) - 1)] ?? 0
}
