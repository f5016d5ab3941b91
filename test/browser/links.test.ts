/**
 * Every link of the pages has a valid target: no missing page, no failed request, no empty list behind
 * a count, no missing fragment.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inBrowser, type Visitor } from './browser.ts'
import { shareDemo, type Catalog } from './catalog.ts'
import { listContentFaults, listContentPlaces, walkContents } from './content-walk.ts'
import { walkLinks, type Walk } from './link-walk.ts'
import { enterNewOrganization, newSignedInVisitor } from './people.ts'
import { walkWithFewRights } from './rights-walk.ts'

const PER_PATTERN_MAX = 3

// Home, and the empty states of searches.
const STARTS = [
  '/',
  '/search?query=zzqqxxyy',
  '/search?query=journey_id&resourceType=TEAM',
  '/search?query=wagon&p=99',
]

const FEW_RIGHTS = { isOwner: false }

inBrowser('links', (browser) => {
  let catalog: Catalog
  before(async () => {
    catalog = await shareDemo()
  })

  test('are all valid in a populated catalog', async () => {
    const visitor = await newSignedInVisitor(browser(), catalog, catalog.owner)
    const { opened } = await walk(visitor, PER_PATTERN_MAX)
    for (const page of ['/data-products/', '/data-contracts/', '/teams/', '/assets/', '/guides/']) {
      assert.ok(
        opened.some((url) => url.startsWith(page)),
        `no link opens ${page}`,
      )
    }
    await visitor.close()
  })

  test('lead a member without a team to pages that are true for them, with content', async () => {
    const [member] = catalog.people.slice(-1)
    assert.ok(member !== undefined)
    const visitor = await newSignedInVisitor(browser(), catalog, member)
    const places = new Map((await listContentPlaces(catalog)).map((place) => [place.path, place]))
    const faults = await walkWithFewRights(visitor, catalog, async (address) => {
      const place = places.get(address)
      places.delete(address)
      return place === undefined ? [] : await listContentFaults(visitor, place, FEW_RIGHTS)
    })
    assert.deepEqual(faults, [])
    assert.deepEqual(await walkContents(visitor, [...places.values()], FEW_RIGHTS), [])
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  // The owner visits them in accessibility.test.ts.
  test('lead the other people of the demo to pages with content, whose counts are those of their rows', async () => {
    const places = await listContentPlaces(catalog)
    for (const person of catalog.people.slice(1, -1)) {
      const visitor = await newSignedInVisitor(browser(), catalog, person)
      assert.deepEqual(await walkContents(visitor, places, FEW_RIGHTS), [], person.email)
      assert.deepEqual(visitor.problems, [])
      await visitor.close()
    }
  })

  test('are all valid in an empty organization', async () => {
    const visitor = await newSignedInVisitor(browser(), catalog, catalog.owner)
    await enterNewOrganization(visitor, 'Empty Yard')
    await walk(visitor, 1)
    await visitor.close()
  })
})

async function walk(visitor: Visitor, perPatternMax: number): Promise<Walk> {
  const walked = await walkLinks(visitor, { starts: STARTS, perPatternMax })
  assert.deepEqual(walked.dead, [])
  assert.deepEqual(visitor.problems, [])
  return walked
}
