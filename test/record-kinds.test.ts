/**
 * A further kind of record is one declaration and one line in `formats/record/kinds.ts`. This file replaces that list by
 * one that has a further kind, and expects every guarantee of every kind in it without any other change.
 */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { RecordKind } from '../formats/record/record-kind.ts'
import type { Plan } from '../server/ledger/history/plan.ts'
import type { VersionSummary } from '../server/ledger/history/revision.ts'
import type { SearchAnswer } from '../server/documents/search/search.ts'
import type { ActivityPage } from '../server/ledger/activity/activity.ts'
import { expectProblem, readJson, readText } from './answers.ts'
import type { World } from './world.ts'

const LIST = new URL('../formats/record/kinds.ts', import.meta.url).href
const LONGER_LIST = new URL('longer-record-kinds.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolution = nextResolve(specifier, context)
    return resolution.url === LIST ? { ...resolution, url: LONGER_LIST } : resolution
  },
})

// Only modules that are loaded from here on see the longer list.
const { RECORDS: list } = await import('../formats/record/kinds.ts')
const kinds: readonly RecordKind[] = list
const { buildRecord, hasOwner, toRecordId } = await import('./records.ts')
const { openTestStore } = await import('./stores.ts')
const { listEventsOfSubject, summarizeEvent } = await import('./feed.ts')
const { expectOk, newProduct, newWorld, odcs, odps } = await import('./world.ts')
const { GROUP_CHANGES_MAX } = await import('../server/ledger/activity/activity.ts')
const { ensureIndex } = await import('../server/documents/search/rebuild-service.ts')
const { exportStore } = await import('../server/transfer/export.ts')
const { importStore } = await import('../server/transfer/import.ts')
const { verifyStore } = await import('../server/transfer/verify.ts')
// The compiler must not follow this import: the pages have other settings.
const PAGES = new URL('../web/pages/records/pages.ts', import.meta.url).href
const { pages } = (await import(PAGES)) as { pages: readonly { path: string; title: string }[] }

const directory = mkdtempSync(join(tmpdir(), 'portbook-records-'))
const [source, target] = await Promise.all([openTestStore(), openTestStore()])
let world: World

before(async () => {
  await ensureIndex(source.db)
  world = await newWorld(newProduct(source))
})

after(async () => {
  await Promise.all([source.close(), target.close()])
  rmSync(directory, { recursive: true })
})

test('the list has a kind that the product does not have', () => {
  assert.ok(kinds.some(({ event }) => event === 'GlossaryTerm'))
})

for (const kind of kinds) {
  const { collection, event, resourceType } = kind
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    world.as('O', method, `${collection}${path}`, { body })
  const one = toRecordId(kind, 'one')
  const two = toRecordId(kind, 'two')
  const ofB = toRecordId(kind, 'of-b')
  const found = toRecordId(kind, 'found')
  const listIds = async (query: string): Promise<unknown[]> => {
    const documents = await readJson<object[]>(send('GET', query))
    return documents.map((document) => Reflect.get(document, String(kind.paths.id[0])))
  }

  test(`${collection} › is stored, listed, filtered and deleted, with versions, plans and events`, async () => {
    const document = buildRecord(kind, one, { name: 'Basalt Ledger', tags: ['stone'] })
    const created = await expectOk(send('PUT', `/${one}`, document))
    assert.equal(created.headers.get('location-html'), `http://portbook.test/${kind.pages}/${one}`)
    await expectOk(send('PUT', `/${two}`, buildRecord(kind, two, { owner: 'b' })))
    assert.deepEqual(await readJson(send('GET', `/${one}`)), document)
    const filters = {
      '?q=basalt': true,
      '?tag=stone': kind.paths.tags !== undefined,
      '?teamId=a': hasOwner(kind),
    }
    for (const [query, isPossible] of Object.entries(filters)) {
      if (isPossible) assert.deepEqual(await listIds(query), [one], query)
    }
    assert.deepEqual(await listIds('?sort=-createdAt'), [two, one])
    assert.deepEqual(await listIds('?p=1'), [])
    const moved = buildRecord(kind, one, { name: 'Basalt Ledger', owner: 'b' })
    const level = hasOwner(kind) ? 'additive' : 'wording'
    const plan = await readJson<Plan>(send('PUT', `/${one}?dryRun=true`, moved))
    assert.deepEqual([plan.outcome, plan.level], ['updated', level])
    await expectOk(send('PUT', `/${one}`, moved))
    const versions = await readJson<VersionSummary[]>(send('GET', `/${one}/versions`))
    assert.deepEqual(
      versions.map(({ level }) => level),
      [level, 'none'],
    )
    const diff = await readJson<{ changes: unknown[] }>(send('GET', `/${one}/diff`))
    assert.deepEqual(diff.changes, plan.changes)
    await readText(send('DELETE', `/${two}`))
    const names = (await listEventsOfSubject(world, two)).map(summarizeEvent)
    assert.deepEqual(names.slice(-2), [`${event}CreatedEvent`, `${event}DeletedEvent`])
  })

  test(`${collection} › belongs to its team and its organization`, async () => {
    const document = buildRecord(kind, ofB, { owner: 'b' })
    const isOwned = hasOwner(kind)
    const path = `${collection}/${ofB}`
    await expectProblem(world.as('T', 'PUT', path, { body: document }), 403)
    await expectOk(world.as('O', 'PUT', path, { body: document }))
    await expectProblem(world.as('Um', 'DELETE', path), 403)
    if (kind.shape.required.length > 0) {
      await expectProblem(world.as('O', 'PUT', path, { body: { key: ofB } }), 422)
    }
    if (isOwned) {
      const inUse = await expectProblem(world.as('O', 'DELETE', '/api/teams/b'), 422)
      assert.ok(
        inUse.uses?.some((use) => use.kind === kind.kind && use.id === ofB),
        inUse.detail,
      )
    }
    const other = await newWorld(world)
    await expectProblem(other.as('O', 'GET', path), 404)
    assert.equal(await readText(other.as('O', 'GET', collection)), '[]')
  })

  test(`${collection} › is found by search with facets, and shown in the activity`, async () => {
    const document = buildRecord(kind, found, { name: 'Feldspar', tags: ['mineral'] })
    await expectOk(send('PUT', `/${found}`, document))
    const tag = kind.paths.tags === undefined ? '' : '&tag=mineral'
    const query = `?query=feldspar&resourceType=${resourceType}${tag}`
    const answer = await readJson<SearchAnswer>(world.as('Or', 'GET', `/api/search${query}`))
    const [result, ...others] = answer.results
    assert.deepEqual(others, [])
    assert.equal(result?.url, `http://portbook.test/${kind.pages}/${found}`)
    const ownerId = hasOwner(kind) ? 'a' : null
    assert.deepEqual([result?.ownerId, result?.resourceType], [ownerId, resourceType])
    const facet = answer.facets?.resourceType.find(({ value }) => value === resourceType)
    assert.deepEqual(facet, { value: resourceType, label: kind.label, count: 1 })
    const activity = world.asPerson('Um', 'GET', `/ui/activity?kind=${kind.kind}`)
    const { groups } = await readJson<ActivityPage>(activity)
    const changes = groups.flatMap((group) => group.changes)
    const name = kind.paths.name === undefined ? found : 'Feldspar'
    // A group shows its first changes by id.
    const isShown = changes.some((change) => change.id === found && change.name === name)
    assert.ok(isShown || changes.length === GROUP_CHANGES_MAX)
  })

  test(`${collection} › is described by OpenAPI, and has pages`, async () => {
    type Operations = Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>
    const { paths } = await readJson<{ paths: Operations }>(world.call('GET', '/openapi.json'))
    assert.equal(paths[`${collection}/{id}`]?.put?.operationId, `put${event}`)
    assert.equal(Object.keys(paths).filter((path) => path.startsWith(collection)).length, 5)
    const addresses = pages.map(({ path }) => path)
    for (const end of ['', '/new', '/$id', '/$id/edit', '/$id/versions']) {
      assert.ok(addresses.includes(`/${kind.pages}${end}`), end)
    }
  })
}

test('/api/glossaryterms › the plan of a deletion lists the documents that the declaration names', async () => {
  const put = async (path: string, body: object): Promise<Response> =>
    await expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))
  const about = { steward: 'a' }
  await put('glossaryterms/gneiss', { key: 'gneiss', term: 'Gneiss', labels: ['banded'], about })
  await put('dataproducts/by-term', odps('by-term', { tags: ['Gneiss'] }))
  await put('dataproducts/by-label', odps('by-label', { tags: ['banded'] }))
  await put('dataproducts/by-id', odps('by-id', { tags: ['gneiss'] }))
  await put('datacontracts/by-term', odcs('by-term', { tags: ['Gneiss'] }))
  const removal = world.as('O', 'DELETE', '/api/glossaryterms/gneiss?dryRun=true')
  const { usedBy } = await readJson<Plan>(removal)
  const ids = usedBy?.documents.map(({ resourceType, id }) => `${resourceType} ${id}`)
  assert.deepEqual(ids, ['DATA_PRODUCT by-label', 'DATA_PRODUCT by-term'])
})

test('export and import › keep every record, and verify checks them', async () => {
  const path = join(directory, 'records.jsonl')
  await exportStore(source.connection, path, '0.1.0')
  await importStore({ connection: target.connection, path, assertEncryptionKey: () => undefined })
  await ensureIndex(target.db)
  const there = newProduct(target)
  for (const { collection } of kinds) {
    const key = world.keys.Or
    const kept = await readText(there.call('GET', collection, { key }))
    assert.equal(kept, await readText(world.as('Or', 'GET', collection)))
  }
  assert.deepEqual(await listFindings(), [])
  const ids = kinds.map((kind) => toRecordId(kind, 'found'))
  await sql`update catalog_record set name = 'Wrong' where external_id = any(${ids})`.execute(
    target.db,
  )
  const findings = await listFindings()
  for (const kind of kinds) {
    const start = `${kind.called} "${toRecordId(kind, 'found')}"`
    assert.ok(
      findings.some((text) => text.startsWith(start) && text.includes('Wrong')),
      findings.join('\n'),
    )
  }
})

async function listFindings(): Promise<string[]> {
  return (await verifyStore(target.db)).flatMap(({ findings }) => findings)
}
