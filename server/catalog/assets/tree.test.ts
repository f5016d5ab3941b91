import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import type { TestIntegration } from '../../../test/ingested-assets.ts'
import { ingestSales } from '../../../test/sales-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId } from '../../../test/world.ts'
import type { PersonName, World } from '../../../test/world.ts'
import type { AssetNode, AssetRoot } from './tree.ts'

const ROOTS = '/ui/assets/roots'
const CHILDREN = '/ui/assets/children'
const ASSET = '/ui/assets/{id}'

interface Nodes {
  nodes: AssetNode[]
  next: string | null
}

const below = (parent: string) => ({
  relationships: [{ relationshipType: 'parent', assetId: parent }],
})

onStore((store) => {
  let world: World
  let integration: TestIntegration
  let ids: Record<string, string>
  before(async () => {
    world = await newWorld(newProduct(store()))
    integration = await addIntegration(world, { owner: 'b' })
    ids = await ingestSales(world, integration)
  })

  const roots = (of = world, person: PersonName = 'Uo'): Promise<AssetRoot[]> =>
    readJson<AssetRoot[]>(of.asPerson(person, 'GET', ROOTS))
  const get = (query: string): Promise<Response> =>
    world.asPerson('Uo', 'GET', `${CHILDREN}?${query}`)
  const children = (query: Record<string, string>, of = world): Promise<Nodes> =>
    readJson<Nodes>(of.asPerson('Um', 'GET', `${CHILDREN}?${String(new URLSearchParams(query))}`))
  const put = async (id: string, body: object, of = world): Promise<void> => {
    await expectOk(of.as('O', 'PUT', `/api/assets/${id}`, { body }))
  }

  test(`GET ${ROOTS} › 200 with an integration and the counts of its live and top-level assets`, async () => {
    const own = (await roots()).find(
      (root) => root.integrationExternalId === integration.externalId,
    )
    assert.deepEqual(own, {
      integrationExternalId: integration.externalId,
      name: integration.externalId,
      source: 'postgres',
      assetCount: 5,
      rootCount: 1,
    })
  })

  test(`GET ${ROOTS} › assets without an integration come last, with those without an existing parent`, async () => {
    const own = await newWorld(newProduct(store()))
    assert.deepEqual(await roots(own), [])
    await put('db', { info: { name: 'Db' } }, own)
    await put('s', { info: { name: 'S' }, ...below('db') }, own)
    await put('lost', { info: { name: 'Lost' }, ...below('nowhere') }, own)
    const integration = await addIntegration(own)
    await ingest(own, integration, [sourceTable(['d', 's', 't'])])
    const [first, ...others] = await roots(own)
    assert.equal(first?.integrationExternalId, integration.externalId)
    assert.deepEqual(others, [
      {
        integrationExternalId: null,
        name: 'Without an integration',
        source: null,
        assetCount: 3,
        rootCount: 2,
      },
    ])
    const top = await children({}, own)
    assert.deepEqual(
      top.nodes.map(({ id, childCount }) => `${id} ${childCount}`),
      ['db 1', 'lost 0'],
    )
    await put('nowhere', { info: { name: 'Found' } }, own)
    assert.deepEqual(
      (await children({}, own)).nodes.map(({ id }) => id),
      ['db', 'nowhere'],
    )
    assert.deepEqual(
      (await children({ parent: 'nowhere' }, own)).nodes.map(({ id }) => id),
      ['lost'],
    )
  })

  test(`GET ${ROOTS} › integrations are sorted by name, before assets that clients PUT`, async () => {
    const own = await newWorld(newProduct(store()))
    await put('db', { info: { name: 'Db' } }, own)
    const added = [await addIntegration(own), await addIntegration(own)]
    for (const each of added) await ingest(own, each, [sourceTable(['d', 's', 't'])])
    const names = added.map(({ externalId }) => externalId).toSorted()
    assert.deepEqual(
      (await roots(own)).map(({ integrationExternalId }) => integrationExternalId),
      [...names, null],
    )
  })

  test(`GET ${ROOTS} › the name of an integration is only shown to those who may see it`, async () => {
    const own = await newWorld(newProduct(store()))
    const theirs = await addIntegration(own, { owner: 'b' })
    const [id = ''] = await ingest(own, theirs, [sourceTable(['d', 's', 't'])])
    await store()
      .db.updateTable('integration')
      .set({ name: 'Secret project' })
      .where('id', '=', theirs.id)
      .execute()
    assert.equal((await roots(own, 'Uo'))[0]?.name, 'Secret project')
    assert.equal((await roots(own, 'Um'))[0]?.name, theirs.externalId)
    const seen = await readText(own.asPerson('Um', 'GET', `/ui/assets/${id}`))
    assert.ok(seen.includes(theirs.externalId) && !seen.includes('Secret project'))
  })

  test(`GET ${CHILDREN} › goes down from the integration to the columns' table`, async () => {
    const { externalId } = integration
    const [database] = (await children({ integration: externalId })).nodes
    assert.deepEqual(database, {
      id: ids['sales'],
      name: 'sales',
      type: 'postgres_database',
      description: null,
      ownerId: 'b',
      childCount: 2,
      status: 'live',
    })
    const schemas = await children({ integration: externalId, parent: ids['sales'] ?? '' })
    assert.deepEqual(
      schemas.nodes.map(({ name, childCount }) => `${name} ${childCount}`),
      ['archive 0', 'public 2'],
    )
    const tables = await children({ parent: ids['sales.public'] ?? '' })
    assert.deepEqual(tables, {
      nodes: [
        {
          id: ids['sales.public.customers'],
          name: 'customers',
          type: 'postgres_table',
          description: 'Who buys',
          ownerId: 'b',
          childCount: 0,
          status: 'live',
        },
        {
          id: ids['sales.public.orders'],
          name: 'orders',
          type: 'postgres_table',
          description: null,
          ownerId: 'b',
          childCount: 0,
          status: 'live',
        },
      ],
      next: null,
    })
  })

  test(`GET ${CHILDREN} › returns 5,000 children in pages, each once, sorted by name and id`, async () => {
    const own = await newWorld(newProduct(store()))
    const parent = `schema-${uniqueId()}`
    await put(parent, { info: { name: 'Wide' } }, own)
    const wide = await addIntegration(own)
    const tables = Array.from({ length: 5000 }, (_, at) =>
      sourceTable(['d', 's', `t${at % 2500}`, `${at}`]),
    )
    await ingest(own, wide, tables)
    await store()
      .db.updateTable('asset')
      .set({ parent_id: parent })
      .where('organization_id', '=', own.organizationId)
      .where('integration_id', '=', wide.id)
      .execute()
    const seen: string[] = []
    let after: string | null = null
    let pages = 0
    do {
      const query: Record<string, string> = after === null ? {} : { after }
      const found: Nodes = await children({ ...query, parent, limit: '999' }, own)
      assert.ok(found.nodes.length <= 500)
      seen.push(...found.nodes.map(({ name, id }) => JSON.stringify([name, id])))
      after = found.next
      pages += 1
    } while (after !== null)
    assert.deepEqual([pages, seen.length, new Set(seen).size], [10, 5000, 5000])
    const places = seen.map((one) => JSON.parse(one) as [string, string])
    const sorted = places.toSorted(([a, x], [b, y]) =>
      a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1,
    )
    assert.deepEqual(places, sorted)
    assert.equal((await children({ parent }, own)).nodes.length, 200)
    assert.equal((await roots(own)).at(-1)?.rootCount, 1)
  })

  test(`GET ${CHILDREN} › a page continues after an asset that was deleted`, async () => {
    const own = await newWorld(newProduct(store()))
    for (const id of ['a1', 'b1', 'c1']) await put(id, { info: { name: id } }, own)
    const first = await children({ limit: '2' }, own)
    assert.equal(first.next, 'b1')
    await readText(own.as('O', 'DELETE', '/api/assets/b1'))
    const second = await children({ limit: '2', after: 'b1' }, own)
    assert.deepEqual(second, { nodes: second.nodes, next: null })
    assert.deepEqual(
      second.nodes.map(({ id }) => id),
      ['c1'],
    )
    await expectProblem(own.asPerson('Um', 'GET', `${CHILDREN}?after=never`), 400)
  })

  test(`GET ${CHILDREN} › shows assets that are gone from their source, and counts them as children`, async () => {
    const own = await newWorld(newProduct(store()))
    const gone = await addIntegration(own)
    const known = await ingestSales(own, gone)
    await markGone(own, known['sales.public.orders'] ?? '')
    const { nodes } = await children({ parent: known['sales.public'] ?? '' }, own)
    assert.deepEqual(
      nodes.map(({ name, status }) => `${name} ${status}`),
      ['customers live', 'orders deleted'],
    )
    const schemas = await children({ parent: known['sales'] ?? '' }, own)
    assert.deepEqual(
      schemas.nodes.map(({ childCount }) => childCount),
      [0, 2],
    )
    assert.equal((await roots(own))[0]?.assetCount, 4)
  })

  test(`GET ${CHILDREN} › description and owner of the annotation take precedence`, async () => {
    const id = ids['sales.public.orders'] ?? ''
    const body = { description: 'What was sold', owner: 'a', tags: ['core'] }
    await readText(world.asPerson('Uo', 'PUT', `/ui/assets/${id}/annotation`, { body }))
    const { nodes } = await children({ parent: ids['sales.public'] ?? '' })
    const [, orders] = nodes
    assert.deepEqual([orders?.description, orders?.ownerId], ['What was sold', 'a'])
    await readText(world.asPerson('Uo', 'PUT', `/ui/assets/${id}/annotation`, { body: {} }))
  })

  test(`GET ${CHILDREN} › 404 for an unknown integration or parent, 400 for an invalid limit`, async () => {
    await expectProblem(get('integration=nothing'), 404)
    await expectProblem(get('parent=nothing'), 404)
    for (const limit of ['0', '-1', 'x', '1.5']) await expectProblem(get(`limit=${limit}`), 400)
    for (const query of [
      'parent=%00',
      'after=%00',
      'integration=%00',
      'parent=',
      `parent=${'x'.repeat(300)}`,
    ]) {
      const { status } = await get(query)
      assert.ok(status === 400 || status === 404, `${query} ${status}`)
    }
  })

  test(`GET ${CHILDREN} › sorts long and unusual names correctly`, async () => {
    const own = await newWorld(newProduct(store()))
    const long = 'Ω'.repeat(3000)
    for (const [id, name] of [
      ['1', `${long}b`],
      ['2', `${long}a`],
      ['3', '\u202e<b>'],
    ] as const) {
      await put(id, { info: { name } }, own)
    }
    const seen: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const found: Nodes = await children({ limit: '1', ...(after === '' ? {} : { after }) }, own)
      seen.push(...found.nodes.map(({ id }) => id))
      after = found.next
    }
    assert.deepEqual(seen, ['1', '2', '3'])
  })

  test(`GET ${ASSET} › 404 for an unknown asset, and for one of another organization`, async () => {
    const other = await newWorld(newProduct(store()))
    for (const id of [uniqueId(), ids['sales'] ?? '']) {
      await expectProblem(other.asPerson('Uo', 'GET', `/ui/assets/${id}`), 404)
      await expectProblem(other.asPerson('Uo', 'GET', `${CHILDREN}?parent=${id}`), 404)
    }
    const path = `${CHILDREN}?integration=${integration.externalId}`
    await expectProblem(other.asPerson('Uo', 'GET', path), 404)
    assert.deepEqual(await roots(other), [])
    assert.deepEqual((await children({}, other)).nodes, [])
  })

  test(`${ROOTS}, ${CHILDREN}, ${ASSET} › 401 with a key`, async () => {
    for (const path of [ROOTS, CHILDREN, '/ui/assets/x']) {
      await expectProblem(world.as('O', 'GET', path), 401)
    }
  })
})
