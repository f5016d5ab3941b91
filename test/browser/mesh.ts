/**
 * The pages of the demo, whose source was ingested, changed and ingested again, and has held deletes.
 */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page as BrowserPage } from 'playwright-core'
import type { Catalog } from './catalog.ts'

/** A page with its name and path. */
export interface PlaceInMesh {
  name: string
  path: string
}

const INTEGRATION = 'operations-warehouse'
// An agreement that is active, and a request.
const AGREEMENT = 'journeys-for-customer-logistics'
const REQUEST = 'customers-for-dunning'

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

/** The facts that addresses contain. */
interface MeshFacts {
  asset: string
  webhook: string
  runs: readonly Pick<Run, 'ingestionRunId'>[]
}

/** The parts of the record of a page that tests use. */
export interface PageInMesh {
  path: string
  title: string
  seenBy: string
  needs?: { statedAt: 'head' | 'button' }
  redirect?: string
}

// The compiler must not follow this import: the pages have other settings.
const RECORDS = pathToFileURL(join(import.meta.dirname, '../../web/pages.ts')).href
const { pages } = (await import(RECORDS)) as { pages: readonly PageInMesh[] }
const shown = pages.filter(({ redirect }) => redirect === undefined)

// The id of an example for each kind of page.
const EXAMPLE_IDS: Readonly<Record<string, (facts: MeshFacts) => string>> = {
  '/domains/$id': () => 'rail-operations',
  '/data-products/$id': () => 'wagon-journeys',
  '/data-contracts/$id': () => 'wagon-journeys-v2',
  '/tags/$id': () => 'trust%2Fgold',
  '/certifications/$id': () => '8d3f6b1e-3a57-4b0c-9a51-0d6f1f3a2c01',
  '/classification-schemes/$id': () => 'protection',
  '/definitions/$id': () => 'wagons%2Fwagon-number',
  '/policies/$id': () => 'GLOBAL-1',
  '/test-results/$id': () => 'wagon-journeys-v2-1',
  '/source-systems/$id': () => 'sensor-gateway',
  '/teams/$id': () => 'fleet',
  '/access/$id': () => AGREEMENT,
  '/assets/$id': ({ asset }) => encodeURIComponent(asset),
  '/integrations/$id': () => INTEGRATION,
  '/connectors/$id': () => 'kafka-topics',
  '/guides/$id': () => 'ci',
  '/settings/webhooks/$id': ({ webhook }) => webhook,
}

// Pages that show more with a query.
const QUERIES: Readonly<Record<string, string>> = {
  '/search': '?query=wagon',
  '/assets': `?integration=${INTEGRATION}`,
  '/teams/new': '?parent=fleet',
  '/access/new': '?product=wagon-journeys&port=journeys',
  '/data-products/$id/lineage': '?depth=3&focus=product%3Awagon-journeys',
}

// Further views of pages.
const VIEWS: Readonly<Record<string, (facts: MeshFacts) => string>> = {
  'search for nothing': () => '/search?query=zzzzqqqq',
  'data products': () => '/search?resourceType=DATA_PRODUCT',
  'data product access': () => '/data-products/wagon-journeys?view=access',
  'a request of access': () => `/access/${REQUEST}`,
  'my data, following': () => '/my-data?view=following',
  'active access in requests': () => '/requests?view=active',
  'data product usage': () => '/data-products/wagon-journeys?view=usage',
  'data product without usage': () => '/data-products/wagon-telematics?view=usage',
  'data product costs': () => '/data-products/wagon-journeys?view=costs',
  'data product without costs': () => '/data-products/gate-slots?view=costs',
  'data product history': () => '/data-products/wagon-journeys?view=history',
  'data product source': () => '/data-products/wagon-journeys?view=source',
  'data product in DPS': () => '/data-products/wagon-telematics',
  'data contract from an asset': ({ asset }) =>
    `/data-contracts/new?asset=${encodeURIComponent(asset)}`,
  'reality of a data contract': () => '/data-contracts/crew-duties?view=reality',
  'accepted drift': () => '/drift?status=accepted',
  'run changes': ({ runs }) => `${runPath(runs[1])}?view=changes`,
  'run with held deletes': ({ runs }) => runPath(runs[2]),
  'run that failed': ({ runs }) => runPath(runs[0]),
  'run scopes': ({ runs }) => `${runPath(runs[2])}?view=scopes`,
  'run log': ({ runs }) => `${runPath(runs[2])}?view=log`,
  'no page': () => '/nowhere',
}

const isOutside = ({ path, seenBy }: PageInMesh): boolean =>
  seenBy === 'visitors' && !path.includes('$')

const PLACES: Readonly<Record<string, (facts: MeshFacts) => string>> = {
  ...Object.fromEntries(
    shown
      .filter((page) => !isOutside(page))
      .map((page) => [toName(page), (facts: MeshFacts) => toAddress(page, facts)]),
  ),
  ...VIEWS,
}

/** Pages for people who are not signed in. */
export const publicPlaces: readonly PlaceInMesh[] = shown
  .filter(isOutside)
  .map((page) => ({ name: toName(page), path: page.path }))

/** The names of all pages and views. */
export const pageNames = Object.keys(PLACES)

/** The names of the pages, without further views of the same page. */
export const mainPageNames = [
  ...new Map(
    Object.entries(PLACES)
      .toReversed()
      .map(([name, pathTo]) => [
        pathTo({ asset: 'asset', runs: [], webhook: 'webhook' }).split('?')[0],
        name,
      ]),
  ).values(),
].toReversed()

/**
 * Lists the pages of signed-in people with the address of an example of each; integrations, runs and webhooks are
 * those of other people, which need not exist.
 */
export async function listExamples(
  catalog: Catalog,
): Promise<(PageInMesh & { address: string })[]> {
  const nothing = { ingestionRunId: NOTHING }
  const facts = { asset: await findAsset(catalog), webhook: NOTHING, runs: [nothing, nothing] }
  return shown
    .filter(({ seenBy }) => seenBy !== 'visitors')
    .map((page) => ({ ...page, address: toAddress(page, facts) }))
}

/** An id that nothing has. */
export const NOTHING = '00000000-0000-4000-8000-000000000000'

/** Returns the title in the middle of a sentence: `data product`, `API keys`. */
function toName({ title }: PageInMesh): string {
  return title.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
}

/** Fills in the example of a page. Errors: a page with an id that has no example. */
function toAddress({ path }: PageInMesh, facts: MeshFacts): string {
  const [beginning = ''] = /^[^$]+\$id/.exec(path) ?? []
  const getId = EXAMPLE_IDS[beginning]
  const address = path
    .replace('$id', () => getId?.(facts) ?? '$id')
    .replace('$providerId', '01900000-0000-7000-8000-000000000000')
    .replace('$runId', () => facts.runs[1]?.ingestionRunId ?? '')
  if (address.includes('$')) throw new Error(`Add an example of ${path} to EXAMPLE_IDS.`)
  return `${address}${QUERIES[path] ?? ''}`
}

function runPath(run: Pick<Run, 'ingestionRunId'> | undefined): string {
  return `/integrations/${INTEGRATION}/runs/${run?.ingestionRunId ?? ''}`
}

async function findAsset(catalog: Catalog): Promise<string> {
  const response = await catalog.call('GET', '/api/assets?q=delays_daily')
  const [table] = (await response.json()) as { id: string }[]
  return table?.id ?? ''
}

async function buildPlaces(catalog: Catalog, runs: readonly Run[]): Promise<PlaceInMesh[]> {
  const facts: MeshFacts = {
    asset: await findAsset(catalog),
    runs,
    webhook: await addWebhook(catalog),
  }
  return Object.entries(PLACES).map(([name, getPath]) => ({ name, path: getPath(facts) }))
}

/** Creates a webhook whose receiver does not exist, with an attempt in its ledger. Returns its id. */
async function addWebhook(catalog: Catalog): Promise<string> {
  const body = { name: 'Deploy checks', url: 'https://hooks.velmora.example/portbook' }
  const response = await catalog.call('POST', '/api/webhooks', body)
  const { id } = (await response.json()) as { id: string }
  await catalog.call('POST', `/api/webhooks/${id}/test`)
  return id
}

/** Waits until a page shows what it has to show: nothing is on its way any more. */
export async function waitUntilSettled(page: BrowserPage): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[role=status].animate-skeleton').first().waitFor({ state: 'detached' })
}
