/**
 * Accessibility of every page of data products, data contracts and assets: light, dark and on a phone.
 */

import { after, before, describe, test } from 'node:test'
import { inBrowser, newVisitor } from './browser.ts'
import { signInQuickly, startDemo, type Catalog } from './catalog.ts'
import { isCatalogPage, lookAt, WIDE } from './looks.ts'
import { listPlaces, pageNames, type PlaceInMesh } from './mesh.ts'
import { AT_ONCE, takeTurns } from './turns.ts'

inBrowser('every page of the catalog', (browser) => {
  let catalog: Catalog
  let places: readonly PlaceInMesh[]
  const visitors = takeTurns(async () => {
    const visitor = await newVisitor(browser(), catalog.url, WIDE)
    await signInQuickly(visitor, catalog.owner)
    return visitor
  })
  before(async () => {
    catalog = await startDemo()
    places = await listPlaces(catalog)
  })
  after(() => visitors.close())

  describe('light, dark and on a phone', { concurrency: AT_ONCE }, () => {
    for (const name of pageNames.filter(isCatalogPage)) {
      test(`${name} › has no violations, problems or overflow`, async () => {
        const path = places.find((place) => place.name === name)?.path ?? ''
        await visitors.lend((visitor) => lookAt(visitor, path))
      })
    }
  })
})
