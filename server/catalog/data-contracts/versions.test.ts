// Documents in a requested version of their standard.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dcs, dps, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'

interface Written {
  apiVersion: string
  schema?: { properties: object[] }[]
  deprecated?: boolean
}

const newProductBody = (id: string): object => ({
  kind: 'DataProduct',
  apiVersion: 'v1.1.0',
  id,
  name: 'P',
  status: 'active',
  team: { name: 'a' },
  deprecated: true,
  version: '1',
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const register = async (kind: string, body: (id: string) => object): Promise<string> => {
    const id = uniqueId()
    const path = `/api/${kind}/${id}`
    await readText(world.as('T', 'PUT', path, { body: body(id) }))
    return path
  }

  const vector = { name: 'v', logicalType: 'vector', logicalTypeOptions: { dimensions: 3 } }
  const newer = (id: string): object =>
    odcs(id, {
      apiVersion: 'v3.2.0',
      schema: [{ name: 'o', deprecated: true, properties: [vector] }],
    })

  test('GET /api/datacontracts/{id}/export?format=odcs&apiVersion= › ODCS 3.2 as 3.1, and as it was sent', async () => {
    const path = `${await register('datacontracts', newer)}/export?format=odcs`
    const text = await readText(world.as('Tr', 'GET', path))
    assert.equal(await readText(world.as('Tr', 'GET', `${path}&apiVersion=v3.2.0`)), text)
    const older = await readJson<Written>(world.as('Tr', 'GET', `${path}&apiVersion=v3.1.0`))
    assert.equal(older.apiVersion, 'v3.1.0')
    assert.match(JSON.stringify(older), /odcs32\.logicalType.*odcs32\.deprecated/)
    const put = world.as('T', 'PUT', path.replace(/\/export.*/, '?strict=true'), { body: older })
    await readText(put)
    const restored = await readJson(world.as('Tr', 'GET', `${path}&apiVersion=v3.2.0`))
    assert.deepEqual(restored, JSON.parse(text))
  })

  test('GET /api/datacontracts/{id}/export?format=odcs&apiVersion= › DCS in both versions', async () => {
    const fields = { m: { type: 'map', keys: { type: 'string' }, values: { type: 'int' } } }
    const path = await register('datacontracts', (id) => dcs(id, { models: { o: { fields } } }))
    const read = (query: string) =>
      readJson<Written>(world.as('Tr', 'GET', `${path}/export?format=odcs${query}`))
    assert.equal((await read('')).apiVersion, 'v3.1.0')
    assert.deepEqual(await read('&apiVersion=v3.1.0'), await read(''))
    const written = await read('&apiVersion=v3.2.0')
    assert.equal(written.apiVersion, 'v3.2.0')
    assert.match(JSON.stringify(written.schema), /"logicalType":"map"/)
  })

  test('GET /api/datacontracts/{id}/export?apiVersion= › 400 for an unknown version, with the list', async () => {
    const path = await register('datacontracts', newer)
    for (const version of ['v3.0.0', '3.2.0', 'v9.0.0', '']) {
      const answer = world.as('Tr', 'GET', `${path}/export?format=odcs&apiVersion=${version}`)
      const problem = await expectProblem(answer, 400)
      assert.match(JSON.stringify(problem), /must be one of v3\.1\.0, v3\.2\.0/)
    }
  })

  test('GET /api/dataproducts/{id}?apiVersion= › ODPS of that version, from ODPS and from DPS', async () => {
    const path = await register('dataproducts', newProductBody)
    const sent = await readText(world.as('Tr', 'GET', path))
    assert.equal(await readText(world.as('Tr', 'GET', `${path}?apiVersion=v1.1.0`)), sent)
    const older = await readJson<Written>(world.as('Tr', 'GET', `${path}?apiVersion=v1.0.0`))
    assert.deepEqual([older.apiVersion, older.deprecated], ['v1.0.0', undefined])
    assert.match(JSON.stringify(older), /odps11\.deprecated/)
    const old = await register('dataproducts', (id) => dps(id))
    for (const version of ['v1.0.0', 'v1.1.0']) {
      const query = `?format=odps&apiVersion=${version}`
      const written = await readJson<Written>(world.as('Tr', 'GET', `${old}${query}`))
      assert.equal(written.apiVersion, version)
    }
  })

  test('GET /api/dataproducts/{id}?apiVersion= › 400 for an unknown version, and for RDF', async () => {
    const path = await register('dataproducts', (id) => dps(id))
    await expectProblem(world.as('Tr', 'GET', `${path}?apiVersion=v2.0.0`), 400)
    await expectProblem(world.as('Tr', 'GET', `${path}?format=dprod&apiVersion=v1.1.0`), 400)
  })
})
