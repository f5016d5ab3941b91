import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { ensurePages } from '../scripts/pages.ts'
import { launchBrowser } from '../test/browser/browser.ts'
import { openDemo } from '../test/browser/catalog.ts'
import { listPlaces } from '../test/browser/mesh.ts'
import { runStatement } from './database-place.ts'
import { listFirstLoads } from './first-loads.ts'
import type { Figure, Row } from './figure.ts'
import {
  loadBare,
  loadTwice,
  scrollBare,
  scrollTree,
  type PageLoad,
  type Person,
  type Scroll,
} from './pages-browser.ts'
import { fillForPages, type PagesMesh } from './pages-mesh.ts'
import { toSpread } from './rounds.ts'
import { startProduct, type RunningServer } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const INTERACTIVE_GOAL_MS = 1000
const TASK_GOAL_MS = 100
const FIRST_LOAD_GOAL_KB = 200
const ROWS_COUNT = 5000
const BYTES_PER_KB = 1000

const part = encodeURIComponent

/** The pages with a goal, by their name in the table. */
const PAGES: Readonly<Record<string, (mesh: PagesMesh) => string>> = {
  home: () => '/',
  search: () => '/search?query=wagon',
  'data products': () => '/search?resourceType=DATA_PRODUCT',
  'data product': ({ productId }) => `/data-products/${part(productId)}`,
  'data product, lineage': ({ productId }) => `/data-products/${part(productId)}/lineage?depth=3`,
  'data product, versions': ({ productId }) => `/data-products/${part(productId)}/versions`,
  'product, edit': ({ productId }) => `/data-products/${part(productId)}/edit`,
  'data contract': ({ contractId }) => `/data-contracts/${part(contractId)}`,
  'data contract, edit': ({ contractId }) => `/data-contracts/${part(contractId)}/edit`,
  'data contract, versions': ({ contractId }) => `/data-contracts/${part(contractId)}/versions`,
  teams: () => '/teams',
  team: ({ teamId }) => `/teams/${part(teamId)}`,
  assets: () => '/assets',
  'schema, 5,000 tables': (mesh) => treePath(mesh),
  'asset, 5,000 columns': ({ wideAssetId }) => `/assets/${part(wideAssetId)}`,
  'team, edit': ({ teamId }) => `/teams/${part(teamId)}/edit`,
  integrations: () => '/integrations',
  'integration, new': () => '/integrations/new',
  'API keys': () => '/api-keys',
  settings: () => '/settings',
  members: () => '/settings/members',
  profile: () => '/settings/profile',
  'API reference': () => '/reference',
}

/** Measures how fast pages load, at 10,000 products and 100,000 assets and in the demo. */
export const pages: Figure = {
  name: 'pages',
  title:
    'Pages at 10,000 products and 100,000 assets, and all pages of the demo, against an empty document with their calls',
  async *measure(stage) {
    await ensurePages()
    await stage.clear()
    yield* measureFirstLoads()
    for (const kind of stage.serverKinds) yield* measureOn(stage, kind)
    yield* measureDemo(stage)
  },
}

async function* measureFirstLoads(): AsyncIterable<Row> {
  for (const { page, bytes } of await listFirstLoads()) {
    yield {
      ...createRow(`first load of ${page}`, 'none', [bytes / BYTES_PER_KB]),
      unit: 'KB',
      subject: 'compressed scripts',
      goal: FIRST_LOAD_GOAL_KB,
      required: true,
    }
  }
}

// Every page of the product; the demo has runs, and the large mesh has none.
async function* measureDemo(stage: Stage): AsyncIterable<Row> {
  const directory = stage.newDirectory()
  const { catalog, close } = await openDemo({ PORTBOOK_DATA_DIR: join(directory, 'data') })
  const browser = await launchBrowser()
  try {
    const place = { browser, product: catalog, person: catalog.owner }
    for (const { name, path } of await listPlaces(catalog)) {
      yield* measurePage(stage, 'local', place, `demo: ${name}`, path)
    }
  } finally {
    await browser.close()
    await close()
  }
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
    const mesh = await fillForPages(product, readFileSync(keyFile, 'utf8').trim())
    // Otherwise autovacuum does this while the first pages load.
    await runStatement(database, 'analyze')
    const place = { browser, product, person }
    for (const [name, getPath] of Object.entries(PAGES)) {
      yield* measurePage(stage, kind, place, name, getPath(mesh))
    }
    const trees = [
      ['columns', `/assets/${part(mesh.wideAssetId)}`],
      ['tables', treePath(mesh)],
    ] as const
    for (const [what, path] of trees) yield await measureScroll(stage, kind, place, what, path)
  } finally {
    await browser.close()
    await product.stop()
  }
}

interface Place {
  browser: Browser
  product: Pick<RunningServer, 'url'>
  person: Person
}

async function* measurePage(
  stage: Stage,
  server: ServerKind,
  { browser, product, person }: Place,
  name: string,
  path: string,
): AsyncIterable<Row> {
  const colds: PageLoad[] = []
  const warms: PageLoad[] = []
  const bares: number[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    const { cold, warm } = await loadTwice(browser, product, person, path)
    colds.push(cold)
    warms.push(warm)
    bares.push(await loadBare(browser, product, person, warm.calls))
  }
  const bare = toSpread(bares)
  for (const [cache, loads] of [
    ['cold', colds],
    ['warm', warms],
  ] as const) {
    yield {
      figure: `${name}, ${cache}`,
      server,
      subject: `${ratioText(getMedian(loads, 'interactiveMs'), bare.median)}, layout shift ${getMedian(loads, 'shift').toFixed(3)}`,
      limit: `${bare.median.toFixed(0)} ms`,
      result: toSpread(loads.map(({ interactiveMs }) => interactiveMs)),
      unit: 'ms',
      goal: INTERACTIVE_GOAL_MS,
      required: cache === 'cold',
      measured: { loads, bares },
    }
  }
  yield {
    ...createRow(
      `${name}, longest task`,
      server,
      [...colds, ...warms].map(({ longestTaskMs }) => longestTaskMs),
    ),
    goal: TASK_GOAL_MS,
    required: true,
  }
  yield {
    ...createRow(
      `${name}, scripts`,
      server,
      colds.map(({ scriptBytes }) => scriptBytes / BYTES_PER_KB),
    ),
    unit: 'KB',
    subject: 'compressed, including those that it loads later',
  }
}

async function measureScroll(
  stage: Stage,
  server: ServerKind,
  { browser, product, person }: Place,
  what: string,
  path: string,
): Promise<Row> {
  const trees: Scroll[] = []
  const bares: Scroll[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    trees.push(await scrollTree(browser, product, person, path))
    bares.push(await scrollBare(browser, ROWS_COUNT))
  }
  const slow = toSpread(trees.map(({ slowShare }) => slowShare)).median
  return {
    ...createRow(
      `scroll of 5,000 ${what}`,
      server,
      trees.map(({ longestFrameMs }) => longestFrameMs),
    ),
    subject: `longest frame; ${(slow * 100).toFixed(0)} % of all above 34 ms`,
    limit: `rows ${toSpread(bares.map(({ longestFrameMs }) => longestFrameMs)).median.toFixed(0)} ms`,
    goal: TASK_GOAL_MS,
    measured: { trees, bares },
  }
}

function createRow(figure: string, server: Row['server'], values: readonly number[]): Row {
  return {
    figure,
    server,
    subject: 'of all loads, cold and warm',
    limit: 'none',
    result: toSpread(values),
    unit: 'ms',
    goal: undefined,
    measured: values,
  }
}

function treePath({ longSchemaPath }: PagesMesh): string {
  const open = longSchemaPath.map((id) => `&open=${part(id)}`).join('')
  return `/assets?clients=open${open}`
}

function getMedian(loads: readonly PageLoad[], name: 'interactiveMs' | 'shift'): number {
  return toSpread(loads.map((load) => load[name])).median
}

function ratioText(ours: number, bare: number): string {
  return `${(ours / bare).toFixed(1)} times`
}
