import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
import type { Deprecations } from './deprecation.ts'

const put = (world: World, path: string, body: object) =>
  expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))

const list = async (world: World, ...of: string[]): Promise<Deprecations['documents']> => {
  const query = of.map((name) => `of=${encodeURIComponent(name)}`).join('&')
  return (await readJson<Deprecations>(world.asPerson('Um', 'GET', `/ui/deprecations?${query}`)))
    .documents
}

const replacedBy = (value: string) => ({
  deprecated: true,
  customProperties: [{ property: 'replacedBy', value }],
})

const newPort = (more: object = {}) => ({ name: 'out', version: '2', contractId: 'c', ...more })

const product = (more: object) => odps('p', { apiVersion: 'v1.1.0', ...more })

/** Registers a product whose flag, or that of its port, has a successor, and returns the shown successor. */
const findReplacement = async (world: World, value: string, isOfPort = false) => {
  const old = { name: 'old', version: '1', ...replacedBy(value) }
  const body = isOfPort ? { outputPorts: [old, newPort()] } : replacedBy(value)
  await put(world, 'dataproducts/p', product(body))
  const [document] = await list(world, 'data-product/p')
  return document?.parts[0]?.replacement
}

onStore((store) => {
  const newCatalog = async (): Promise<World> => {
    const world = await newWorld(newProduct(store()))
    await put(world, 'datacontracts/next', odcs('next', { name: 'Next contract' }))
    await put(
      world,
      'dataproducts/next',
      odps('next', { name: 'Next product', outputPorts: [newPort()] }),
    )
    return world
  }

  test('GET /ui/deprecations › names the replacement by id, by address, and by the name of another port', async () => {
    const world = await newCatalog()
    const base = 'http://portbook.test'
    const next = {
      kind: 'data-product',
      id: 'next',
      portId: null,
      name: 'Next product',
      url: `${base}/data-products/next`,
    }
    const contract = {
      ...next,
      kind: 'data-contract',
      name: 'Next contract',
      url: `${base}/data-contracts/next`,
    }
    const port = { ...next, kind: 'output-port', portId: 'out', name: 'out' }
    const rows: [value: string, isOfPort: boolean, expected: object | null][] = [
      ['next', false, next],
      [' next ', true, next],
      [`${base}/data-products/next`, false, next],
      [`${base}/api/dataproducts/next`, false, next],
      ['/data-contracts/next', false, contract],
      [`${base}/api/datacontracts/next?asOf=x`, false, contract],
      [`${base}/data-products/next#port-out-2`, false, port],
      [`${base}/api/dataproducts/next/outputports/out`, true, port],
      ['out', true, { ...port, id: 'p', url: `${base}/data-products/p` }],
      ['out', false, null],
      ['nowhere', false, null],
      [`${base}/data-products/next#port-gone`, false, null],
      ['https://other.example/data-products/next', false, null],
      [`${base}/data-products/%E0%A4%A`, false, null],
    ]
    for (const [value, isOfPort, expected] of rows) {
      assert.deepEqual(await findReplacement(world, value, isOfPort), expected, value)
    }
  })

  test('GET /ui/deprecations › lists parts of contracts and of DPS, with advice and announcement', async () => {
    const world = await newCatalog()
    const field = {
      name: 'total',
      logicalType: 'number',
      description: 'Use net.',
      ...replacedBy('next'),
    }
    const contract = odcs('c', {
      apiVersion: 'v3.2.0',
      schema: [{ name: 'orders', properties: [field] }],
    })
    await put(world, 'datacontracts/c', contract)
    const info = { title: 'Old', owner: 'a', status: 'retired' }
    await put(world, 'dataproducts/old', dps('old', { info, custom: { replacedBy: 'next' } }))
    const documents = await list(
      world,
      'data-product/old',
      'data-product/next',
      'data-contract/none',
      'data-contract/c',
    )
    assert.deepEqual(
      documents.map(({ kind, id, parts }) => [kind, id, parts.map(({ name }) => name)]),
      [
        ['data-product', 'old', ['Old']],
        ['data-contract', 'c', ['orders.total']],
      ],
    )
    assert.equal(documents[0]?.parts[0]?.replacement?.name, 'Next product')
    const [part] = documents[1]?.parts ?? []
    assert.deepEqual(
      [part?.kind, part?.advice, part?.pointer],
      ['field', 'Use net.', '/schema/0/properties/0'],
    )
    assert.equal(part?.replacement?.name, 'Next contract')
    assert.equal(part.since?.version, 1)
  })

  test('GET /ui/deprecations › reads documents whose version an earlier release wrote', async () => {
    const [world, twin] = [await newCatalog(), await newCatalog()]
    for (const one of [world, twin]) await put(one, 'dataproducts/p', product(replacedBy('next')))
    await sql`
      update revision set facts = facts - 'deprecated' where organization_id = ${world.organizationId}
    `.execute(store().db)
    const [[old], [recorded]] = [
      await list(world, 'data-product/p', 'data-contract/next'),
      await list(twin, 'data-product/p'),
    ]
    assert.deepEqual([old?.parts[0]?.since, recorded?.parts[0]?.since?.version], [null, 1])
    assert.equal(old?.parts[0]?.replacement?.name, 'Next product')
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/p'))
    assert.deepEqual(await list(world, 'data-product/p'), [])
  })

  test('GET /ui/deprecations › names a deprecated output port by the id that agreements name', async () => {
    const world = await newCatalog()
    const named = { deprecated: true, name: 'a@b', version: '1' }
    const outputPorts = [named, { ...named, id: 'x/y', version: '2' }]
    const inputPorts = [{ deprecated: true, name: 'in', version: '1', contractId: 'c' }]
    await put(world, 'dataproducts/p', product({ outputPorts, inputPorts }))
    const [document] = await list(world, 'data-product/p')
    assert.deepEqual(
      document?.parts.map(({ kind, portId }) => [kind, portId]),
      [
        ['input port', null],
        ['output port', 'a@b'],
        ['output port', 'x/y'],
      ],
    )
  })

  test('GET /ui/deprecations › names the contract of a deprecated version of a port', async () => {
    const [world, twin] = [await newCatalog(), await newCatalog()]
    const newer = { name: 'out', version: '2', contractId: 'newer' }
    const older = { deprecated: true, name: 'out', version: '1', contractId: 'older' }
    const other = { deprecated: true, name: 'other', version: '1' }
    await put(world, 'dataproducts/p', product({ outputPorts: [newer, older, other] }))
    const outputPorts = [newer, { ...older, contractId: 'of-twin' }]
    await put(twin, 'dataproducts/p', product({ outputPorts }))
    const [document] = await list(world, 'data-product/p')
    assert.deepEqual(
      document?.parts.map(({ portId, contractId }) => [portId, contractId]),
      [
        ['out', 'older'],
        ['other', null],
      ],
    )
  })

  test('GET /ui/deprecations › names nothing of another organization', async () => {
    const [world, twin] = [await newWorld(newProduct(store())), await newCatalog()]
    await put(twin, 'dataproducts/p', product(replacedBy('next')))
    assert.equal(await findReplacement(world, 'next'), null)
    await put(world, 'dataproducts/p', product({}))
    assert.deepEqual(await list(world, 'data-product/p', 'data-product/next'), [])
    assert.equal((await list(twin, 'data-product/p'))[0]?.parts.length, 1)
  })

  test('GET /ui/deprecations › 400 for another kind, and for too many documents', async () => {
    const world = await newWorld(newProduct(store()))
    const ask = (query: string) => world.asPerson('Um', 'GET', `/ui/deprecations?${query}`)
    await expectProblem(ask('of=team/a'), 400, /of/)
    await expectProblem(ask(Array(101).fill('of=data-product/a').join('&')), 400, /of/)
  })
})
