/**
 * A mesh that lives, for looking at every page: the demo, with a real PostgreSQL connected to it whose
 * tables were ingested, changed, ingested again, and lost in numbers, so that deletes are held.
 */

import type { Page } from 'playwright-core'
import { SourceDatabase } from '../postgres-source.ts'
import { eventually } from '../eventually.ts'
import { SESSION_COOKIE } from '../../server/access/session.ts'
import type { Catalog } from './catalog.ts'

/** A page by its name, and where it is. */
export interface PlaceInMesh {
  name: string
  path: string
}

const INTEGRATION = 'yard-operations'
const RUN_MS_MAX = 60_000
// So many that nearly all of them going at once is held, until a person looks.
const FORECASTS = 60

const TABLES = `
  create schema yard;
  create schema planning;
  create table yard.track (
    track_id text primary key, yard_code char(4) not null, length_m numeric(7, 1) not null,
    is_electrified boolean not null default false, closed_until timestamptz
  );
  create table yard.shunting_move (
    move_id bigint generated always as identity primary key,
    wagon_number text not null, from_track text references yard.track, to_track text references yard.track,
    started_at timestamptz not null, finished_at timestamptz, locomotive text
  );
  comment on table yard.shunting_move is 'Every move of a wagon between two tracks of a yard.';
  comment on column yard.shunting_move.wagon_number is 'Twelve digits, without hyphens.';
  create view yard.open_move as select * from yard.shunting_move where finished_at is null;
  create table planning.train_path (
    path_id uuid primary key, train_number text not null, valid_from date not null,
    valid_to date, stops text[] not null, attributes jsonb
  );
  comment on table planning.train_path is 'Paths that the infrastructure manager has granted.';
  ${Array.from({ length: FORECASTS }, (_, at) => `create table planning.forecast_${String(at + 1).padStart(2, '0')} (station text, expected_at timestamptz, passengers int);`).join('\n')}
`

/** Connects the source and runs it three times; returns the pages that there are to look at. */
export async function growMesh(catalog: Catalog, serverUrl: string): Promise<PlaceInMesh[]> {
  const source = await SourceDatabase.create(serverUrl, TABLES, 'yard_operations')
  await source.execute(`
    grant usage on schema yard, planning to ${source.user};
    grant select on all tables in schema yard, planning to ${source.user}`)
  const ask = await signedIn(catalog)
  await ask('POST', '/ui/integrations', bodyOf(source))
  const first = await ingest(catalog, ask)
  await source.execute(`
    alter table yard.track add column gradient_permille numeric(4, 1);
    create table yard.brake_test (test_id int primary key, wagon_number text, passed boolean);
    grant select on yard.brake_test to ${source.user};
    drop table planning.forecast_${FORECASTS}`)
  const second = await ingest(catalog, ask)
  await source.execute(
    Array.from(
      { length: FORECASTS - 4 },
      (_, at) => `drop table planning.forecast_${String(at + 1).padStart(2, '0')};`,
    ).join('\n'),
  )
  const third = await ingest(catalog, ask)
  if (third.heldState !== 'pending') throw new Error('the third run holds no deletes')
  await source.drop()
  return await placesIn(catalog, [first, second, third])
}

function bodyOf(source: SourceDatabase) {
  return {
    externalId: INTEGRATION,
    name: 'Yard operations',
    source: 'postgres',
    enabled: true,
    scheduleExpression: '0 5 * * *',
    timeZone: 'Europe/Berlin',
    configuration: source.setup().configuration,
    secrets: { password: source.password },
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Response>

async function signedIn({ url, owner }: Catalog): Promise<Ask> {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    cookie: string,
  ): Promise<Response> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const answer = await send('POST', '/ui/sign-in', owner, '')
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .find((one) => one.startsWith(SESSION_COOKIE))
  if (cookie === undefined) throw new Error('signing in gave no cookie')
  return async (method, path, body) => await send(method, path, body, cookie)
}

interface Run {
  ingestionRunId: string
  status: string
  heldState: string | null
}

async function ingest(catalog: Catalog, ask: Ask): Promise<Run> {
  const started = await ask('POST', `/ui/integrations/${INTEGRATION}/run`, {})
  let run = (await started.json()) as Run
  const isOver = async (): Promise<boolean> => {
    const path = `/api/integrations/${INTEGRATION}/runs/${run.ingestionRunId}`
    run = (await (await catalog.call('GET', path)).json()) as Run
    return run.status !== 'RUNNING'
  }
  await eventually(RUN_MS_MAX, isOver, 'the run ends')
  return run
}

/** What the addresses of the pages are made of. */
interface MeshFacts {
  asset: string
  runs: readonly Run[]
}

const PLACES: Readonly<Record<string, (facts: MeshFacts) => string>> = {
  home: () => '/',
  search: () => '/search?query=wagon',
  'search for nothing': () => '/search?query=zzzzqqqq',
  'data products': () => '/search?resourceType=DATA_PRODUCT',
  'data product': () => '/data-products/wagon-journeys',
  'data product history': () => '/data-products/wagon-journeys?view=history',
  'data product source': () => '/data-products/wagon-journeys?view=source',
  'data product in DPS': () => '/data-products/wagon-telematics',
  'data product edit': () => '/data-products/wagon-journeys/edit',
  'data product new': () => '/data-products/new',
  'data product versions': () => '/data-products/wagon-journeys/versions',
  'data contract': () => '/data-contracts/wagon-journeys-v2',
  'data contract edit': () => '/data-contracts/wagon-journeys-v2/edit',
  'data contract from an asset': ({ asset }) =>
    `/data-contracts/new?asset=${encodeURIComponent(asset)}`,
  'data contract versions': () => '/data-contracts/wagon-journeys-v2/versions',
  teams: () => '/teams',
  team: () => '/teams/fleet',
  'team edit': () => '/teams/fleet/edit',
  'team new': () => '/teams/new?parent=fleet',
  assets: () => `/assets?integration=${INTEGRATION}`,
  asset: ({ asset }) => `/assets/${encodeURIComponent(asset)}`,
  integrations: () => '/integrations',
  'integration new': () => '/integrations/new',
  integration: () => `/integrations/${INTEGRATION}`,
  'integration edit': () => `/integrations/${INTEGRATION}/edit`,
  run: ({ runs }) => runPath(runs[1]),
  'run changes': ({ runs }) => `${runPath(runs[1])}?view=changes`,
  'run with held deletes': ({ runs }) => runPath(runs[2]),
  'run scopes': ({ runs }) => `${runPath(runs[2])}?view=scopes`,
  'run log': ({ runs }) => `${runPath(runs[2])}?view=log`,
  'API keys': () => '/api-keys',
  settings: () => '/settings',
  'settings members': () => '/settings/members',
  'settings profile': () => '/settings/profile',
  'settings about': () => '/settings/about',
  'API reference': () => '/reference',
  guide: () => '/guides/ci',
  'no page': () => '/nowhere',
}

/** The names of all pages that there are to look at. */
export const pageNames = Object.keys(PLACES)

function runPath(run: Run | undefined): string {
  return `/integrations/${INTEGRATION}/runs/${run?.ingestionRunId ?? ''}`
}

async function placesIn(catalog: Catalog, runs: readonly Run[]): Promise<PlaceInMesh[]> {
  const response = await catalog.call('GET', '/api/assets?q=shunting_move')
  const [table] = (await response.json()) as { id: string }[]
  const facts: MeshFacts = { asset: table?.id ?? '', runs }
  return Object.entries(PLACES).map(([name, pathOf]) => ({ name, path: pathOf(facts) }))
}

/** Waits until a page shows what it has to show: nothing is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[role=status].animate-pulse').first().waitFor({ state: 'detached' })
}
