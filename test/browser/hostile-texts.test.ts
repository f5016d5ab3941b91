/**
 * Texts from people and sources appear as plain text on every page: markup does not run, invalid URLs
 * are not links, and nothing breaks the layout.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SourceDatabase } from '../postgres-source.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { newOrganization, type Catalog } from './catalog.ts'
import { MARKUP, POISONS } from './hostile.ts'
import {
  createSessionRequest,
  fillHostileCatalog,
  HOSTILE_AGREEMENT,
  HOSTILE_REQUEST,
  ingestHostileTables,
  TABLES,
  type SessionRequest,
} from './hostile-catalog.ts'
import { navigate, waitUntilQuiet } from './navigation.ts'
import { newSignedInVisitor } from './people.ts'
import { AT_ONCE, takeTurns } from './turns.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }
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

/** Names of `Object.prototype`, as values of documents and as names of an address. */
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

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
  ...each('/', ['requests', 'requests?view=active', 'my-data', 'my-data?view=requested']),
  ...each('/access/', [HOSTILE_AGREEMENT, HOSTILE_REQUEST]),
  ...each('/access/new?', [`renews=${HOSTILE_AGREEMENT}&product=odps-0&port=none`]),
  ...each('/data-products/', ['odps-0?view=access']),
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

const CSS_ESCAPED = (text: string): string => text.replaceAll(/["\\]/g, '\\$&')

inBrowser('hostile texts', (browser) => {
  let catalog: Catalog
  let source: SourceDatabase
  let owner: Visitor
  let request: SessionRequest
  const visitors = takeTurns(() => newSignedInVisitor(browser(), catalog, catalog.owner))
  let asset = ''
  let run = ''
  before(async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES
    if (server === undefined) throw new Error('run it by `npm test -- <file>`')
    catalog = await newOrganization()
    owner = await newSignedInVisitor(browser(), catalog, catalog.owner)
    request = createSessionRequest(owner)
    await fillHostileCatalog(catalog, request)
    source = await SourceDatabase.create(server, TABLES, 'hostile_texts')
    ;({ asset, run } = await ingestHostileTables(source, request))
  })
  after(async () => {
    await visitors.close()
    await owner.close()
    await source.drop()
  })

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

  describe('names of Object.prototype', { concurrency: AT_ONCE }, () => {
    for (const name of PROTOTYPE_NAMES) {
      test(`${name} › is an ordinary value on pages and in their addresses`, LIMIT, async () => {
        const id = `ordinary-${name}`
        const texts = { status: name, domain: name, tags: [name], type: name, [name]: name }
        for (const [kind, , body] of KINDS.slice(0, 2)) {
          const document = { ...body(id, id), ...texts }
          const answer = await catalog.call('PUT', `/api/${kind}/${id}`, document)
          assert.equal(answer.status, 200)
        }
        const query = `?${name}=${name}&view=${name}&type=${name}&status=${name}&format=${name}`
        await onPage(async ({ page, traffic }) => {
          for (const path of [
            `/data-products/${id}`,
            `/data-contracts/${id}`,
            '/search',
            '/requests',
          ]) {
            await navigate(page, `${path}${query}`)
            await waitUntilQuiet(page, traffic)
            await page.getByRole('heading', { level: 1 }).first().waitFor()
          }
          await navigate(page, `/search?query=ordinary`)
          await page.locator(`a[href="/data-products/${id}"]`).first().waitFor()
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
