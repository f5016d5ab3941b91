/**
 * Accessibility of every page of a populated catalog, light, dark and on a phone, and of what opens
 * over them: axe-core finds no violations, the console stays empty, the policy blocks nothing, and
 * nothing overflows.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findViolations } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, shareDemo, type Catalog } from './catalog.ts'
import { hasContent, listContentFaults } from './content-walk.ts'
import { listPlaces, pageNames, publicPlaces, type PlaceInMesh } from './mesh.ts'
import { assertFitsWindow, beginWide, lookAround, lookAt, PHONE, WIDE } from './looks.ts'
import { navigate, waitUntilQuiet } from './navigation.ts'
import { surviveOutage, surviveUpgrade } from './outage.ts'
import { enterNewOrganization, productDocument, putTeam, requestJson } from './people.ts'
import { AT_ONCE, takeTurns } from './turns.ts'

// The ending of each name. In breadcrumbs on a phone, the names share a line, take one line each, or
// take several lines each.
const NAME_ENDINGS: Readonly<Record<string, string>> = {
  'one letter': '',
  'one line': 'ard_operations_hamburg_harbour',
  'several lines': '_operations'.repeat(15),
}

inBrowser('every page', (browser) => {
  let catalog: Catalog
  let places: readonly PlaceInMesh[]
  let named: Visitor
  const namedAssets = new Map<string, string>()
  const visitors = takeTurns(async () => {
    const visitor = await newVisitor(browser(), catalog.url, WIDE)
    await signInQuickly(visitor, catalog.owner)
    return visitor
  })
  before(async () => {
    catalog = await shareDemo()
    places = await listPlaces(catalog)
    named = await newVisitor(browser(), catalog.url, PHONE)
    await signInQuickly(named, catalog.owner)
    const organization = await enterNewOrganization(named, 'Long Names')
    await putTeam(named, 'fleet', [], organization)
    for (const [length, ending] of Object.entries(NAME_ENDINGS)) {
      namedAssets.set(length, await putNamedAsset(named, organization, ending))
    }
  })

  describe('light, dark and on a phone', { concurrency: AT_ONCE }, () => {
    for (const name of pageNames) {
      test(`${name} › has no violations, problems or overflow, and content with correct counts`, async () => {
        const place = places.find((one) => one.name === name) ?? { name, path: '' }
        await visitors.lend(async (visitor) => {
          await beginWide(visitor, place.path)
          const faults = hasContent(place)
            ? await listContentFaults(visitor, place, { isOwner: true })
            : []
          assert.deepEqual(faults, [])
          await lookAround(visitor)
        })
      })
    }
  })

  describe('before signing in', { concurrency: AT_ONCE }, () => {
    const guests = takeTurns(() => newVisitor(browser(), catalog.url, WIDE))
    for (const { name, path } of publicPlaces) {
      test(`${name} › has no violations, problems or overflow`, async () => {
        await guests.lend((guest) => lookAt(guest, path))
      })
    }
  })

  describe('an asset on a phone', () => {
    for (const length of Object.keys(NAME_ENDINGS)) {
      test(`with names of ${length} › has no violations and fits the window`, async () => {
        const { page, problems, traffic } = named
        await navigate(page, namedAssets.get(length) ?? '')
        await waitUntilQuiet(page, traffic)
        assert.deepEqual(await findViolations(page, 'all but colours'), [])
        assert.deepEqual(problems, [])
        await assertFitsWindow(page)
      })
    }
  })

  test('an open menu, palette, list of choices and navigation › have no violations', async () => {
    await visitors.lend(lookAtWhatOpens)
  })

  test('an unavailable server › shows an error page, which retries once the server is back', async () => {
    await visitors.lend(surviveOutage)
  })

  test('an upgraded server › reloads the page once and keeps drafts', async () => {
    await visitors.lend(surviveUpgrade)
  })
})

/**
 * Creates an asset below three others, with tags, links and a data product, all with names and ids that
 * end alike; returns the path of the asset's page. The product has no description, so that product
 * lists show its link directly above the link to its team.
 */
async function putNamedAsset(
  visitor: Visitor,
  organization: string,
  ending: string,
): Promise<string> {
  const put = (path: string, body: object) => requestJson(visitor, 'PUT', path, body, organization)
  const names = ['i', 'j', 'l', 't'].map((letter) => letter + ending)
  for (const [depth, name] of names.entries()) {
    const parents = names.slice(0, depth).slice(-1)
    await put(`/api/assets/${name}`, {
      id: name,
      info: { name, source: 'client', type: 'client_table', status: 'active', owner: 'fleet' },
      tags: names,
      links: Object.fromEntries(names.map((link) => [link, 'https://wiki.velmora.example/'])),
      relationships: parents.map((assetId) => ({ relationshipType: 'parent', assetId })),
    })
  }
  const [product = ''] = names
  const customProperties = [{ property: 'assets', value: names }]
  const outputPorts = [{ name: product, version: '1.0.0', customProperties }]
  const document = productDocument(product, 'fleet', { name: product, outputPorts })
  await put(`/api/dataproducts/${product}`, document)
  return `/assets/${names.at(-1)}`
}

async function lookAtWhatOpens(visitor: Visitor): Promise<void> {
  const { page, problems } = visitor
  await beginWide(visitor, '/nowhere')
  await page.getByRole('button', { name: /^Account of / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await beginWide(visitor, '/data-products/new')
  const owner = page.getByRole('combobox', { name: 'Owner' })
  await owner.press('ArrowDown')
  await page.getByRole('listbox').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('dialog', { name: 'Navigation' }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  assert.deepEqual(problems, [])
}
