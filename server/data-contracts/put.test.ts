import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../test/feed.ts'
import { onStore } from '../../test/stores.ts'
import { dcs, newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../test/world.ts'

// Each text is a contract `ID` of team `a`, in a version of its standard.
const TEXTS: Record<string, string> = {
  'ODCS 2.2.2':
    '{"apiVersion":"v2.2.2","kind":"DataContract","uuid":"ID","datasetName":"x","version":"1","status":"current","datasetDomain":"d","quantumName":"q","userConsumptionMode":"Analytical","datasetKind":"virtualDataset","customProperties":[{"property":"owner","value":"a"}]}',
  'ODCS 3.0.2':
    '{"apiVersion":"v3.0.2","kind":"DataContract","id":"ID","version":"1.0","status":"active","domain":"a"}',
  'ODCS 3.1.0 with odd white space':
    '\n{ "apiVersion":"v3.1.0","kind" :"DataContract","id":"ID","version":"1.0.0","status":"draft",\r\n"team":{"name":"a"}, "x":[1.0,12345678901234567890] }\n',
  'ODCS 3.2.0':
    '{"kind":"DataContract","apiVersion":"v3.2.0","id":"ID","version":"2","status":"active","team":{"name":"a"},"__proto__":{"a":1}}',
  'DCS 0.9.3':
    '{"dataContractSpecification":"0.9.3","id":"ID","info":{"title":"T","version":"0.1","owner":"a"},"schema":{"type":"custom","specification":"any \\u0074hing"}}',
  'DCS 1.2.1':
    '{"dataContractSpecification":"1.2.1","id":"ID","info":{"title":"T","version":"1","owner":"a"},"models":{"m":{"type":"table","fields":{"f":{"type":"text"}}}}}',
}

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

  for (const [what, template] of Object.entries(TEXTS)) {
    test(`PUT /api/datacontracts/{id} › the bytes come back: ${what}`, async () => {
      const id = uniqueId()
      const path = `/api/datacontracts/${id}`
      const text = template.replace('ID', id)
      assert.equal(await readText(world.as('T', 'PUT', path, { body: text })), text)
      assert.equal(await readText(world.as('Tr', 'GET', path)), text)
      assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/1`)), text)
      const later = new Date(Date.now() + 60_000).toISOString()
      assert.equal(await readText(world.as('Tr', 'GET', `${path}?asOf=${later}`)), text)
      assert.equal(await readText(world.as('Tr', 'GET', `/api/datacontracts?q=${id}`)), `[${text}]`)
    })
  }

  test('PUT /api/datacontracts/{id} › 200 with ETag and location-html, created, updated and unchanged', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const put = (more: object) => world.as('T', 'PUT', path, { body: odcs(id, more) })
    const [created, updated, same] = [
      await put({}),
      await put({ tags: ['x'] }),
      await put({ tags: ['x'] }),
    ]
    for (const answer of [created, updated, same]) {
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/)
      assert.equal(answer.headers.get('location-html'), `http://portbook.test/data-contracts/${id}`)
    }
    assert.notEqual(created.headers.get('etag'), updated.headers.get('etag'))
    assert.equal(same.headers.get('etag'), updated.headers.get('etag'))
    const reordered = JSON.stringify(
      Object.fromEntries(Object.entries(odcs(id, { tags: ['x'] })).toReversed()),
    )
    await readText(world.as('T', 'PUT', path, { body: reordered }))
    const versions = await readJson<{ version: number }[]>(world.as('T', 'GET', `${path}/versions`))
    assert.deepEqual(
      versions.map(({ version }) => version),
      [2, 1],
    )
    assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
      'DataContractCreatedEvent',
      'DataContractUpdatedEvent',
    ])
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

  test('GET /api/datacontracts/{id} › 304 for the ETag, 412 for another in If-Match', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const put = await world.as('T', 'PUT', path, { body: odcs(id) })
    const etag = put.headers.get('etag') ?? ''
    const again = await world.as('T', 'GET', path, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
    const other = {
      headers: { 'if-match': `"${'0'.repeat(64)}"` },
      body: odcs(id, { tags: ['x'] }),
    }
    await expectProblem(world.as('T', 'PUT', path, other), 412)
    const once = { headers: { 'if-none-match': '*' }, body: odcs(id, { tags: ['x'] }) }
    await expectProblem(world.as('T', 'PUT', path, once), 412)
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
    const { violations } = await expectProblem(
      world.as('T', 'PUT', `${path}?strict=true`, { body }),
      422,
    )
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['colour'],
    )
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
    const mark = `m${uniqueId()}`
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
