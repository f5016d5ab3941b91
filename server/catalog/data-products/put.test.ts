import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { expectViolations, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

const YAML = `# a comment that must stay
kind: DataProduct
apiVersion: v1.0.0
id: ID
name: "Wagons"
team: {name: a}
x: [1.0, 12345678901234567890, '1', &anchor {deep: true}, *anchor]
text: |
  two
  lines
`

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const mediaType of [
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; charset="utf-8"',
    'application/json; profile="a;b"; charset=UTF-8',
  ]) {
    test(`PUT /api/dataproducts/{id} › 200 for Content-Type ${mediaType}`, async () => {
      const id = uniqueId()
      const headers = { 'content-type': mediaType }
      const options = { headers, body: odps(id) }
      await readText(world.as('T', 'PUT', `/api/dataproducts/${id}`, options))
    })
  }

  for (const mediaType of [
    'application/yaml',
    'application/x-yaml; charset=utf-8',
    'text/yaml',
    'Text/X-YAML; charset="UTF-8"',
  ]) {
    test(`PUT /api/dataproducts/{id} › ${mediaType} is kept, answered as JSON, and as YAML when asked`, async () => {
      const id = uniqueId()
      const path = `/api/dataproducts/${id}`
      const yaml = YAML.replace('ID', id)
      const headers = { 'content-type': mediaType }
      const json = await readText(world.as('T', 'PUT', path, { yaml, headers }))
      assert.equal(
        json,
        `{"kind":"DataProduct","apiVersion":"v1.0.0","id":"${id}","name":"Wagons","team":{"name":"a"},` +
          '"x":[1.0,12345678901234567890,"1",{"deep":true},{"deep":true}],"text":"two\\nlines\\n"}',
      )
      const got = await world.as('T', 'GET', path)
      assert.equal(got.headers.get('content-type'), 'application/json')
      assert.equal(await got.text(), json)
      assert.equal(await readText(world.as('T', 'GET', `/api/dataproducts?q=${id}`)), `[${json}]`)
      const asYaml = await world.as('T', 'GET', path, { headers: { accept: 'application/yaml' } })
      assert.equal(asYaml.headers.get('content-type'), 'application/yaml')
      assert.equal(asYaml.headers.get('vary'), 'accept')
      assert.equal(await asYaml.text(), yaml)
    })
  }

  test('GET /api/dataproducts/{id} › JSON is answered as YAML of equal meaning', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const text = JSON.stringify(odps(id, { x: 'yes', y: ['1', 1, null, true, ''], z: 'a: #b\n' }))
    await readText(world.as('T', 'PUT', path, { body: text.replace('{', '{"w":1.0,') }))
    for (const accept of [
      'application/yaml',
      'application/x-yaml',
      'text/html, application/yaml',
    ]) {
      const yaml = await readText(world.as('T', 'GET', path, { headers: { accept } }))
      assert.match(yaml, /^w: 1\.0$/m)
      assert.deepEqual(parse(yaml), { w: 1, ...JSON.parse(text) })
    }
  })

  for (const accept of [
    'text/html',
    'application/problem+json',
    'application/problem+json, text/plain',
    'nonsense',
    ';;q=,,',
    'application/yaml;q=0',
    'application/json, application/yaml;q=0.5',
  ]) {
    test(`GET and PUT /api/dataproducts/{id} › never 406: JSON for Accept: ${accept}`, async () => {
      const id = uniqueId()
      const path = `/api/dataproducts/${id}`
      const headers = { accept }
      const put = await world.as('T', 'PUT', path, { body: odps(id), headers })
      for (const answer of [put, await world.as('T', 'GET', path, { headers })]) {
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'application/json')
        assert.deepEqual(await answer.json(), odps(id))
      }
      const list = await world.as('T', 'GET', `/api/dataproducts?q=${id}`, { headers })
      assert.deepEqual(await list.json(), [odps(id)])
    })
  }

  const accepted: Record<string, (id: string) => object> = {
    'ODPS without an id in the body': (id) => ({ ...odps(id), id: undefined }),
    'ODPS with an apiVersion and no kind': (id) => ({ ...odps(id), kind: undefined }),
    'ODPS with a kind and no apiVersion': (id) => ({ ...odps(id), apiVersion: undefined }),
    'ODPS without a status, with an empty version': (id) => ({
      ...odps(id, { version: '' }),
      status: undefined,
    }),
    'ODPS with a status and a type of its own': (id) =>
      odps(id, { status: 'sunsetting', customProperties: [{ property: 'type', value: 'raw' }] }),
    'ODPS of a newer version than known': (id) => odps(id, { apiVersion: 'v1.9.0' }),
    'DPS with id and info.title': (id) => dps(id),
    'DPS with nothing but info': (id) => ({ info: { id, name: 'X', owner: 'a' } }),
    'DPS with the owner in teamId': (id) => ({ id, teamId: 'a', info: { title: 'X' } }),
    'ports that name what does not exist': (id) =>
      odps(id, {
        inputPorts: [{ name: 'in', version: '1', contractId: 'no-such-contract' }],
        outputPorts: [{ name: 'out', version: '1', contractId: 'no-such-contract-either' }],
      }),
    'DPS ports that name what does not exist': (id) =>
      dps(id, {
        inputPorts: [{ id: 'in', name: 'in', sourceSystemId: 'no-such-system' }],
        outputPorts: [{ id: 'out', name: 'out', dataContractId: 'none', assets: ['none'] }],
      }),
  }
  for (const [what, document] of Object.entries(accepted)) {
    test(`PUT /api/dataproducts/{id} › 200 for ${what}`, async () => {
      const id = uniqueId()
      const text = JSON.stringify(document(id))
      const path = `/api/dataproducts/${id}`
      assert.equal(await readText(world.as('T', 'PUT', path, { body: text })), text)
      assert.equal(await readText(world.as('Tr', 'GET', path)), text)
    })
  }

  test('PUT /api/dataproducts/{id} › 422 for ODPS of another major version', async () => {
    const id = uniqueId()
    const body = odps(id, { apiVersion: 'v9.0.0' })
    const put = world.as('T', 'PUT', `/api/dataproducts/${id}`, { body })
    await expectViolations(put, 422, ['apiVersion'])
  })

  test('PUT /api/dataproducts/{id} › a body of exactly 1 MiB is stored', async () => {
    const id = uniqueId()
    const empty = JSON.stringify(odps(id, { filling: '' }))
    const text = JSON.stringify(odps(id, { filling: 'x'.repeat(1024 * 1024 - empty.length) }))
    await readText(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: text }))
    assert.equal(await readText(world.as('T', 'GET', `/api/dataproducts/${id}`)), text)
  })

  test('GET /api/dataproducts/{id}?format=odps › DPS converted, ODPS as it is, 400 for another', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const document = dps(id, {
      info: { title: 'T', owner: 'a', description: 'D', status: 'active', archetype: 'aggregate' },
      outputPorts: [{ id: 'out', name: 'Out', dataContractId: 'c', server: { table: 't' } }],
      tags: ['x'],
    })
    await readText(world.as('T', 'PUT', path, { body: document }))
    const converted = await readJson<Record<string, unknown>>(
      world.as('Tr', 'GET', `${path}?format=odps`),
    )
    assert.equal(converted['kind'], 'DataProduct')
    assert.equal(converted['id'], id)
    assert.equal(converted['name'], 'T')
    assert.deepEqual(converted['team'], { name: 'a' })
    assert.deepEqual(converted['description'], { purpose: 'D' })
    const [port] = converted['outputPorts'] as { name: string; contractId: string }[]
    assert.equal(port?.name, 'out')
    assert.equal(port?.contractId, 'c')

    const yaml = await world.as('Tr', 'GET', `${path}?format=odps`, {
      headers: { accept: 'application/yaml' },
    })
    assert.deepEqual(parse(await yaml.text()), converted)
    const text = `${JSON.stringify(converted)} `
    assert.equal(await readText(world.as('T', 'PUT', path, { body: text })), text)
    assert.equal(await readText(world.as('Tr', 'GET', `${path}?format=odps`)), text)
    assert.equal((await world.as('Tr', 'GET', `${path}?format=dps`)).status, 400)
  })
})
