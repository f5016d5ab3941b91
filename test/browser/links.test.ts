/**
 * Every link of the pages has a valid target: no missing page, no failed request, no empty list behind
 * a count, no missing fragment.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inBrowser, type Visitor } from './browser.ts'
import { shareDemo, type Catalog } from './catalog.ts'
import { walkContents } from './content-walk.ts'
import { walkLinks, type Walk } from './link-walk.ts'
import { listPlaces, mainPageNames } from './mesh.ts'
import { acceptInvitation, enterNewOrganization, newSignedInVisitor } from './people.ts'
import { walkWithFewRights } from './rights-walk.ts'

const PER_PATTERN_MAX = 3

// Home, and the empty states of searches.
const STARTS = [
  '/',
  '/search?query=zzqqxxyy',
  '/search?query=journey_id&resourceType=TEAM',
  '/search?query=wagon&p=99',
]

// Forms begin empty.
const FORM = /\/(?:new|edit)\b/

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

  test('lead a member without a team to pages that are true for them', async () => {
    const owner = await newSignedInVisitor(browser(), catalog, catalog.owner)
    const lone = { email: 'lone.walker@velmora.example', name: 'Lone Walker' }
    const person = await acceptInvitation(owner, catalog, lone)
    await owner.close()
    const visitor = await newSignedInVisitor(browser(), catalog, person)
    assert.deepEqual(await walkWithFewRights(visitor, catalog), [])
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('lead each person of the demo to pages with content, whose counts are those of their rows', async () => {
    const places = (await listPlaces(catalog)).filter(
      ({ name, path }) => mainPageNames.includes(name) && name !== 'no page' && !FORM.test(path),
    )
    for (const person of catalog.people) {
      const visitor = await newSignedInVisitor(browser(), catalog, person)
      const isOwner = person === catalog.people[0]
      assert.deepEqual(await walkContents(visitor, places, { isOwner }), [], person.email)
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
