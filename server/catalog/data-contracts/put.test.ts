import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dcs, newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../../test/world.ts'

const YAML = `# a comment that must stay
kind: DataContract
apiVersion: v3.1.0
id: ID
version: 1.0.0
status: active
team: {name: a}
schema:
  - name: orders
    properties:
      - {name: id, logicalType: integer, required: true}
`

const property = (at: number) => ({
  name: `c${at}`,
  logicalType: 'string',
  physicalType: 'text',
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test('GET /api/datacontracts/{id} › YAML is kept; the aliases give it under both names', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const yaml = YAML.replace('ID', id)
    await readText(world.as('T', 'PUT', path, { yaml }))
    assert.equal((await world.as('T', 'GET', path)).headers.get('content-type'), 'application/json')
    for (const address of [`${path}.yaml`, `${path}/datacontract.yaml`]) {
      const answer = await world.as('Tr', 'GET', address)
      assert.equal(answer.headers.get('content-type'), 'application/yaml')
      assert.equal(await answer.text(), yaml)
    }
    const json = `${path}-json`
    await readText(world.as('T', 'PUT', json, { body: odcs(`${id}-json`) }))
    const converted = await readText(world.as('T', 'GET', `${json}.yaml`))
    assert.match(converted, /^apiVersion: v3\.1\.0\nkind: DataContract\n/)
    assert.equal(await readText(world.as('T', 'GET', `${json}/datacontract.yaml`)), converted)
  })

  test('GET /api/datacontracts/{id}.yaml › a contract whose id ends like that comes first', async () => {
    const id = uniqueId()
    const named = `${id}.yaml`
    await readText(world.as('T', 'PUT', `/api/datacontracts/${named}`, { body: odcs(named) }))
    const json = await readText(world.as('T', 'GET', `/api/datacontracts/${named}`))
    assert.equal(json, JSON.stringify(odcs(named)))
    const yaml = await world.as('T', 'GET', `/api/datacontracts/${named}.yaml`)
    assert.equal(yaml.headers.get('content-type'), 'application/yaml')
    await expectProblem(world.as('T', 'GET', `/api/datacontracts/${uniqueId()}.yaml`), 404)
  })

  const owners: Record<string, [object, string]> = {
    'team.name': [odcs('ID', { team: { name: 'nobody' } }), 'team.name'],
    'the custom property owner': [
      odcs('ID', { team: undefined, customProperties: [{ property: 'owner', value: 'nobody' }] }),
      'customProperties[0].value',
    ],
    domain: [odcs('ID', { team: undefined, domain: 'nobody' }), 'domain'],
    'info.owner': [
      dcs('ID', { info: { title: 'T', version: '1', owner: 'nobody' } }),
      'info.owner',
    ],
  }
  for (const [where, [document, field]] of Object.entries(owners)) {
    test(`PUT /api/datacontracts/{id} › 422 for an unknown owner in ${where}, naming field and team`, async () => {
      const id = uniqueId()
      const body = JSON.stringify(document).replace('ID', id)
      const problem = await expectProblem(
        world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }),
        422,
        /nobody/,
      )
      assert.deepEqual(
        problem.violations?.map((violation) => violation.field),
        [field],
      )
      assert.equal(problem.violations?.[0]?.line, 1)
    })
  }

  test('PUT /api/datacontracts/{id} › 422 for another id, for a data product', async () => {
    const id = uniqueId()
    const put = (body: object) => world.as('O', 'PUT', `/api/datacontracts/${id}`, { body })
    await expectProblem(put(odcs('other')), 422, /other/)
    await expectProblem(put(odps(id)), 422, /dataproducts/)
    await expectProblem(
      world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odcs(id) }),
      422,
      /datacontracts/,
    )
    await expectProblem(put({ hello: 'world' }), 422)
  })

  test('PUT /api/datacontracts/{id}?strict=true › 422 for what the official schema does not have', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const body = odcs(id, { colour: 'red' })
    await expectViolations(world.as('T', 'PUT', `${path}?strict=true`, { body }), 422, ['colour'])
    await readText(world.as('T', 'PUT', path, { body }))
    await readText(world.as('T', 'PUT', `${path}?strict=true`, { body: odcs(id) }))
  })

  test('PUT /api/datacontracts/{id} › 4 MiB of text and 300,000 values are taken, more than 5 MiB is 413', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const schema = Array.from({ length: 150 }, (_, at) => ({
      name: `t${at}`,
      properties: Array.from({ length: 500 }, (_, column) => property(column)),
    }))
    const text = JSON.stringify(odcs(id, { schema }))
    assert.ok(text.length > 4 * 1024 * 1024 && text.length < 5 * 1024 * 1024)
    assert.equal(await readText(world.as('T', 'PUT', path, { body: text })), text)
    assert.equal(await readText(world.as('T', 'GET', path)), text)
    const large = odcs(id, { description: { purpose: 'x'.repeat(5 * 1024 * 1024) } })
    await expectProblem(world.as('T', 'PUT', path, { body: large }), 413)
    const many = odcs(id, { x: Array.from({ length: 500_000 }, () => 0) })
    await expectProblem(world.as('T', 'PUT', path, { body: many }), 422, /500000/)
  })

  test('GET /api/datacontracts › q, teamId, domainId, status, tag, sort and asOf choose', async () => {
    // Many changes between letters and digits: such an id has more words than a query.
    const mark = `m1f3e42d6ea74${uniqueId()}`
    const put = async (id: string, more: object) =>
      await readText(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body: odcs(id, more) }))
    const [one, two, three] = [`1${mark}`, `2${mark}`, `3${mark}`]
    await put(one, { name: `Zebra ${mark}`, tags: ['red'], domain: 'north' })
    await put(two, { name: `Ant ${mark}`, status: 'draft', team: { name: 'b' } })
    await put(three, { name: `Bee ${mark}`, description: { purpose: 'of wagons' }, tags: ['red'] })
    const ids = async (query: string) =>
      (await readJson<{ id: string }[]>(world.as('Tr', 'GET', `/api/datacontracts?${query}`))).map(
        ({ id }) => id,
      )
    const asOf = 'asOf=2999-01-01T00:00:00Z'
    for (const when of ['', `&${asOf}`]) {
      assert.deepEqual(await ids(`q=${mark}${when}`), [one, two, three])
      assert.deepEqual(await ids(`q=${mark} wagon${when}`), [three])
      assert.deepEqual(await ids(`q=${mark}&teamId=b${when}`), [two])
      assert.deepEqual(await ids(`q=${mark}&domainId=north&domainId=x${when}`), [one])
      assert.deepEqual(await ids(`q=${mark}&status=draft${when}`), [two])
      assert.deepEqual(await ids(`q=${mark}&tag=red${when}`), [one, three])
      assert.deepEqual(await ids(`q=${mark}&sort=name${when}`), [two, three, one])
      assert.deepEqual(await ids(`q=${mark}&sort=-createdAt${when}`), [three, two, one])
    }
    assert.deepEqual(await ids(`q=${mark}&p=1`), [])
    assert.deepEqual(await ids(`q=${mark}&asOf=2001-01-01T00:00:00Z`), [])
    await expectProblem(world.as('Tr', 'GET', '/api/datacontracts?sort=size'), 400)
    await expectProblem(world.as('Tr', 'GET', '/api/datacontracts?p=-1'), 400)
  })
})
