import { readFileSync } from 'node:fs'
import { ensurePages } from '../scripts/pages.ts'
import { launchBrowser } from '../test/browser/browser.ts'
import { runStatement, type DatabasePlace } from './database-place.ts'
import type { Figure, Row } from './figure.ts'
import { measurePages } from './interactive.ts'
import type { Person } from './pages-browser.ts'
import { toSpread } from './rounds.ts'
import { startProduct, type RunningServer } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const NAME = 'agreements'
const AGREEMENTS_COUNT = 100_000
const TEAMS_COUNT = 40
const PRODUCTS_COUNT = 400
const LIST_P95_GOAL_MS = 50
const REQUESTS_PER_ROUND = 20

const VIEWS = ['requested', 'active', 'expiring', 'rejected', 'ended']

// The lists of the pages by their name in the table.
const LISTS: readonly (readonly [name: string, path: string])[] = [
  ...VIEWS.map((view) => [`inbox, ${view}`, `/ui/access?list=inbox&view=${view}`] as const),
  ...VIEWS.map(
    (view) => [`inbox of a team, ${view}`, `/ui/access?list=inbox&team=t3&view=${view}`] as const,
  ),
  ['inbox of a product', '/ui/access?list=inbox&product=p3&view=active'],
  ['access of a team', '/ui/access?list=consumer&team=t3&view=active'],
  ['my data', '/ui/access?list=mine&view=active'],
  ['open requests', '/ui/access/open-requests'],
  [
    'summaries of 20 products',
    `/ui/access/summaries?${range(20)
      .map((at) => `productId=p${at}`)
      .join('&')}`,
  ],
  ['an agreement', '/ui/access/a77'],
]

const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['requests', '/requests'],
  ['requests, active', '/requests?view=active'],
  ['my data', '/my-data'],
  ['an agreement', '/access/a77'],
  ['data product, access', '/data-products/p3?view=access'],
]

/** Lists and pages of access answer quickly, however many agreements there are. */
export const agreements: Figure = {
  name: NAME,
  title: `Lists and pages of access at ${AGREEMENTS_COUNT.toLocaleString('en')} agreements`,
  async *measure(stage) {
    await ensurePages()
    for (const kind of stage.serverKinds) yield* measureOn(stage, kind)
  },
}

async function* measureOn(stage: Stage, kind: ServerKind): AsyncIterable<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const bootstrap = createBootstrapEnvironment(keyFile)
  const person: Person = {
    email: bootstrap['PORTBOOK_OWNER_EMAIL'] ?? '',
    password: bootstrap['PORTBOOK_OWNER_PASSWORD'] ?? '',
  }
  const product = await startProduct({ ...environment, ...bootstrap })
  const browser = await launchBrowser()
  try {
    await fill(product, database, readFileSync(keyFile, 'utf8').trim(), person)
    const cookie = await signIn(product, person)
    for (const [name, path] of LISTS) {
      yield toListRow(kind, name, await readList(stage, `${product.url}${path}`, cookie))
    }
    yield* measurePages(stage, kind, NAME, { browser, product, person }, PAGES)
  } finally {
    await browser.close()
    await product.stop()
  }
}

// Agreements of every state between all teams; the owner of the organization is a member of team t3.
async function fill(
  server: RunningServer,
  database: DatabasePlace,
  key: string,
  { email }: Person,
): Promise<void> {
  for (const at of range(TEAMS_COUNT)) {
    const members = at === 3 ? [{ emailAddress: email, role: 'Owner' }] : []
    await put(server, key, `/api/teams/t${at}`, { id: `t${at}`, name: `Team ${at}`, members })
  }
  for (const at of range(PRODUCTS_COUNT)) {
    await put(server, key, `/api/dataproducts/p${at}`, {
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id: `p${at}`,
      name: `Product ${at}`,
      status: 'active',
      team: { name: `t${at % TEAMS_COUNT}` },
      outputPorts: [{ name: 'out', version: '1' }],
    })
  }
  await runStatement(database, INSERT)
  // As autovacuum does within a minute after the load.
  await runStatement(database, 'vacuum analyze')
}

const INSERT = `
  insert into access_agreement (
    organization_id, external_id, document, media_type, version, digest,
    provider_product, output_port, provider_team, consumer_type, consumer_team,
    purpose, roles, start_on, end_on, status, state,
    requested_at, requested_by, decided_at, decided_by, next_due_at, created_at, updated_at, updated_by
  )
  select
    organization.id, 'a' || at, '{}', 'application/json', 1, md5(at::text),
    'p' || at % ${PRODUCTS_COUNT}, 'out', 't' || at % ${TEAMS_COUNT},
    'team', 't' || (at / 7) % ${TEAMS_COUNT},
    'Reports for the monthly review of number ' || at, '{analyst}',
    current_date - 30, current_date + (at % 400) + 1, kind.status, kind.state,
    now() - at * interval '1 minute', 'system', now(), 'system', null, now(), now(), 'system'
  from organization
  cross join generate_series(1, ${AGREEMENTS_COUNT}) as at
  cross join lateral (
    select (array['requested', 'approved', 'approved', 'rejected', 'approved'])[1 + at / 3 % 5] as status,
      (array['requested', 'active', 'active', 'rejected', 'expired'])[1 + at / 3 % 5] as state
  ) as kind`

async function put({ url }: RunningServer, key: string, path: string, body: object): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
}

async function signIn({ url }: RunningServer, person: Person): Promise<string> {
  const response = await fetch(`${url}/ui/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  if (!response.ok) throw new Error(`signing in: ${response.status}`)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Reads a list again and again; returns the milliseconds of each request, sorted. */
async function readList({ effort }: Stage, url: string, cookie: string): Promise<number[]> {
  const times: number[] = []
  // The first round warms up.
  for (let at = 0; at < (effort.rounds + 1) * REQUESTS_PER_ROUND; at += 1) {
    const startedAtMs = performance.now()
    const response = await fetch(url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    const text = await response.text()
    const milliseconds = performance.now() - startedAtMs
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`)
    if (at >= REQUESTS_PER_ROUND) times.push(milliseconds)
  }
  return times.toSorted((a, b) => a - b)
}

function toListRow(server: ServerKind, name: string, times: readonly number[]): Row {
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  const p50 = times[Math.floor(times.length * 0.5)] ?? Number.NaN
  return {
    figure: `${NAME}: ${name}`,
    server,
    subject: `p95 of a request; p50 ${p50.toFixed(1)} ms`,
    limit: '–',
    result: toSpread([p95]),
    unit: 'ms',
    goal: LIST_P95_GOAL_MS,
    required: true,
    measured: times,
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}
