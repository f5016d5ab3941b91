/**
 * Every field of ODCS 3.2 and ODPS 1.1 is shown on the page of its document, or is listed here with the reason why only
 * the source has it.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import odcs from '../../formats/standards/odcs-v3.2.0.schema.json' with { type: 'json' }
import odps from '../../formats/standards/odps-v1.1.0.schema.json' with { type: 'json' }
import { isObject } from '../../formats/text/value.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { markDocument, type MarkedDocument } from './marked-document.ts'
import { navigate, waitUntilQuiet } from './navigation.ts'

const TEAM = 'yard'
// A table renders the rows in sight.
const HEIGHT = 20_000

/** The ends of paths that only the source shows, with the reason. */
const SOURCE_ONLY: readonly (readonly [end: RegExp, reason: string])[] = [
  [/(^|\.)id$/, 'other documents refer to it; people do not need it'],
  [
    /(verifiedStatements|constraints)\[\]\.(tags|customProperties|authoritativeDefinitions)/,
    'for tools',
  ],
  [/(synonyms|enum|relationships)\[\]\.(customProperties|authoritativeDefinitions)/, 'for tools'],
  [
    /^team\.(name|description|tags|customProperties|authoritativeDefinitions)/,
    'the team has a page',
  ],
  [/^schema\[\]\.physicalType$/, 'its kind is shown: table, view, topic'],
  [/\.primaryKeyPosition$/, 'shown as the position among the fields of the key'],
]

/** The texts with which pages show flags and words of the standards, by the ends of their paths. */
const FIXED: readonly (readonly [end: RegExp, shown: RegExp])[] = [
  [/^kind$/, /^Data (contracts|products)/],
  [/^apiVersion$/, /v(3\.2|1\.1)\.0/],
  [/deprecated$/, /Deprecated/],
  [/^servers\[\]\.type$/, /custom/],
  [/logicalType$/, /object|integer/],
  [/logicalTypeOptions\.format$/, /\bi8\b/],
  [/timezone$/, /Timezone/],
  [/uniqueItems$/, /Unique items/],
  [/elementType$/, /× bfloat16/],
  [/distanceMetric$/, /cosine/],
  [/normalized$/, /Normalized/],
  [/primaryKey$/, /primary key/],
  [/required$/, /required/],
  [/unique$/, /unique/],
  [/semanticType$/, /Measures and dimensions[\s\S]*measure/],
  [/partitioned$/, /Partitioned/],
  [/criticalDataElement$/, /critical/],
  [/relationships\[\]\.type$/, /Refers to/],
  [/metric$/, /nullValues/],
  [/dimension$/, /accuracy/],
  [/quality\[\]\.type$/, /text/],
]

inBrowser('fields of the standards', (browser) => {
  let catalog: Catalog
  let visitor: Visitor
  let listed: readonly string[] = []
  before(async () => {
    catalog = await newOrganization()
    await catalog.call('PUT', `/api/teams/${TEAM}`, { id: TEAM, name: TEAM, type: 'Team' })
    visitor = await newVisitor(browser(), catalog.url, { height: HEIGHT })
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  test('ODCS 3.2 › every field is shown, or listed as shown in the source only', async () => {
    const property = 'schema[].properties[]'
    const marked = markDocument(odcs, {
      without: [`${property}.items`, `${property}.map`, `${property}.properties`],
      variants: {
        'servers[]': [{ type: 'custom' }],
        'schema[].properties[]': [
          { logicalType: 'string' },
          { logicalType: 'vector' },
          { logicalType: 'integer' },
          { logicalType: 'array', items: { logicalType: 'string' } },
          { logicalType: 'number', semanticType: 'measure' },
        ],
      },
    })
    await assertDrawn('datacontracts', marked, [
      '/data-contracts/marked',
      '/data-contracts/marked?view=quality',
      '/data-contracts/marked?view=servers',
    ])
  })

  test('ODPS 1.1 › every field is shown, or listed as shown in the source only', async () => {
    const marked = markDocument(odps, { variants: {}, without: [] })
    await assertDrawn('dataproducts', marked, ['/data-products/marked'])
  })

  test('every reason is still needed', () => {
    const needless = SOURCE_ONLY.filter(([end]) => !listed.some((path) => end.test(path)))
    assert.deepEqual(needless, [])
  })

  async function assertDrawn(
    collection: string,
    { document, marks, fixed }: MarkedDocument,
    paths: readonly string[],
  ): Promise<void> {
    assert.ok(isObject(document) && isObject(document['team'] ?? null))
    const team = { ...Object(document['team']), name: TEAM }
    await catalog.call('PUT', `/api/${collection}/marked`, { ...document, id: 'marked', team })
    let shown = ''
    for (const path of paths) shown += await readPage(path)
    const missing = [...marks].filter(([, texts]) => !texts.some((text) => hasWord(shown, text)))
    const names = missing.map(([path]) => path)
    const unlisted = names.filter((path) => !SOURCE_ONLY.some(([end]) => end.test(path)))
    assert.deepEqual(unlisted, [])
    listed = [...listed, ...names]
    const isShown = (path: string): boolean =>
      FIXED.some(([end, words]) => end.test(path) && words.test(shown))
    assert.deepEqual(
      [...fixed].filter((path) => !isShown(path)),
      [],
    )
  }

  // The texts of a page with the addresses of its links, with all details of its tables and rules.
  async function readPage(path: string): Promise<string> {
    const { page, traffic } = visitor
    await navigate(page, path)
    await waitUntilQuiet(page, traffic)
    // The details of ports are loaded when they are opened.
    for (const fold of await page.locator('main li button[aria-expanded=false]').all()) {
      if ((await fold.getAttribute('aria-controls')) !== null) await fold.click()
    }
    await waitUntilQuiet(page, traffic)
    await page.evaluate(OPEN)
    return await page.evaluate<string>(READ)
  }
})

// Enter would close the group of measures.
const OPEN = `(async () => {
  for (const details of document.querySelectorAll('main details')) details.open = true
  for (const row of document.querySelectorAll('main [role=row][data-index]')) {
    if (!row.innerText.includes('Measures and dimensions')) row.click()
  }
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
})()`

const READ = `(() => {
  const links = [...document.querySelectorAll('main a[href]')].map(({ href }) => href)
  return [document.querySelector('main').innerText, ...links].join('\\n')
})()`

// Pages capitalize a status.
function hasWord(text: string, word: string): boolean {
  const at = text.toLowerCase().indexOf(word.toLowerCase())
  return (
    at >= 0 &&
    (!/\d$/.test(word) ||
      !/\d/.test(text.charAt(at + word.length)) ||
      hasWord(text.slice(at + 1), word))
  )
}
