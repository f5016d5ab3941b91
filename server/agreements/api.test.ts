import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  listAccessEventNames,
  listAccessEvents,
  type AccessEvent,
  type SeenAgreement,
} from '../../test/access-events.ts'
import { addAgreement, addContract, addProvider, buildAgreement } from '../../test/agreements.ts'
import { expectProblem, expectViolations, readJson, readText } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../test/world.ts'

const today = (): string => new Date().toISOString().slice(0, 10)

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const get = (path: string): Promise<SeenAgreement> =>
    readJson<SeenAgreement>(world.as('O', 'GET', path))
  const post = (path: string, name: string): Promise<SeenAgreement> =>
    readJson<SeenAgreement>(world.as('O', 'POST', `${path}/${name}`))
  const listEvents = (path: string): Promise<AccessEvent[]> => listAccessEvents(world, path)
  const listEventNames = (path: string): Promise<string[]> => listAccessEventNames(world, path)

  describe('PUT /api/access/{id}', () => {
    test('200 for a request: requested, inactive, as it was sent', async () => {
      const contract = await addContract(world, 'a', { version: '2.3.0' })
      const product = await addProvider(world, 'a', { contractId: contract })
      const id = uniqueId()
      const body = buildAgreement(
        product,
        { teamId: 'b' },
        {
          dataUsageAgreementSpecification: '0.0.1',
          info: { startDate: today(), x: 1 },
          roles: ['analyst'],
          tags: ['t'],
          links: { ticket: 'https://example.test/1' },
          custom: { size: 1.0 },
        },
      )
      const sent = JSON.stringify(body).replace('"size":1', '"size":1.0')
      const answer = await world.as('O', 'PUT', `/api/access/${id}`, { body: sent })
      assert.equal(answer.headers.get('location-html'), `http://portbook.test/access/${id}`)
      const text = await readText(Promise.resolve(answer))
      assert.match(text, /"size":1\.0/)
      const { info, provider, ...others } = body as { info: object; provider: object }
      assert.deepEqual(JSON.parse(text), {
        ...others,
        info: { ...info, status: 'requested', active: false },
        provider: {
          ...provider,
          teamId: 'a',
          dataContractId: contract,
          dataContractVersion: '2.3.0',
        },
      })
      assert.equal(await readText(world.as('Um', 'GET', `/api/access/${id}`)), text)
      assert.deepEqual(await listEventNames(`/api/access/${id}`), ['Created', 'Requested'])
    })

    test('200 for YAML, and answers YAML to those who prefer it', async () => {
      const product = await addProvider(world, 'a')
      const path = `/api/access/${uniqueId()}`
      const yaml = `info: {purpose: Reports}\nprovider: {dataProductId: ${product}, outputPortId: out}\nconsumer: {teamId: b}\n`
      await expectOk(world.as('O', 'PUT', path, { yaml }))
      assert.equal((await get(path)).info.purpose, 'Reports')
      const headers = { accept: 'application/yaml' }
      assert.match(await readText(world.as('O', 'GET', path, { headers })), /status: requested/)
    })

    test('200 for what was read, and for what changes nothing; nothing is written', async () => {
      const path = await addAgreement(world, { isApproved: true, more: { info: { x: 1 } } })
      const seen = await get(path)
      const count = (await listEvents(path)).length
      const answer = await world.as('O', 'PUT', path, { body: seen })
      assert.deepEqual(JSON.parse(await readText(Promise.resolve(answer))), seen)
      assert.equal((await listEvents(path)).length, count)
    })

    test('200 for what was read with more tags; decisions that are sent are ignored', async () => {
      const path = await addAgreement(world)
      const seen = await get(path)
      const info = { ...seen.info, status: 'approved', active: true }
      const body = { ...seen, info, tags: ['granted'], provisioning: { status: 'provisioned' } }
      const stored = await readJson<SeenAgreement>(world.as('O', 'PUT', path, { body }))
      assert.deepEqual(stored, { ...seen, tags: ['granted'] })
      assert.deepEqual(await listEventNames(path), ['Created', 'Requested', 'Updated'])
    })

    test('200 for null in members without a value', async () => {
      const product = await addProvider(world, 'a')
      const body = buildAgreement(
        product,
        { teamId: 'b', userId: null, dataProductId: null },
        { info: { active: null, endDate: null }, roles: null, provisioning: null },
      )
      await expectOk(world.as('O', 'PUT', `/api/access/${uniqueId()}`, { body }))
    })

    test('422 with every problem', async () => {
      const product = await addProvider(world, 'a')
      const path = `/api/access/${uniqueId()}`
      const put = (body: object): Promise<Response> => world.as('O', 'PUT', path, { body })
      await expectViolations(put({}), 422, [
        'consumer',
        'info',
        'info.purpose',
        'provider',
        'provider.dataProductId',
        'provider.outputPortId',
      ])
      const valid = buildAgreement(product, { teamId: 'b' })
      const withInfo = (info: object): object => ({ ...valid, info: { purpose: 'x', ...info } })
      await expectViolations(put({ ...valid, id: 'other' }), 422, ['id'])
      await expectViolations(put(withInfo({ startDate: '2026-02-30' })), 422, ['info.startDate'])
      await expectViolations(put(withInfo({ purpose: ' ' })), 422, ['info.purpose'])
      await expectViolations(put(withInfo({ purpose: 'x'.repeat(4001) })), 422, ['info.purpose'])
      const backwards = { startDate: '2026-02-02', endDate: '2026-02-01' }
      await expectViolations(put(withInfo(backwards)), 422, ['info.endDate'])
      const two = { ...valid, consumer: { teamId: 'b', userId: 'x' } }
      await expectViolations(put(two), 422, ['consumer'])
    })

    test('422 for an unknown product, port, team, user, or consuming product', async () => {
      const product = await addProvider(world, 'a')
      const put = (body: object): Promise<Response> =>
        world.as('O', 'PUT', `/api/access/${uniqueId()}`, { body })
      const forB = { teamId: 'b' }
      await expectProblem(put(buildAgreement('none', forB)), 422, /PUT \/api\/dataproducts/)
      const port = { provider: { outputPortId: 'none' } }
      await expectProblem(put(buildAgreement(product, forB, port)), 422, /It has: out\./)
      for (const consumer of [{ teamId: 'none' }, { userId: 'none' }, { dataProductId: 'none' }]) {
        await expectProblem(put(buildAgreement(product, consumer)), 422, /Unknown/)
      }
    })

    test('200 for a port by its id or its name', async () => {
      const product = await addProvider(world, 'a', { id: 'port-1' })
      for (const outputPortId of ['out', 'port-1']) {
        const more = { provider: { outputPortId } }
        const path = await addAgreement(world, { product, more })
        assert.equal((await get(path)).info.status, 'requested')
      }
    })

    test('200 for a user by the id or the address; 403 for another person', async () => {
      const product = await addProvider(world, 'b')
      const { Um, Ue } = world.userIds
      await addAgreement(world, { by: 'Um', product, consumer: { userId: Um } })
      const members = await readJson<{ userId: string; emailAddress: string }[]>(
        world.as('O', 'GET', '/api/organization/members'),
      )
      const userId = members.find((member) => member.userId === Um)?.emailAddress.toUpperCase()
      await addAgreement(world, { by: 'Um', product, consumer: { userId } })
      const body = buildAgreement(product, { userId: Ue })
      const path = `/api/access/${uniqueId()}`
      await expectProblem(world.as('Um', 'PUT', path, { body }), 403, /Only the person/)
    })

    test('412 for an entity tag from before a decision', async () => {
      const path = await addAgreement(world)
      const before = await world.as('O', 'GET', path)
      const etag = before.headers.get('etag') ?? ''
      await post(path, 'approve')
      const headers = { 'if-match': etag }
      const body = await get(path)
      await expectProblem(world.as('O', 'PUT', path, { body, headers }), 412)
      const noneMatch = { 'if-none-match': etag }
      assert.equal((await world.as('O', 'GET', path, { headers: noneMatch })).status, 200)
    })

    test('403 for new dates or roles of an approved one without ACCESS_APPROVE', async () => {
      const path = await addAgreement(world, { isApproved: true })
      const seen = await get(path)
      for (const change of [
        { info: { ...seen.info, endDate: '2099-01-01' } },
        { roles: ['admin'] },
      ]) {
        const body = { ...seen, ...change }
        await expectProblem(world.as('Ue', 'PUT', path, { body }), 403, /ACCESS_APPROVE/)
        await expectOk(world.as('T', 'PUT', path, { body }))
      }
      assert.deepEqual((await get(path)).roles, ['admin'])
    })

    test('422 for another consumer or port after the decision, 200 before', async () => {
      const path = await addAgreement(world)
      const other = await addProvider(world, 'a')
      const moved = buildAgreement(other, { teamId: 'a' })
      await expectOk(world.as('O', 'PUT', path, { body: moved }))
      await post(path, 'approve')
      for (const body of [
        buildAgreement(other, { teamId: 'b' }),
        buildAgreement(await addProvider(world, 'a'), { teamId: 'a' }),
      ]) {
        await expectProblem(world.as('O', 'PUT', path, { body }), 422, /after the decision/)
      }
    })

    test('200 for many requests at once; one creates it', async () => {
      const product = await addProvider(world, 'a')
      const path = `/api/access/${uniqueId()}`
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => {
          const body = buildAgreement(product, { teamId: 'b' }, { tags: [`t${at}`] })
          return expectOk(world.as('O', 'PUT', path, { body }))
        }),
      )
      const names = await listEventNames(path)
      assert.deepEqual(names.slice(0, 2), ['Created', 'Requested'])
      assert.equal(names.length, 11)
    })
  })

  describe('GET /api/access', () => {
    test('200 with the filters, in pages', async () => {
      const [provider, consumer] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
      const paths = [
        await addAgreement(world, { product: provider }),
        await addAgreement(world, { product: provider, consumer: { dataProductId: consumer } }),
        await addAgreement(world, { product: provider, consumer: { userId: world.userIds.Um } }),
      ]
      const purposes = async (query: string): Promise<number> =>
        (await readJson<SeenAgreement[]>(world.as('Um', 'GET', `/api/access?${query}`))).length
      const ofProvider = `providerDataProductId=${provider}`
      assert.equal(await purposes(ofProvider), paths.length)
      assert.equal(await purposes(`consumerDataProductId=${consumer}`), 1)
      for (const type of ['team', 'user', 'dataproduct', 'dataProduct', 'DATAPRODUCT']) {
        assert.equal(await purposes(`${ofProvider}&consumerType=${type}`), 1)
      }
      assert.equal(await purposes('providerDataProductId=none'), 0)
      const page = await world.as('O', 'GET', `/api/access?${ofProvider}&pageSize=2`)
      assert.match(page.headers.get('link') ?? '', /pageSize=2&p=1>; rel="next"/)
      assert.equal(await purposes(`${ofProvider}&pageSize=2&p=1`), 1)
      assert.equal(await purposes(`${ofProvider}&pageSize=2&p=9999999999`), 0)
    })

    test('400 for other filters and sizes', async () => {
      for (const query of ['consumerType=x', 'pageSize=1', 'pageSize=10001', 'p=-1', 'owner=a']) {
        await expectProblem(world.as('O', 'GET', `/api/access?${query}`), 400)
      }
    })
  })

  describe('DELETE /api/access/{id}', () => {
    test('200, and deactivates an active one', async () => {
      const path = await addAgreement(world, { isApproved: true })
      assert.equal(await readText(world.as('O', 'DELETE', path)), '')
      await expectProblem(world.as('O', 'GET', path), 404)
      await expectProblem(world.as('O', 'DELETE', path), 404)
      assert.deepEqual((await listEventNames(path)).slice(-2), ['Deactivated', 'Deleted'])
    })

    test('200, and the id can be used again', async () => {
      const path = await addAgreement(world)
      const body = await get(path)
      await expectOk(world.as('O', 'DELETE', path))
      await expectOk(world.as('O', 'PUT', path, { body }))
      const events = await listEvents(path)
      assert.deepEqual(
        events.map(({ data }) => data.version),
        [1, 1, 1, 2, 2],
      )
    })
  })

  test('GET /api/events?include=document › has the agreement before and after', async () => {
    const path = await addAgreement(world, { isApproved: true })
    const [created, , approved] = await listEvents(path)
    assert.equal(created?.data.before, null)
    assert.deepEqual(approved?.data.before?.info.status, 'requested')
    assert.deepEqual(approved?.data.after, await get(path))
  })

  test('/api/datausageagreements is another name of /api/access', async () => {
    const path = await addAgreement(world)
    const older = path.replace('/api/access', '/api/datausageagreements')
    assert.deepEqual(await get(older), await get(path))
    await post(older, 'approve')
    assert.equal((await get(path)).info.active, true)
    await expectOk(world.as('O', 'DELETE', older))
    await expectProblem(world.as('O', 'GET', path), 404)
  })
})
