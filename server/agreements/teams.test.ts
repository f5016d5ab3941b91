import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addProvider } from '../../test/agreements.ts'
import { listAccessEvents, type SeenAgreement } from '../../test/access-events.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../test/world.ts'
import { toFormerCanonical } from '../../formats/agreement/agreement.ts'
import { computeDigest } from '../documents/document.ts'
import { verifyStore } from '../transfer/verify.ts'

onStore((store) => {
  let world: World
  // The same ids in another organization, whose products belong to other teams.
  let other: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    other = await newWorld(newProduct(store()))
  })

  const get = (path: string): Promise<SeenAgreement> => readJson(world.as('O', 'GET', path))

  const move = (product: string, team: string): Promise<unknown> => {
    const outputPorts = [{ name: 'out', version: '1' }]
    const body = odps(product, { team: { name: team }, outputPorts })
    return expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
  }

  async function listVersions(path: string): Promise<SeenAgreement[]> {
    const { rows } = await sql<{ document: string }>`
      select document
      from revision
      where organization_id = ${world.organizationId}
        and kind = 'access'
        and external_id = ${path.split('/').at(-1)}
      order by version
    `.execute(store().db)
    return rows.map(({ document }) => JSON.parse(document) as SeenAgreement)
  }

  async function listFindings(): Promise<string[]> {
    const results = await verifyStore(store().db)
    return results.flatMap(({ findings }) => findings)
  }

  describe('the teams of the data products of an agreement', () => {
    test('are in every answer: single, list, decision, event and version', async () => {
      const [product, reader] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
      for (const id of [product, reader]) {
        const body = odps(id, { team: { name: 'a' } })
        await expectOk(other.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
      }
      const consumer = { dataProductId: reader }
      const path = await addAgreement(world, { product, consumer })
      const expected = { provider: 'a', consumer: { ...consumer, teamId: 'b' } }
      const list = await readJson<SeenAgreement[]>(
        world.as('O', 'GET', `/api/access?providerDataProductId=${product}`),
      )
      const approved = await readJson<SeenAgreement>(world.as('O', 'POST', `${path}/approve`))
      const [event] = await listAccessEvents(world, path)
      const versions = await listVersions(path)
      assert.equal(versions.length, 2)
      const answers = [await get(path), ...list, approved, ...versions]
      for (const answer of [...answers, event?.data.after]) {
        assert.ok(answer !== undefined && answer !== null)
        assert.deepEqual({ provider: answer.provider.teamId, consumer: answer.consumer }, expected)
      }
    })

    test('are not added to the consumer of a team or a person', async () => {
      for (const consumer of [{ teamId: 'b' }, { userId: world.userIds.Um }]) {
        const path = await addAgreement(world, { consumer })
        assert.deepEqual((await get(path)).consumer, consumer)
      }
    })

    test('are ignored when they are sent back: nothing is written, regardless of the team they name', async () => {
      const consumer = { dataProductId: await addProvider(world, 'b') }
      const path = await addAgreement(world, { consumer, isApproved: true })
      const seen = await get(path)
      const count = (await listAccessEvents(world, path)).length
      for (const teamId of ['b', 'a', 'unheard-of', 'a b\u0001', '']) {
        const body = {
          ...seen,
          provider: { ...seen.provider, teamId },
          consumer: { ...consumer, teamId },
        }
        assert.deepEqual(await readJson(world.as('O', 'PUT', path, { body })), seen)
      }
      assert.equal((await listVersions(path)).length, 2)
      assert.equal((await listAccessEvents(world, path)).length, count)
    })

    test('of the consuming team are terms, which count', async () => {
      const path = await addAgreement(world, { isApproved: true })
      const body = { ...(await get(path)), consumer: { teamId: 'a' } }
      await expectProblem(world.as('O', 'PUT', path, { body }), 422, /consumer cannot change/)
    })

    test('are the new ones after a change of the owner, with another entity tag', async () => {
      const [product, reader] = [await addProvider(world, 'a'), await addProvider(world, 'a')]
      const path = await addAgreement(world, { product, consumer: { dataProductId: reader } })
      const seen = await get(path)
      const tag = (await world.as('O', 'GET', path)).headers.get('etag') ?? ''
      const headers = { 'if-none-match': tag }
      assert.equal((await world.as('O', 'GET', path, { headers })).status, 304)
      await move(product, 'b')
      await move(reader, 'b')
      assert.equal((await world.as('O', 'GET', path, { headers })).status, 200)
      const now = await get(path)
      assert.deepEqual([now.provider.teamId, now.consumer.teamId], ['b', 'b'])
      const list = world.as('O', 'GET', `/api/access?providerDataProductId=${product}`)
      assert.deepEqual(await readJson(list), [now])
      // What was read before the change of the owner is still the same agreement.
      const match = { body: seen, headers: { 'if-match': tag } }
      assert.deepEqual(await readJson(world.as('O', 'PUT', path, match)), now)
      assert.equal((await listVersions(path)).length, 1)
      assert.deepEqual(await listFindings(), [])
    })
  })

  test('an agreement of an earlier version, which kept the team that was sent › is unchanged by the same PUT, and correct', async () => {
    const product = await addProvider(world, 'a')
    const path = `/api/access/${uniqueId()}`
    const provider = { dataProductId: product, outputPortId: 'out', teamId: 'a' }
    const body = { info: { purpose: 'Reports' }, provider, consumer: { teamId: 'b' } }
    await expectOk(world.as('O', 'PUT', path, { body }))
    const former = JSON.stringify({
      ...body,
      info: { ...body.info, status: 'requested', active: false },
    })
    const digest = computeDigest(toFormerCanonical(body))
    await sql`
      with agreement as (
        update access_agreement
        set digest = ${digest}
        where organization_id = ${world.organizationId}
          and external_id = ${path.split('/').at(-1)}
        returning *
      )
      update revision
      set digest = ${digest}, document = ${former}
      from agreement
      where revision.organization_id = agreement.organization_id
        and revision.kind = 'access'
        and revision.external_id = agreement.external_id
    `.execute(store().db)
    assert.deepEqual(await listFindings(), [])
    await expectOk(world.as('O', 'PUT', path, { body }))
    assert.equal((await listVersions(path)).length, 1)
    await expectOk(world.as('O', 'POST', `${path}/approve`))
    assert.deepEqual(await listFindings(), [])
  })
})
