import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { readConfig } from '../server/platform/config.ts'
import type { IngestionRun } from '../server/ingestion/integrations/run.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { setUp } from '../server/people/organizations/service.ts'
import { openStore, type Store } from '../server/store.ts'
import { PASSWORD_COST } from '../server/people/users/password.ts'
import { newSession } from '../test/session.ts'
import { withSession } from '../test/world.ts'
import { type DatabasePlace, openPlace } from './database-place.ts'
import { readProcessorTime, startProduct, type RunningServer } from './servers.ts'
import type { ServerKind, Stage } from './stage.ts'

/** The product with one integration that has never run, in a separate process and database. */
export interface IngestingProduct {
  server: RunningServer
  /** The secret of an organization key. */
  key: string
  /** Creates another integration that has never run. */
  add(externalId: string, source: ConnectionSettings): Promise<void>
  /** Starts a run, by default of the first integration; returns its id. */
  trigger(externalId?: string): Promise<string>
  find(runId: string): Promise<IngestionRun>
  /** Polls a run until it ends; reports the run of each poll. */
  untilEnd(runId: string, onPoll?: (run: IngestionRun) => void): Promise<IngestionRun>
  cancel(): Promise<void>
  /** Waits until the process is idle. */
  untilIdle(): Promise<void>
  /** Counts the events and versions of assets. */
  count(): Promise<{ events: number; versions: number }>
  /** Stops the process and deletes its database. */
  remove(): Promise<void>
}

/** The connector, configuration and secrets of an integration. */
export interface ConnectionSettings {
  /** The connector's name. */
  source: string
  configuration: Record<string, unknown>
  secrets: Record<string, string>
}

const INTEGRATION = 'bench'
const POLL_MS = 50
const IDLE_MS = 200

/** Creates an organization, starts the product, and creates the integration. */
export async function startIngesting(
  stage: Stage,
  kind: ServerKind,
  source: ConnectionSettings,
): Promise<IngestingProduct> {
  const { environment: given, database } = await stage.newPlace(kind)
  const environment = { ...given, PORTBOOK_PRIVATE_SOURCES: 'allow' }
  const { key, session } = await onStore(environment, prepare)
  const server = await startProduct(environment)
  const ask = async (method: string, path: string, body?: object): Promise<Response> =>
    await send(server, path, {
      method,
      headers: path.startsWith('/ui/')
        ? { ...withSession(session), 'content-type': 'application/json' }
        : { 'x-api-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const add: IngestingProduct['add'] = async (externalId, { source, configuration, secrets }) => {
    const draft = { name: 'Bench', source, configuration, secrets, enabled: false }
    await ask('POST', '/ui/integrations', { externalId, ...draft })
  }
  await add(INTEGRATION, source)
  const path = `/api/integrations/${INTEGRATION}`
  const find = async (runId: string): Promise<IngestionRun> =>
    (await (await ask('GET', `${path}/runs/${runId}`)).json()) as IngestionRun
  return {
    server,
    key,
    find,
    add,
    async trigger(externalId = INTEGRATION) {
      const answer = await ask('POST', `/api/integrations/${externalId}/run`)
      return ((await answer.json()) as { ingestionRunId: string }).ingestionRunId
    },
    async untilEnd(runId, onPoll) {
      for (;;) {
        const run = await find(runId)
        onPoll?.(run)
        if (run.status !== 'RUNNING') return run
        await sleep(POLL_MS)
      }
    },
    async cancel() {
      await ask('POST', `${path}/cancel`)
    },
    untilIdle: () => untilIdle(server.pid),
    count: () => countWritten(database),
    async remove() {
      await server.stop()
      await stage.deleteDatabase(database)
    },
  }
}

async function prepare({ db }: Store): Promise<{ key: string; session: string }> {
  let key = ''
  const organization = 'Velmora Rail Cargo'
  const owner = { organization, email: 'owner@velmora.example', password: 'only for the benchmark' }
  await setUp(
    { db, clock: storeClock, passwordCost: PASSWORD_COST },
    owner,
    (secret) => (key = secret),
  )
  const { id } = await db.selectFrom('user_account').select('id').executeTakeFirstOrThrow()
  return { key, session: await newSession(db, storeClock, id) }
}

// Uses a connection without time limits: reading new rows for the first time is slow.
async function countWritten(place: DatabasePlace): Promise<{ events: number; versions: number }> {
  const { connection, close } = await openPlace(place)
  const client = new Client(connection)
  await client.connect()
  const { rows } = await client.query<{ events: number; versions: number }>(`
    select
      (select count(*) from event where kind = 'asset')::int as events,
      (select count(*) from revision where kind = 'asset')::int as versions`)
  await client.end()
  await close()
  return rows[0] ?? { events: 0, versions: 0 }
}

async function onStore<T>(
  environment: Record<string, string>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(readConfig(environment), pino({ level: 'silent' }), 'command')
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function send(
  { url }: Pick<RunningServer, 'url'>,
  path: string,
  request: RequestInit,
): Promise<Response> {
  const response = await fetch(`${url}${path}`, request)
  // A busy machine must not end a measurement: what is sent again changes nothing more.
  if (response.status === 503 && request.method === 'GET') return await send({ url }, path, request)
  if (!response.ok) throw new Error(`${path}: ${response.status}: ${await response.text()}`)
  return response
}

// After a run, its worker cleans up, which must not slow down the next run.
async function untilIdle(pid: number): Promise<void> {
  let before = Number.NaN
  for (;;) {
    const used = readProcessorTime(pid)
    if (used === undefined || used - before < (IDLE_MS * 1000) / 10) return
    before = used
    await sleep(IDLE_MS)
  }
}

/** Returns the duration of a run in seconds, measured by the clock of PostgreSQL. */
export function getRunSeconds({ startedAt, completedAt }: IngestionRun): number {
  return (Date.parse(completedAt ?? startedAt) - Date.parse(startedAt)) / 1000
}

/** Resets the memory peak of a process; returns its memory in MB of 10⁶ bytes, undefined outside Linux. */
export function resetMemoryPeak(pid: number): number | undefined {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return readMemory(pid, 'VmRSS')
  } catch {
    return undefined
  }
}

/** Returns the memory peak of a process since the last reset, in MB. */
export function memoryPeak(pid: number): number {
  return readMemory(pid, 'VmHWM')
}

function readMemory(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(new RegExp(`${what}:\\s+(\\d+)`).exec(text)?.[1]) * 1024) / 1e6
}

/** Runs the integration until it has ended and the server is idle. Errors: any end but success. */
export async function runOnce(
  product: IngestingProduct,
): Promise<{ seconds: number; createdCount: number }> {
  const run = await product.untilEnd(await product.trigger())
  await product.untilIdle()
  if (run.status !== 'SUCCESS') throw new Error(`a run ended ${run.status}: ${run.message}`)
  return { seconds: getRunSeconds(run), createdCount: run.assetsCreated }
}
