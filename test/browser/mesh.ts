/**
 * The pages of the demo, whose source was ingested, changed and ingested again, and has held deletes.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Catalog } from './catalog.ts'

/** A page with its name and path. */
export interface PlaceInMesh {
  name: string
  path: string
}

const INTEGRATION = 'operations-warehouse'

/** Lists the pages of a catalog with the demo mesh. */
export async function listPlaces(catalog: Catalog): Promise<PlaceInMesh[]> {
  const response = await catalog.call('GET', `/api/integrations/${INTEGRATION}/runs`)
  const runs = (await response.json()) as Run[]
  const held = runs.find(({ heldState }) => heldState === 'pending')
  const changed = runs.find(
    (run) => run.assetsCreated > 0 && run.assetsUpdated > 0 && run.assetsDeleted > 0,
  )
  const failed = runs.find(({ status }) => status === 'FAILED')
  if (held === undefined || changed === undefined || failed === undefined) {
    throw new Error('the demo lacks a kind of run')
  }
  return await buildPlaces(catalog, [failed, changed, held])
}

interface Run {
  ingestionRunId: string
  status: string
  heldState: string | null
  assetsCreated: number
  assetsUpdated: number
  assetsDeleted: number
}

/** Ids in the paths of pages. */
interface MeshFacts {
  asset: string
  runs: readonly Run[]
}

const PLACES: Readonly<Record<string, (facts: MeshFacts) => string>> = {
  home: () => '/',
  activity: () => '/activity',
  domains: () => '/domains',
  domain: () => '/domains/rail-operations',
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
  'data product lineage': () =>
    '/data-products/wagon-journeys/lineage?depth=3&focus=product%3Awagon-journeys',
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
  'run that failed': ({ runs }) => runPath(runs[0]),
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

/** Pages for visitors who are not signed in. */
export const publicPlaces: readonly PlaceInMesh[] = [
  { name: 'sign in', path: '/sign-in' },
  { name: 'set up', path: '/set-up' },
  { name: 'invitation', path: '/invitation' },
  { name: 'reset password', path: '/reset-password' },
]

/** The names of all pages. */
export const pageNames = Object.keys(PLACES)

/** The names of the pages, without further views of the same page. */
export const mainPageNames = [
  ...new Map(
    Object.entries(PLACES)
      .toReversed()
      .map(([name, pathTo]) => [pathTo({ asset: 'asset', runs: [] }).split('?')[0], name]),
  ).values(),
].toReversed()

function runPath(run: Run | undefined): string {
  return `/integrations/${INTEGRATION}/runs/${run?.ingestionRunId ?? ''}`
}

async function buildPlaces(catalog: Catalog, runs: readonly Run[]): Promise<PlaceInMesh[]> {
  const response = await catalog.call('GET', '/api/assets?q=delays_daily')
  const [table] = (await response.json()) as { id: string }[]
  const facts: MeshFacts = { asset: table?.id ?? '', runs }
  return Object.entries(PLACES).map(([name, pathOf]) => ({ name, path: pathOf(facts) }))
}

/** Waits until a page shows its content and has no pending requests. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[role=status].animate-skeleton').first().waitFor({ state: 'detached' })
}

/** Lists the routes of the pages that are not in `places`. */
export function findUncoveredRoutes(places: readonly PlaceInMesh[]): string[] {
  const folder = join(import.meta.dirname, '../../web/pages')
  const sources = globSync('*/pages.ts', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  const routes = sources
    .flatMap((source) => [...source.matchAll(/\bpath: '([^']+)',\n.*\n\s*load:/g)])
    .map(([, path = '']) => path)
  const paths = places.map(({ path }) => path.split('?')[0] ?? '')
  const isNamed = (path: string): boolean => routes.includes(path)
  return routes.filter((route) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`)
    return !paths.some((path) => path === route || (!isNamed(path) && pattern.test(path)))
  })
}
