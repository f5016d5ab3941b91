/**
 * Texts from people and sources appear as plain text on every page: markup does not run, invalid URLs
 * are not links, and nothing breaks the layout.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { newSpan, toTraces } from '../usage.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { newOrganization, type Catalog } from './catalog.ts'
import {
  addPoisonedRecords,
  BAD_LINKS,
  readExample,
  MARKUP,
  POISONS,
  putPoisoned,
} from './hostile.ts'
import { navigate, waitUntilQuiet } from './navigation.ts'
import { newSignedInVisitor } from './people.ts'
import { AT_ONCE, takeTurns } from './turns.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }
const RUN_MS_MAX = 60_000
// A browser that looks for break opportunities in a long word takes minutes.
const LIMIT = { timeout: 20_000 }

/** Ids that another component might misinterpret. */
const IDS = [
  '__proto__',
  'constructor',
  'new',
  'urn:a:b',
  'a b',
  'ä',
  'A\u0308',
  '100%25',
  '%2e%2e%2f',
  'a+b&c=d?e#f',
  '"><img src=x onerror=window.__hacked=20>',
  '{{id}}',
  '$id',
  '…',
]

const NAME = `${MARKUP}'"\u00AB`

const SCHEMA = `<svg onload=window.__hacked=30>`
const TABLES = `
  create schema "${SCHEMA}";
  create table "${SCHEMA}"."${`"><svg/onload=window.__hacked=31>`.replaceAll('"', '""')}" (
    "<b onclick=window.__hacked=32>" text, "__proto__" int, "${'c'.repeat(63)}" text,
    "\u202Eabc" text, "a b%2f../" text, "{{7*7}}" text
  );
  comment on table "${SCHEMA}"."${`"><svg/onload=window.__hacked=31>`.replaceAll('"', '""')}" is
    '${`${MARKUP} ${'W'.repeat(10_000)}`.replaceAll("'", "''")}';
  create table "${SCHEMA}"."${MARKUP.replaceAll('"', '""').slice(0, 60)}" (a text);
`

const DOCUMENTS: readonly [kind: string, path: string, file: string][] = [
  ['odps', '/api/dataproducts/', 'data-products/corridor-margin.yaml'],
  ['dps', '/api/dataproducts/', 'data-products/wagon-mileage.yaml'],
  ['odcs', '/api/datacontracts/', 'data-contracts/wagon-journeys-v2.yaml'],
  ['dcs', '/api/datacontracts/', 'data-contracts/wheelset-due-list.yaml'],
  ['asset', '/api/assets/', 'assets/warehouse.operations.wagon_journeys_v2.journey.json'],
]

function ownedByFleet(document: Record<string, unknown>): Record<string, unknown> {
  const info = document['info']
  if (typeof info === 'object' && info !== null && 'owner' in info) {
    return { ...document, info: { ...info, owner: 'fleet' } }
  }
  return 'team' in document
    ? { ...document, team: { ...(document['team'] as object), name: 'fleet' } }
    : document
}

interface Grown {
  asset: string
  run: string
}

const CONTRACT_VIEWS = ['overview', 'models', 'quality', 'servers', 'exports', 'use']

const each = (path: string, names: readonly string[]): [string, (grown: Grown) => string][] =>
  names.map((name) => [`${path}${name}`, () => `${path}${name}`])

// Each kind of page once; pages of a data product also with other hostile texts first.
const PAGES: readonly [string, (grown: Grown) => string][] = [
  ...each('/', ['', 'search', 'teams', 'assets?clients=open', 'assets?integration=hostile']),
  ...each('/', ['api-keys', 'settings', 'settings/members', 'settings/profile', 'settings/about']),
  ...each('/settings/', ['team-roles', 'features', 'customization']),
  ...each('/data-products/', ['odps-2', 'odps-3', 'odps-5', 'dps-4']),
  ...each('/data-products/', ['odps-3/edit', 'odps-0/versions']),
  ...each('/data-products/', ['odps-0?view=source', 'odps-4?view=history']),
  ...each('/data-products/', ['odps-0?view=usage', 'odps-0?view=costs']),
  ...each(
    '/data-contracts/',
    POISONS.map((_, turn) => `odcs-${turn}?view=${CONTRACT_VIEWS[turn % CONTRACT_VIEWS.length]}`),
  ),
  ...each('/data-contracts/', ['dcs-4', 'odcs-3/edit', 'odcs-4/versions']),
  ...each('/assets/', ['asset-3']),
  ...each('/test-results', ['', '/hostile', '?server=%3Cb%3E&branch=%22%3E']),
  ...each('/teams/', ['fleet', 'fleet/edit']),
  ...each('/', ['connectors', 'connectors/hostile']),
  ...each('/integrations', ['', '/hostile', '/hostile?view=configuration', '/hostile/edit']),
  ['an ingested asset', ({ asset }) => `/assets/${asset}`],
  ['annotations of an asset', ({ asset }) => `/assets/${asset}?edit=yes`],
  ['a draft contract of an asset', ({ asset }) => `/data-contracts/new?asset=${asset}`],
  ...['changes', 'scopes', 'log'].map((view): [string, (grown: Grown) => string] => [
    `the ${view} of a run`,
    ({ run }) => `/integrations/hostile/runs/${run}?view=${view}`,
  ]),
]

const SHOWING_MARKUP = ['/data-products/odps-5', '/teams/fleet', '/settings/members', '/api-keys']

// Returns what is wrong with a page: control characters in its texts, executed scripts, invalid links,
// foreign elements, the overflow in pixels and the elements that cause it. The source editor has its
// own images, all of them empty.
const LOOK = `(() => {
  const address = (element, name) => element.getAttribute(name) ?? ''
  const describe = (element) => element.outerHTML.slice(0, 200)
  const bad = /^[\\s\\u0000-\\u001f]*(javascript|data|vbscript):/i
  const links = [...document.querySelectorAll('[href], [src], [action], [formaction]')]
    .flatMap((element) => ['href', 'src', 'action', 'formaction'].map((name) => address(element, name)))
    .filter((text) => bad.test(text))
  const foreign = [...document.querySelectorAll('img[src], iframe, object, embed, base, [onerror], [onload], [onclick], [onmouseover]')]
    .map(describe)
  const { scrollWidth, clientWidth } = document.documentElement
  const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 1
  const wide = scrollWidth <= clientWidth ? [] : [...document.querySelectorAll('body *')]
    .filter((element) => isWide(element) && ![...element.children].some(isWide)).slice(0, 3).map(describe)
  const hidden = /[\\u0007\\u001B\\u202A-\\u202E\\u2066-\\u2069]/.test(document.body.innerText + document.title)
  return { hidden, hacked: window.__hacked, links, foreign, overflow: Math.max(0, scrollWidth - clientWidth), wide }
})()`
const CLEAN = { hidden: false, hacked: undefined, links: [], foreign: [], overflow: 0, wide: [] }

const KINDS: readonly [
  kind: string,
  address: string,
  body: (id: string, name: string) => object,
][] = [
  [
    'dataproducts',
    'data-products',
    (id, name) => ({
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id,
      name,
      status: 'active',
      team: { name: 'fleet' },
    }),
  ],
  [
    'datacontracts',
    'data-contracts',
    (id, name) => ({
      apiVersion: 'v3.1.0',
      kind: 'DataContract',
      id,
      name,
      version: '1.0.0',
      status: 'active',
      team: { name: 'fleet' },
    }),
  ],
  [
    'assets',
    'assets',
    (id, name) => ({
      id,
      info: { name, source: 'client', type: 'client_table', status: 'active' },
    }),
  ],
  ['teams', 'teams', (id, name) => ({ id, name, type: 'Domain Team' })],
]

function buildHostileResult(id: string, dataContractId: string): object {
  const checks = POISONS.flatMap((text) => [
    { name: text, result: text, model: text, field: text, reason: text, category: text },
    { name: text, result: 'failed', details: text, failedNumber: 1e300, totalNumber: -1 },
  ])
  const logs = POISONS.map((text) => ({ level: text, message: text, timestamp: text }))
  const names = { server: POISONS[0], dataProductId: NAME, outputPortId: POISONS[4] }
  return { id, dataContractId, dataContractVersion: NAME, ...names, checks, logs }
}

const CSS_ESCAPED = (text: string): string => text.replaceAll(/["\\]/g, '\\$&')

inBrowser('hostile texts', (browser) => {
  let catalog: Catalog
  let source: SourceDatabase
  let owner: Visitor
  const visitors = takeTurns(() => newSignedInVisitor(browser(), catalog, catalog.owner))
  let asset = ''
  let run = ''
  before(async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES
    if (server === undefined) throw new Error('run it by `npm test -- <file>`')
    catalog = await newOrganization()
    owner = await newSignedInVisitor(browser(), catalog, catalog.owner)
    await fill()
    source = await SourceDatabase.create(server, TABLES, 'hostile_texts')
    await ingest()
  })
  after(async () => {
    await visitors.close()
    await owner.close()
    await source.drop()
  })

  async function fill(): Promise<void> {
    for (const id of ['fleet', 'rail-operations']) {
      const team = readExample(`teams/${id}.json`)
      delete team['parent']
      await putPoisoned(catalog, `/api/teams/${id}`, { ...team, description: POISONS[4] }, 0)
    }
    for (let turn = 0; turn < POISONS.length; turn += 1) {
      for (const [kind, path, file] of DOCUMENTS) {
        const document = ownedByFleet(readExample(file))
        const id = `${kind}-${turn}`
        await putPoisoned(catalog, `${path}${id}`, { ...document, id }, turn)
      }
    }
    for (const [id, contract] of [
      ['hostile', 'odcs-0'],
      ['other', 'unknown'],
    ] as const) {
      await catalog.call('POST', '/api/test-results', buildHostileResult(id, contract))
    }
    await addPoisonedRecords(catalog, 'odps-2', 'fleet')
    await reportUse()
    await putSettings()
    await request('PUT', '/ui/profile', { name: NAME })
    await request('PUT', '/ui/organization', { name: NAME })
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    await request('POST', '/ui/api-keys', { scope: 'user', displayName: NAME, expiresAt })
    await request('POST', '/ui/invitations', {
      email: `<b>@xn--evil.example`,
      role: 'Member',
    }).catch(() => undefined)
  }

  // Consumers and costs of a data product.
  async function reportUse(): Promise<void> {
    const names = POISONS.map((text) => text.replaceAll(/\p{Cc}/gu, '').slice(0, 1000))
    const spans = names.map((user) => newSpan({ user, role: names[0] ?? '', accessId: user }))
    await request('POST', '/api/v1/traces', toTraces('odps-0', spans, { port: names[4] ?? '' }))
    for (const [at, text] of POISONS.entries()) {
      await request('POST', '/api/costs', {
        dataProductId: 'odps-0',
        name: text,
        category: text,
        description: text,
        currency: at < 3 ? 'EUR' : text,
        amount: at + 1,
        link: BAD_LINKS[at],
      })
    }
  }

  // Members of the example teams have the default roles.
  async function putSettings(): Promise<void> {
    const usual = ['Owner', 'Approver', 'Editor', 'Steward', 'Member']
    const roles = [...usual, ...POISONS.map((text) => text.slice(0, 1000))]
    await request('PUT', '/api/settings/team-roles', {
      mode: 'custom-team-roles',
      'team-roles': roles.map((name, at) => ({
        name,
        description: POISONS[at % POISONS.length]?.slice(0, 3000),
        permissions: ['RESOURCES_ADD', 'RESOURCES_EDIT', 'TEAM_EDIT'],
      })),
    })
    await request('PUT', '/api/organization/features', { customScript: POISONS.join(' ') })
    await request('PUT', '/api/settings/customization', {
      dataProduct: {
        customFilters: POISONS.map((text) => ({
          displayName: text.slice(0, 100),
          customField: text.slice(0, 256),
        })),
      },
    })
  }

  async function ingest(): Promise<void> {
    await source.execute(`
      grant usage on schema "${SCHEMA}" to ${source.user};
      grant select on all tables in schema "${SCHEMA}" to ${source.user}`)
    const { configuration } = source.setup()
    await request('POST', '/ui/integrations', {
      externalId: 'hostile',
      name: NAME,
      source: 'postgres',
      enabled: false,
      scheduleExpression: null,
      timeZone: 'UTC',
      configuration,
      filters: { include: {}, exclude: { table: [`${MARKUP}*`] } },
      secrets: { password: source.password },
    })
    const started = await request<{ ingestionRunId: string }>(
      'POST',
      '/ui/integrations/hostile/run',
      {},
    )
    run = started.ingestionRunId
    const path = `/api/integrations/ingest/hostile/runs/${run}`
    const isOver = async (): Promise<boolean> =>
      (await request<{ status: string }>('GET', path)).status !== 'RUNNING'
    await eventually(RUN_MS_MAX, isOver, 'the run ends')
    const assets = await request<{ id: string; info: { name: string } }[]>('GET', '/api/assets')
    asset =
      assets.find((one) => one.id.startsWith('postgres-') && one.info.name.startsWith('">'))?.id ??
      ''
    await request('PUT', `/ui/assets/${asset}/annotation`, {
      description: POISONS.join('\n'),
      owner: null,
      tags: POISONS.map((text) => text.slice(0, 200)),
    })
  }

  async function request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await owner.context.request.fetch(path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin' },
      ...(body === undefined ? {} : { data: body }),
    })
    if (!response.ok())
      throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  describe('every page', { concurrency: AT_ONCE }, () => {
    for (const [name, getPath] of PAGES) {
      test(`${name} › loads quickly, fits the window and runs no script`, LIMIT, async () => {
        await onPage(async (visitor) => {
          const { page, traffic } = visitor
          await navigate(page, getPath({ asset, run }))
          await waitUntilQuiet(page, traffic)
          for (const size of [DESK, PHONE]) {
            await page.setViewportSize(size)
            assert.deepEqual(await page.evaluate(LOOK), CLEAN, `${size.width} px wide`)
          }
          if (!SHOWING_MARKUP.includes(name)) return
          const text = await page.evaluate<string>('document.body.innerText')
          assert.ok(text.includes(MARKUP), 'markup is shown as text')
        })
      })
    }
  })

  describe('ids', { concurrency: AT_ONCE }, () => {
    for (const [at, id] of IDS.entries()) {
      test(`${JSON.stringify(id)} › has pages at its own URL`, LIMIT, async () => {
        const part = encodeURIComponent(id)
        const word = `oddity${String.fromCodePoint(97 + at)}`
        for (const [kind, , body] of KINDS) {
          await catalog.call('PUT', `/api/${kind}/${part}`, body(id, `${word} of ${kind}`))
        }
        await onPage(async (visitor) => {
          const { page } = visitor
          const isShown = async (kind: string): Promise<void> => {
            const name = `${word} of ${kind}`
            await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
          }
          const [kind = '', address = ''] = KINDS[at % KINDS.length] ?? []
          if (id !== 'new') {
            await page.goto(`/${address}/${part}`)
            await isShown(kind)
          }
          const [found = '', place = ''] = KINDS[(at + 1) % KINDS.length] ?? []
          await navigate(page, `/search?query=${word}`)
          await page
            .locator(`a[href="/${place}/${CSS_ESCAPED(part)}"]`)
            .first()
            .click()
          if (id !== 'new') await isShown(found)
        })
      })
    }
  })

  // Lends a page and asserts that it has no problems, regardless of earlier tests.
  async function onPage(use: (visitor: Visitor) => Promise<void>): Promise<void> {
    await visitors.lend(async (visitor) => {
      const { page, problems } = visitor
      await page.setViewportSize(DESK)
      await use(visitor)
      assert.equal(await page.evaluate('window.__hacked'), undefined)
      assert.deepEqual(problems, [])
    })
  }
})
