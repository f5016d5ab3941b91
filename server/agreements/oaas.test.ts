import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addAgreement, addContract, addProvider, buildAgreement } from '../../test/agreements.ts'
import { listAccessEventNames } from '../../test/access-events.ts'
import { expectProblem, expectViolations, readJson, readText } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../test/world.ts'
import type { ObjectValue } from '../../formats/text/value.ts'
import { yamlText } from '../../formats/text/yaml-write.ts'
import { verifyStore } from '../transfer/verify.ts'

interface SeenOaas {
  id: string
  kind: string
  status: string
  provider: Record<string, string>
  consumer: Record<string, string>
  endTimestamp?: string
  customProperties?: object[]
}

type BuiltOaas = ObjectValue & { id: string; provider: ObjectValue }

function buildOaas(product: string, more: ObjectValue = {}): BuiltOaas {
  return {
    apiVersion: 'v0.9.0',
    kind: 'AccessAgreement',
    id: uniqueId(),
    status: 'requested',
    description: { purpose: 'Train the churn model.', usage: 'Read only.' },
    provider: { teamId: 'a', dataProductId: product, outputPortId: 'out' },
    consumer: { teamId: 'b' },
    ...more,
  }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (body: { id: string } & Record<string, unknown>): Promise<Response> =>
    world.as('O', 'PUT', `/api/access/${body.id}`, { body })
  const get = (path: string, accept?: string): Promise<Response> =>
    world.as('Or', 'GET', `/api/access${path}`, accept === undefined ? {} : { headers: { accept } })
  const getOaas = (id: string): Promise<SeenOaas> => readJson<SeenOaas>(get(`/${id}?format=oaas`))
  const listFindings = async (): Promise<string[]> =>
    (await verifyStore(store().db)).flatMap(({ rule, findings }) =>
      rule.includes('access') ? findings : [],
    )

  test('PUT /api/access/{id} › 200 for an access agreement of Bitol; it is answered like any other', async () => {
    const contract = await addContract(world, 'a', { version: '2.3.0' })
    const product = await addProvider(world, 'a', { contractId: contract })
    const body = buildOaas(product, {
      startTimestamp: '2030-07-01T00:00:00Z',
      endTimestamp: '2031-06-30T23:59:59Z',
      roles: [{ role: 'analyst' }],
    })
    const answer = await put(body)
    assert.match(answer.headers.get('portbook-losses') ?? '', /endTimestamp/)
    assert.equal(answer.headers.get('portbook-loss-count'), '1')
    assert.equal(answer.headers.get('portbook-warnings'), null)
    const seen = await readJson(Promise.resolve(answer))
    assert.deepEqual(seen, {
      info: {
        purpose: 'Train the churn model.',
        startDate: '2030-07-01',
        endDate: '2031-07-01',
        status: 'requested',
        active: false,
      },
      provider: {
        dataProductId: product,
        outputPortId: 'out',
        teamId: 'a',
        dataContractId: contract,
        dataContractVersion: '2.3.0',
      },
      consumer: { teamId: 'b' },
      id: body.id,
      roles: ['analyst'],
      custom: { 'oaas.description.usage': 'Read only.' },
    })
    assert.deepEqual(await readJson(get(`/${body.id}`)), seen)
    assert.deepEqual(await listAccessEventNames(world, `/api/access/${body.id}`), [
      'Created',
      'Requested',
    ])
    assert.deepEqual(await listFindings(), [])
  })

  test('PUT /api/access/{id} › the status is not obeyed, and the decision stays', async () => {
    const body = buildOaas(await addProvider(world, 'a'), { status: 'approved' })
    const answer = await put(body)
    assert.match(answer.headers.get('portbook-warnings') ?? '', /status: .*requested.*approved/)
    assert.equal((await getOaas(body.id)).status, 'requested')
    await expectOk(world.as('O', 'POST', `/api/access/${body.id}/approve`))
    const changed = { ...body, status: 'rejected', tags: ['t'] }
    const again = await put(changed)
    assert.match(again.headers.get('portbook-warnings') ?? '', /status: .*approved.*rejected/)
    const stored = await readJson<{ info: { status: string } }>(get(`/${body.id}`))
    assert.equal(stored.info.status, 'approved')
    assert.deepEqual(await getOaas(body.id), { ...changed, status: 'approved' })
  })

  test('GET /api/access/{id}?format=oaas › byte for byte as it was sent while the catalog agrees, else with its members', async () => {
    const product = await addProvider(world, 'a')
    const body = buildOaas(product, { tags: ['é'] })
    const path = `/api/access/${body.id}`
    const yaml = `# A grant.\n${yamlText(body)}# The end.\n`
    await expectOk(world.as('O', 'PUT', path, { yaml }))
    for (const accept of ['application/oaas+yaml', 'application/yaml']) {
      const answer = await get(`/${body.id}?format=oaas`, accept)
      assert.equal(answer.headers.get('content-type'), 'application/oaas+yaml')
      assert.equal(answer.headers.get('portbook-draft'), 'rfc-0056; text=2026-07')
      assert.equal(answer.headers.get('portbook-losses'), null)
      assert.equal(await readText(Promise.resolve(answer)), yaml)
    }
    assert.deepEqual(await getOaas(body.id), body)
    await expectOk(world.as('O', 'POST', `${path}/approve`))
    const approved = await readText(get(`/${body.id}`, 'application/oaas+yaml'))
    assert.equal(approved, yaml.replace('status: requested', 'status: approved'))
    await expectOk(world.as('O', 'POST', `${path}/cancel`))
    const canceled = await getOaas(body.id)
    assert.equal(canceled.status, 'approved')
    assert.match(canceled.endTimestamp ?? '', /T00:00:00Z$/)
    assert.deepEqual(canceled.customProperties, [{ property: 'portbook.state', value: 'canceled' }])
    assert.deepEqual(await listFindings(), [])
    // JSON, as it was sent.
    const other = buildOaas(product, { consumer: { userId: 'someone' } })
    const text = `${JSON.stringify({ ...other, consumer: { teamId: 'b' } }, null, 3)}\n`
    const headers = { 'content-type': 'application/oaas+json;version=0.9.0' }
    await expectOk(world.as('O', 'PUT', `/api/access/${other.id}`, { body: text, headers }))
    assert.equal(await readText(get(`/${other.id}?format=oaas`)), text)
    assert.match(await readText(get(`/${other.id}`, 'application/oaas+yaml')), /^apiVersion: v0/)
  })

  test('GET /api/access/{id}?format=oaas › agreements of clients, too; reports of connectors are a loss', async () => {
    const product = await addProvider(world, 'b')
    const path = await addAgreement(world, {
      isApproved: true,
      consumer: { dataProductId: product },
      more: { links: { ticket: 'https://example.test/1' }, x: 1 },
    })
    const body = { status: 'provisioned' }
    await expectOk(world.as('O', 'PUT', `${path}/provisioning`, { body }))
    const answer = await get(`${path.replace('/api/access', '')}?format=oaas`)
    const losses = answer.headers.get('portbook-losses') ?? ''
    assert.match(losses, /provisioning/)
    assert.match(losses, /x: /)
    const seen = await readJson<SeenOaas>(Promise.resolve(answer))
    assert.deepEqual([seen.kind, seen.status], ['AccessAgreement', 'approved'])
    assert.deepEqual(seen.consumer, { teamId: 'b', dataProductId: product })
    assert.equal(seen.provider['teamId'], 'a')
    const text = await readText(get(path.replace('/api/access', '')))
    assert.match(text, /"x":1/)
    // What is written can be sent again: it means the same, except for what was lost.
    await expectOk(put({ ...seen }))
  })

  test('GET /api/access/{id}?format=oaas › 304 for what the client has, 404 without an agreement, 400 for another format', async () => {
    const body = buildOaas(await addProvider(world, 'a'))
    const etag = (await put(body)).headers.get('etag') ?? ''
    const path = `/api/access/${body.id}`
    const answer = await get(`/${body.id}?format=oaas`)
    const own = answer.headers.get('etag') ?? ''
    assert.notEqual(own, etag)
    const headers = { 'if-none-match': own }
    const again = await world.as('Or', 'GET', `${path}?format=oaas`, { headers })
    assert.equal(again.status, 304)
    const condition = { body: { ...body, tags: ['t'] }, headers: { 'if-match': own } }
    await expectOk(world.as('O', 'PUT', path, condition))
    await expectProblem(world.as('O', 'PUT', path, condition), 412)
    await expectProblem(get(`/${uniqueId()}?format=oaas`), 404)
    await expectProblem(get(`/${body.id}?format=oors`), 400)
    await expectProblem(get('?format=odcs'), 400)
  })

  test('GET /api/access?format=oaas › a list of all agreements of a page', async () => {
    const product = await addProvider(world, 'a')
    const sent = buildOaas(product)
    await expectOk(put(sent))
    await addAgreement(world, { product })
    const query = `?providerDataProductId=${product}`
    const list = await readJson<SeenOaas[]>(get(`${query}&format=oaas`))
    assert.deepEqual(list[0], sent)
    assert.deepEqual(
      list.map(({ kind }) => kind),
      ['AccessAgreement', 'AccessAgreement'],
    )
    const answer = await get(query, 'application/oaas+yaml')
    assert.equal(answer.headers.get('content-type'), 'application/oaas+yaml')
    const yaml = await readText(Promise.resolve(answer))
    assert.equal(yaml.match(/^- /gm)?.length, 2)
    const none = `?providerDataProductId=${uniqueId()}&format=oaas`
    assert.equal(await readText(get(none)), '[]')
    assert.equal(await readText(get(none, 'application/yaml')), '[]\n')
    const usual = await readJson<{ info: object }[]>(get(query))
    assert.equal(usual.filter(({ info }) => info !== undefined).length, 2)
    const page = await get(`${query}&format=oaas&pageSize=2`)
    assert.equal(page.headers.get('portbook-draft'), 'rfc-0056; text=2026-07')
  })

  test('PUT /api/access/{id} › 422 for another owner, kind or version, unknown parties, and every problem at its field', async () => {
    const product = await addProvider(world, 'a')
    const valid = buildOaas(product)
    const withProvider = (more: object) =>
      put({ ...valid, provider: { ...valid.provider, ...more } })
    const problem = await withProvider({ teamId: 'b' })
    assert.match(await problem.clone().text(), /owner is \\"a\\"/)
    await expectViolations(Promise.resolve(problem), 422, ['provider.teamId'])
    await expectViolations(withProvider({ dataProductId: 'none' }), 422, ['provider.dataProductId'])
    await expectViolations(withProvider({ outputPortId: 'none' }), 422, ['provider.outputPortId'])
    const rows: [object, string][] = [
      [{ apiVersion: 'v0.8.0' }, 'apiVersion'],
      [{ apiVersion: undefined }, 'apiVersion'],
      [{ id: 'other' }, 'id'],
      [{ consumer: { userId: 'nobody@x.test' } }, 'consumer.userId'],
      [{ consumer: { teamId: 'none' } }, 'consumer.teamId'],
      [{ consumer: { teamId: 'b', userId: 'x' } }, 'consumer'],
      [{ consumer: { dataProductId: product } }, 'consumer.teamId'],
      [{ startTimestamp: '2026-07-01' }, 'startTimestamp'],
      [{ description: {} }, 'description.purpose'],
    ]
    for (const [more, field] of rows) {
      const path = `/api/access/${valid.id}`
      await expectViolations(world.as('O', 'PUT', path, { body: { ...valid, ...more } }), 422, [
        field,
      ])
    }
    const body = { ...valid, apiVersion: 'v1.0.0' }
    const unsupported = await put(body)
    assert.match(await unsupported.text(), /format_unsupported.*v0\.9\.0/)
    const product2 = { apiVersion: 'v1.0.0', kind: 'DataProduct', id: valid.id }
    const wrong = await world.as('O', 'PUT', `/api/access/${valid.id}`, { body: product2 })
    assert.equal(wrong.status, 422)
    assert.match(await wrong.text(), /The kind .*DataProduct.* is not .*AccessAgreement/)
    await expectProblem(get(`/${valid.id}`), 404)
  })

  test('PUT /api/access/{id} › 403 as for other agreements', async () => {
    const body = buildOaas(await addProvider(world, 'a'))
    await expectProblem(world.as('Or', 'PUT', `/api/access/${body.id}`, { body }), 403)
  })

  test('PUT /api/access/{id} › both forms of the same terms change nothing', async () => {
    const product = await addProvider(world, 'a')
    const id = uniqueId()
    const client = buildAgreement(product, { teamId: 'b' }, { id })
    await expectOk(world.as('O', 'PUT', `/api/access/${id}`, { body: client }))
    await expectOk(put(buildOaas(product, { id, description: { purpose: 'Reports' } })))
    assert.deepEqual(await listAccessEventNames(world, `/api/access/${id}`), [
      'Created',
      'Requested',
    ])
    // Other terms are stored in the form in which they are sent.
    const changed = buildOaas(product, { id, description: { purpose: 'Models' } })
    await expectOk(put(changed))
    assert.deepEqual(await getOaas(id), changed)
    await expectOk(world.as('O', 'PUT', `/api/access/${id}`, { body: { ...client, tags: ['x'] } }))
    assert.equal((await getOaas(id)).kind, 'AccessAgreement')
    assert.deepEqual(await listFindings(), [])
  })

  test('GET /api/access/{id}?format=oaas › the text of the own organization, with equal ids in another one', async () => {
    const other = await newWorld(newProduct(store()))
    const product = await addProvider(world, 'a')
    const id = uniqueId()
    const own = buildOaas(product, { id, tags: ['own'] })
    await expectOk(put(own))
    const outputPorts = [{ name: 'out', version: '1' }]
    const body = odps(product, { team: { name: 'a' }, outputPorts })
    await expectOk(other.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
    const twin = buildOaas(product, { id, tags: ['twin'] })
    const path = `/api/access/${id}`
    await expectOk(other.as('O', 'PUT', path, { body: twin }))
    assert.deepEqual(await getOaas(id), own)
    assert.deepEqual(await readJson(other.as('O', 'GET', `${path}?format=oaas`)), twin)
    await expectOk(other.as('O', 'DELETE', path))
    assert.deepEqual(await getOaas(id), own)
  })

  test('GET /api/access/{id}?format=oaas › new owners of the products are written', async () => {
    const [product, consumer] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
    const sent = buildOaas(product, { consumer: { teamId: 'b', dataProductId: consumer } })
    await expectOk(put(sent))
    assert.deepEqual(await getOaas(sent.id), sent)
    for (const [id, owner] of [
      [product, 'b'],
      [consumer, 'a'],
    ] as const) {
      const outputPorts = [{ name: 'out', version: '1' }]
      const body = odps(id, { team: { name: owner }, outputPorts })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    }
    const { provider, consumer: seen } = await getOaas(sent.id)
    assert.deepEqual([provider['teamId'], seen['teamId']], ['b', 'a'])
    await expectViolations(put(sent), 422, ['provider.teamId'])
    assert.deepEqual(await listFindings(), [])
  })

  test('verify › an agreement that is not what its text means is a finding', async () => {
    const body = buildOaas(await addProvider(world, 'a'))
    await expectOk(put(body))
    const change = (from: string, to: string) =>
      store()
        .db.updateTable('access_agreement')
        .set(({ fn, ref, val }) => ({
          document: fn('replace', [ref('document'), val(from), val(to)]),
        }))
        .where('organization_id', '=', world.organizationId)
        .where('external_id', '=', body.id)
        .execute()
    await change('Read only.', 'Anything.')
    assert.match((await listFindings()).join(), /its terms are not those of the text that was sent/)
    await change('Anything.', 'Read only.')
    assert.deepEqual(await listFindings(), [])
  })
})
