import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { ENTRY_KINDS } from '../server/ledger/activity/entry.ts'
import { ensurePages } from '../scripts/pages.ts'
import { launchBrowser } from '../test/browser/browser.ts'
import { newHttpClient, type HttpClient } from '../test/http-client.ts'
import { openPlace, type DatabasePlace } from './database-place.ts'
import type { Figure, Row } from './figure.ts'
import { measurePages } from './interactive.ts'
import { toSpread } from './rounds.ts'
import { startProduct, type RunningServer } from './servers.ts'
import { createBootstrapEnvironment, putTeam, type ServerKind, type Stage } from './stage.ts'

const NAME = 'activity'
const WARM_UP_LOADS = 5
const LOADS = 60
const TIMEOUT_MS = 60_000
const GOAL_MS = 50
const TEAMS = 50
const ACTORS = 500

const PAGES = [
  ['all activity', '/activity'],
  ['breaking changes', '/activity?level=breaking'],
] as const

/** A request of the page or of the API. */
interface Load {
  name: string
  path: string
  headers: Record<string, string>
}

/** A million entries: the time of the page and of the API, unfiltered, filtered, and far from the beginning. */
export function activity(entriesCount: number): Figure {
  return {
    name: NAME,
    title: `${entriesCount.toLocaleString('en')} entries of activity: pages of the API and of the page, p95`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) yield* measureOn(stage, kind, entriesCount)
    },
  }
}

async function* measureOn(
  stage: Stage,
  kind: ServerKind,
  entriesCount: number,
): AsyncGenerator<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const bootstrap = createBootstrapEnvironment(keyFile)
  const product = await startProduct({ ...environment, ...bootstrap })
  const key = readFileSync(keyFile, 'utf8').trim()
  const client = newHttpClient(product.url, key)
  try {
    await putTeam(product, key)
    const middle = await fill(database, entriesCount)
    const cookie = await signIn(client, bootstrap)
    for (const load of await listLoads(client, cookie, middle)) {
      yield toRow(kind, load, await measure(client, load))
    }
    yield* measureInteractive(stage, kind, product, bootstrap)
  } finally {
    client.close()
    await product.stop()
  }
}

async function* measureInteractive(
  stage: Stage,
  kind: ServerKind,
  product: RunningServer,
  bootstrap: Record<string, string>,
): AsyncGenerator<Row> {
  await ensurePages()
  const browser = await launchBrowser()
  const person = {
    email: bootstrap['PORTBOOK_OWNER_EMAIL'] ?? '',
    password: bootstrap['PORTBOOK_OWNER_PASSWORD'] ?? '',
  }
  try {
    yield* measurePages(stage, kind, NAME, { browser, product, person }, PAGES)
  } finally {
    await browser.close()
  }
}

/** Enters entries of all kinds, actors and teams, one a minute; returns the cursor in the middle. */
async function fill(place: DatabasePlace, entriesCount: number): Promise<string> {
  const { connection, close } = await openPlace(place)
  const client = new Client(connection)
  // A failed statement is reported, not the end of the connection that follows.
  client.on('error', () => undefined)
  await client.connect()
  // Filling indexes row by row takes minutes.
  const indexes = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition
     from pg_indexes
     where tablename = 'activity_entry'
       and indexname <> 'activity_entry_pkey'`,
  )
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  await client.query(
    `insert into activity_entry (
       organization_id, at, principal, kind, subject, name, action, level, team, version_after
     )
     select organization.id, now() - make_interval(mins => number / 10),
       'user:00000000-0000-4000-8000-' || lpad((number % $2::integer)::text, 12, '0'),
       kind,
       case when names_person(kind, null) then gen_random_uuid()::text else 'subject-' || number % 20000 end,
       case when names_person(kind, null) then '' else 'Name ' || number end, case when number % 3 = 0 then 'created' else 'updated' end,
       (array['none', 'none', 'none', 'wording', 'additive', 'breaking'])[1 + number / 7 % 6],
       'team-' || number / 3 % $4::integer, 2
     from organization
     cross join generate_series($1::integer, 1, -1) as number
     cross join lateral (select ($3::text[])[1 + number % cardinality($3::text[])]) as chosen (kind)`,
    [entriesCount, ACTORS, [...ENTRY_KINDS], TEAMS],
  )
  for (const { definition } of indexes.rows) await client.query(definition)
  await client.query('vacuum (analyze) activity_entry')
  const { rows } = await client.query<{ cursor: string }>(
    `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || position as cursor
     from activity_entry
     where kind = 'data-product'
     order by at
     limit 1
     offset $1`,
    [Math.floor(entriesCount / ENTRY_KINDS.length / 2)],
  )
  await client.end()
  await close()
  return rows[0]?.cursor ?? ''
}

async function signIn(client: HttpClient, bootstrap: Record<string, string>): Promise<string> {
  const body = {
    email: bootstrap['PORTBOOK_OWNER_EMAIL'],
    password: bootstrap['PORTBOOK_OWNER_PASSWORD'],
  }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const { headers: answered } = await client.ok('POST', '/ui/sign-in', { key: null, body, headers })
  return answered['set-cookie']?.[0]?.split(';')[0] ?? ''
}

const api = (name: string, query: Record<string, string>, headers = {}): Load => ({
  name: `API, ${name}`,
  path: `/api/activity?${new URLSearchParams(query).toString()}`,
  headers,
})

async function listLoads(client: HttpClient, cookie: string, middle: string): Promise<Load[]> {
  const { text } = await client.ok('POST', '/api/api-keys', {
    body: { scope: 'team_read', teamId: 'logistics' },
  })
  const { key } = JSON.parse(text) as { key: string }
  const actor = 'user:00000000-0000-4000-8000-000000000042'
  const page = (name: string, query: Record<string, string>): Load => ({
    name: `page, ${name}`,
    path: `/ui/activity?${new URLSearchParams(query).toString()}`,
    headers: { cookie, 'x-api-key': '' },
  })
  return [
    api('first', {}),
    api('first, of a team key', {}, { 'x-api-key': key }),
    api('of an actor', { actor }),
    api('of a kind', { kind: 'data-product' }),
    api('of a team', { team: 'team-7' }),
    api('breaking', { level: 'breaking' }),
    api('of an actor and a level', { actor, level: 'breaking' }),
    api('of a resource', { subject: 'subject-4711' }),
    api('late', { after: middle }),
    page('first', {}),
    page('of an actor', { actor }),
    page('of a kind', { kind: 'data-product' }),
    page('of a team', { team: 'team-7' }),
    page('breaking', { level: 'breaking' }),
    page('late', { until: middle.split(' ')[0] ?? '' }),
  ]
}

async function measure(client: HttpClient, { path, headers }: Load): Promise<number[]> {
  const { 'x-api-key': key, ...others } = headers
  const options = {
    headers: others,
    timeoutMs: TIMEOUT_MS,
    ...(key === undefined ? {} : { key: key === '' ? null : key }),
  }
  const durations: number[] = []
  for (let load = 0; load < WARM_UP_LOADS + LOADS; load += 1) {
    const { durationMs } = await client.ok('GET', path, options)
    if (load >= WARM_UP_LOADS) durations.push(durationMs)
  }
  return durations
}

function toRow(server: ServerKind, { name }: Load, durations: readonly number[]): Row {
  const sorted = durations.toSorted((a, b) => a - b)
  const { median, least, greatest } = toSpread(sorted)
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
  return {
    figure: `${NAME}, ${name}`,
    server,
    subject: `p95 (shortest, longest), p50 ${median.toFixed(1)} ms`,
    limit: '–',
    result: { median: p95, least, greatest },
    unit: 'ms',
    goal: GOAL_MS,
    measured: durations,
  }
}
