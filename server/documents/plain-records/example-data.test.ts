/** Example data of output ports. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { EXAMPLE_DATA } from '../../../formats/record/plain-kinds/example-data.ts'
import { COST } from '../../../formats/record/plain-kinds/cost.ts'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { buildPlainRecord } from '../../../test/plain-records.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
  type World,
} from '../../../test/world.ts'

const LIST = '/api/example-data'
const MEBIBYTE = 1024 * 1024

const contract = (column: string): Record<string, unknown> => ({
  ...odcs('rows-contract'),
  schema: [{ name: 'row', properties: [{ name: column, logicalType: 'integer' }] }],
})

const readWarnings = async (answer: Promise<Response>): Promise<string[]> => {
  const { headers, status } = await answer
  assert.equal(status, 200)
  return JSON.parse(headers.get('portbook-warnings') ?? '[]')
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    for (const id of ['p', 'q']) await putOne(world, 'dataproducts', odps(id))
  })

  const put = (id: string, body: unknown): Promise<Response> =>
    world.as('O', 'PUT', `${LIST}/${id}`, { body })
  const listIds = async (query: string): Promise<string[]> => {
    const all = await readJson<{ id: string }[]>(world.as('Or', 'GET', `${LIST}${query}`))
    return all.map(({ id }) => id)
  }

  test('PUT /api/example-data/{id} › takes an object or an array of data', async () => {
    for (const data of [[{ id: 1 }, { id: 9007199254740993n }], { orders: [] }, []]) {
      const text = JSON.stringify({ id: 'rows', dataProductId: 'p', data }, (_, value: unknown) =>
        typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
      )
      const answer = await put('rows', text)
      assert.equal(answer.headers.get('location-html'), 'http://portbook.test/data-products/p')
      assert.equal(await answer.text(), text)
    }
    await expectViolations(put('rows', { dataProductId: 'p', data: 'x' }), 422, ['data'])
    await expectViolations(put('rows', { data: [] }), 422, ['dataProductId'])
    await expectViolations(put('rows', { dataProductId: 'unknown' }), 422, ['dataProductId'])
  })

  describe('PUT /api/example-data/{id} › 200 with warnings', () => {
    const example = {
      dataProductId: 'p',
      dataContractId: 'rows-contract',
      schemaName: 'row',
      data: [{ id: 1, ghost: 2 }],
    }
    before(async () => {
      await putOne(world, 'datacontracts', contract('id'))
      // The twin has a contract of the same id in which the column exists.
      const other = await newWorld(newProduct(store()))
      await putOne(other, 'datacontracts', contract('ghost'))
    })

    test('about columns that the data contract lacks', async () => {
      const expected = ['Column "ghost" is not in the data contract. Model "row", 1 row.']
      assert.deepEqual(await readWarnings(put('warned', { id: 'warned', ...example })), expected)
      assert.deepEqual(await readWarnings(put('warned', { id: 'warned', ...example })), expected)
    })

    test('none for rows that fit, and for a contract that does not exist', async () => {
      const fitting = { ...example, id: 'warned', data: [{ id: 1 }] }
      assert.deepEqual(await readWarnings(put('warned', fitting)), [])
      const unknown = { ...example, id: 'warned', dataContractId: 'none' }
      assert.deepEqual(await readWarnings(put('warned', unknown)), [])
      const unnamed = { id: 'warned', dataProductId: 'p', data: [{ ghost: 1 }] }
      assert.deepEqual(await readWarnings(put('warned', unnamed)), [])
      await expectOk(world.as('O', 'DELETE', `${LIST}/warned`))
    })
  })

  test('PUT /api/example-data/{id} › takes 1 MiB, 413 for more', async () => {
    const start = '{"id":"large","dataProductId":"p","data":["'
    const largest = `${start}${'x'.repeat(MEBIBYTE - start.length - 3)}"]}`
    assert.equal(await readText(put('large', largest)), largest)
    assert.equal(await readText(world.as('O', 'GET', `${LIST}/large`)), largest)
    await expectProblem(put('large', `${largest} `), 413)
    await expectOk(world.as('O', 'DELETE', `${LIST}/large`))
  })

  test('GET /api/example-data › filters by data product, output port and contract', async () => {
    await expectOk(put('one', { id: 'one', dataProductId: 'q', outputPortId: 'out' }))
    const two = { id: 'two', dataProductId: 'q', outputPortId: 'in', dataContractId: 'c' }
    await expectOk(put('two', two))
    assert.deepEqual(await listIds('?dataProductId=q'), ['one', 'two'])
    assert.deepEqual(await listIds('?outputPortId=out'), ['one'])
    assert.deepEqual(await listIds('?dataProductId=q&dataContractId=c'), ['two'])
    assert.deepEqual(await listIds('?dataProductId=p&dataContractId=c'), [])
    await expectOk(put('two', { ...two, dataContractId: undefined }))
    assert.deepEqual(await listIds('?dataContractId=c'), [])
    const all = await listIds('')
    assert.ok(all.includes('one') && all.includes('two'))
  })

  test('GET /api/example-data › lists more than 1000 without pages', async () => {
    const other = await newWorld(world)
    const ids: string[] = []
    for (let product = 0; product < 11; product += 1) {
      await putOne(other, 'dataproducts', odps(`p${product}`))
      const batch = Array.from({ length: 92 }, (_, at) => `row-${product}-${at}`)
      await Promise.all(
        batch.map(async (id) => {
          const body = { id, dataProductId: `p${product}` }
          await expectOk(other.as('O', 'PUT', `${LIST}/${id}`, { body }))
        }),
      )
      ids.push(...batch)
    }
    const answer = await expectOk(other.as('O', 'GET', LIST))
    assert.equal(answer.headers.get('link'), null)
    const all = (await answer.json()) as { id: string }[]
    assert.deepEqual(all.map(({ id }) => id).toSorted(), ids.toSorted())
  })

  test('PUT /api/example-data/{id} › moving it to another data product needs the permission on both', async () => {
    await putOne(world, 'dataproducts', odps('of-b', { team: { name: 'b' } }))
    const path = `${LIST}/moved`
    await expectOk(world.as('T', 'PUT', path, { body: { dataProductId: 'p' } }))
    await expectProblem(world.as('T', 'PUT', path, { body: { dataProductId: 'of-b' } }), 403)
    await expectOk(world.as('O', 'PUT', path, { body: { dataProductId: 'of-b' } }))
    await expectProblem(world.as('T', 'PUT', path, { body: { dataProductId: 'p' } }), 403)
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/of-b'))
    await expectProblem(world.as('O', 'GET', path), 404)
  })

  test('PUT /api/example-data/{id} › 409 if it moves to a data product with the maximum number', async () => {
    await putOne(world, 'dataproducts', odps('crowded'))
    const cost = buildPlainRecord(COST, '', 'crowded')
    // The costs of a data product do not count.
    await expectOk(world.as('O', 'POST', '/api/costs', { body: cost }))
    const ids = Array.from({ length: EXAMPLE_DATA.countMax }, (_, at) => `crowded-${at}`)
    await Promise.all(ids.map((id) => expectOk(put(id, { dataProductId: 'crowded' }))))
    await expectOk(put('mover', { dataProductId: 'p' }))
    const problem = await expectProblem(put('mover', { dataProductId: 'crowded' }), 409)
    assert.equal(problem.code, 'limit_reached')
    await expectOk(put('crowded-0', { dataProductId: 'crowded', data: [1] }))
    await expectOk(put('mover', { dataProductId: 'q' }))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/crowded'))
  })

  test('GET /ui/example-data › lists the example data of a data product without the data', async () => {
    await putOne(world, 'dataproducts', odps('r'))
    const path = '/ui/example-data?dataProductId=r'
    const document = { id: 'r1', dataProductId: 'r', outputPortId: 'out', data: [{ x: 1 }] }
    await expectOk(put('r1', document))
    const bytes = JSON.stringify(document).length
    assert.deepEqual(await readJson(world.asPerson('Um', 'GET', path)), [
      { id: 'r1', outputPortId: 'out', dataContractId: null, bytes },
    ])
    const other = await newWorld(world)
    assert.equal(await readText(other.asPerson('Um', 'GET', path)), '[]')
    await expectViolations(world.asPerson('Um', 'GET', '/ui/example-data'), 400, ['dataProductId'])
  })
})
