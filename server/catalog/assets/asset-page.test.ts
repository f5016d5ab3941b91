import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { addIntegration, type TestIntegration } from '../../../test/ingested-assets.ts'
import { ingestSales } from '../../../test/sales-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { PersonName, World } from '../../../test/world.ts'
import type { AssetNode, AssetPage } from './tree.ts'

const CHILDREN = '/ui/assets/children'
const ASSET = '/ui/assets/{id}'

interface Nodes {
  nodes: AssetNode[]
}

const below = (parent: string) => ({
  relationships: [{ relationshipType: 'parent', assetId: parent }],
})

function descriptionIn(asset: Record<string, unknown> | null): unknown {
  return (asset?.['info'] as { description?: string } | undefined)?.description
}

onStore((store) => {
  let world: World
  let integration: TestIntegration
  let ids: Record<string, string>
  before(async () => {
    world = await newWorld(newProduct(store()))
    integration = await addIntegration(world, { owner: 'b' })
    ids = await ingestSales(world, integration)
  })

  const children = (query: Record<string, string>): Promise<Nodes> =>
    readJson<Nodes>(
      world.asPerson('Um', 'GET', `${CHILDREN}?${String(new URLSearchParams(query))}`),
    )
  const page = (id: string, person: PersonName = 'Uo'): Promise<AssetPage> =>
    readJson<AssetPage>(world.asPerson(person, 'GET', `/ui/assets/${encodeURIComponent(id)}`))
  const put = async (id: string, body: object): Promise<void> => {
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body }))
  }

  test(`GET ${ASSET} › 200 with the source's document and the annotation`, async () => {
    const id = ids['sales.public.customers'] ?? ''
    const body = { description: 'Customers of all shops', tags: ['people'] }
    const put = world.asPerson('Uo', 'PUT', `/ui/assets/${id}/annotation`, { body })
    const tag = (await expectOk(put)).headers.get('etag')
    await expectOk(
      world.as('O', 'PUT', `/api/dataproducts/${id}-p`, {
        body: odps(`${id}-p`, { customProperties: [{ property: 'assets', value: [id] }] }),
      }),
    )
    const { asset, source, annotation, statistic, ...rest } = await page(id)
    assert.deepEqual(rest, {
      id,
      name: 'customers',
      type: 'postgres_table',
      isIngested: true,
      isDeleted: false,
      version: 2,
      etag: tag,
      integration: {
        externalId: integration.externalId,
        name: integration.externalId,
        source: 'postgres',
        isVisible: true,
      },
      parents: [
        { id: ids['sales'], name: 'sales', type: 'postgres_database' },
        { id: ids['sales.public'], name: 'public', type: 'postgres_schema' },
      ],
      childCount: 0,
      products: [{ id: `${id}-p`, name: `Product ${id}-p`, ownerId: 'a', ownerName: 'Team A' }],
      ownerName: 'Team B',
    })
    assert.deepEqual(asset, await readJson(world.as('O', 'GET', `/api/assets/${id}`)))
    assert.equal(descriptionIn(source), 'Who buys')
    assert.equal(descriptionIn(asset), 'Customers of all shops')
    assert.equal(annotation?.description, 'Customers of all shops')
    assert.deepEqual([annotation?.ownerId, annotation?.tags], [null, ['people']])
    assert.equal(annotation?.updatedBy, `user:${world.userIds.Uo}`)
    assert.equal(statistic?.rowCount, 7)
  })

  test(`GET ${ASSET} › names an integration that the person may not see only by its id`, async () => {
    const path = `/ui/assets/${ids['sales.public.orders'] ?? ''}`
    const shown = await readJson<AssetPage>(world.asPerson('Um', 'GET', path))
    const { externalId } = integration
    assert.deepEqual(shown.integration, {
      externalId,
      name: externalId,
      source: 'postgres',
      isVisible: false,
    })
  })

  test(`GET ${ASSET} › PUT annotation accepts its etag as If-Match`, async () => {
    const id = ids['sales.public.orders'] ?? ''
    const { etag } = await page(id)
    const annotate = (tag: string, tags: string[]): Promise<Response> =>
      world.asPerson('Uo', 'PUT', `/ui/assets/${id}/annotation`, {
        body: { tags },
        headers: { 'if-match': tag },
      })
    await readText(annotate(etag, ['one']))
    await expectProblem(annotate(etag, ['two']), 412)
    await readText(annotate((await page(id)).etag, ['two']))
  })

  test(`GET ${ASSET} › 200 for one that was PUT, with no source and no integration`, async () => {
    const id = `put-${uniqueId()}`
    await put(id, { info: { name: 'Topic', type: 'kafka_topic', owner: 'b' } })
    const shown = await page(id)
    assert.deepEqual(
      [shown.isIngested, shown.source, shown.annotation, shown.integration, shown.statistic],
      [false, null, null, null, null],
    )
    assert.deepEqual([shown.type, shown.ownerName, shown.parents], ['kafka_topic', 'Team B', []])
  })

  test(`GET ${ASSET} › ends at a cycle of parents`, async () => {
    const [one, two] = [uniqueId(), uniqueId()]
    await put(one, { info: { name: 'One' }, ...below(two) })
    await put(two, { info: { name: 'Two' }, ...below(one) })
    assert.deepEqual(
      (await page(one)).parents.map(({ id }) => id),
      [two],
    )
    assert.deepEqual(
      (await children({ parent: one })).nodes.map(({ id }) => id),
      [two],
    )
  })
})
