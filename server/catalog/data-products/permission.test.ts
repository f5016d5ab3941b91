import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createApiKey } from '../../people/api-keys/service.ts'
import { addMember } from '../../people/organizations/service.ts'
import { expectProblem, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

const owned = (id: string, team: string, name = 'X'): object =>
  odps(id, { team: { name: team }, name })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** A person's key, with a role in some teams that are made for it. */
  async function personWith(roles: Record<string, string>, parent?: string): Promise<string> {
    const { services, organizationId } = world
    const emailAddress = `p-${uniqueId()}@example.test`
    const person = { email: emailAddress, passwordHash: 'none', role: 'Member' } as const
    const userId = await addMember(services.db, organizationId, person)
    for (const [team, role] of Object.entries(roles)) {
      const body = { id: team, name: team, members: [{ emailAddress, role }], parent }
      await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body }))
    }
    const wish = {
      scope: 'user' as const,
      team: undefined,
      userId,
      displayName: 'person',
      expiresOn: undefined,
    }
    return (await createApiKey(services.db, services.clock, organizationId, wish, 'system')).secret
  }

  async function put(key: string, id: string, body: object, status: number): Promise<string> {
    const answer = world.call('PUT', `/api/dataproducts/${id}`, { key, body })
    if (status === 200) return await readText(answer)
    return (await expectProblem(answer, status)).detail
  }

  test('PUT /api/dataproducts/{id} › a Steward may update but not create, nor delete', async () => {
    const team = uniqueId()
    const steward = await personWith({ [team]: 'Steward' })
    const id = uniqueId()
    assert.match(
      await put(steward, id, owned(id, team), 403),
      new RegExp(`DATAPRODUCT_ADD.*${team}`),
    )
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: owned(id, team) }))
    await put(steward, id, owned(id, team, 'Changed'), 200)
    const { detail } = await expectProblem(
      world.call('DELETE', `/api/dataproducts/${id}`, { key: steward }),
      403,
    )
    assert.match(detail, new RegExp(`DATAPRODUCT_DELETE.*${team}`))
  })

  test('PUT /api/dataproducts/{id} › 403 naming the permission, for a role made up', async () => {
    const team = uniqueId()
    const key = await personWith({ [team]: 'Grand Vizier' })
    const id = uniqueId()
    assert.match(await put(key, id, owned(id, team), 403), /DATAPRODUCT_ADD on the owning team/)
  })

  test('PUT /api/dataproducts/{id} › moving A → B needs the permission on both', async () => {
    const [from, to, third] = [uniqueId(), uniqueId(), uniqueId()]
    const onBoth = await personWith({ [from]: 'Steward', [to]: 'Steward' })
    await expectOk(
      world.as('O', 'PUT', `/api/teams/${third}`, { body: { id: third, name: 'Third' } }),
    )
    const id = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: owned(id, from) }))
    await put(onBoth, id, owned(id, to), 200)
    await put(onBoth, id, owned(id, from), 200)
    assert.match(
      await put(onBoth, id, owned(id, third), 403),
      new RegExp(`DATAPRODUCT_EDIT.*${third}`),
    )
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: owned(id, third) }))
    assert.match(
      await put(onBoth, id, owned(id, to), 403),
      new RegExp(`DATAPRODUCT_EDIT.*${third}`),
    )
  })

  test('PUT /api/dataproducts/{id} › a role reaches down the tree of teams, not up', async () => {
    const [top, below] = [uniqueId(), uniqueId()]
    const editorOfTop = await personWith({ [top]: 'Editor' })
    const editorBelow = await personWith({ [below]: 'Editor' }, top)
    const [one, two] = [uniqueId(), uniqueId()]
    await put(editorOfTop, one, owned(one, below), 200)
    await put(editorBelow, one, owned(one, below, 'Changed'), 200)
    await put(editorBelow, two, owned(two, top), 403)
  })

  test('PUT /api/dataproducts/{id} › an error reveals nothing to callers without permissions', async () => {
    const known = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${known}`, { body: odps(known) }))
    const bodies = [odps(known), owned(known, 'no-such-team'), {}, odps('mismatch')]
    for (const body of bodies) {
      for (const id of [known, uniqueId()]) {
        const options = { body, headers: { 'if-match': '"x"' } }
        await expectProblem(world.as('Um', 'PUT', `/api/dataproducts/${id}`, options), 403)
      }
    }
  })

  test('PUT /api/dataproducts/{id} › a dry run needs the same permissions', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}?dryRun=true`
    await expectProblem(world.as('Um', 'PUT', path, { body: odps(id) }), 403)
    await expectProblem(world.as('Tr', 'PUT', path, { body: odps(id) }), 403)
    await expectProblem(world.as('T', 'PUT', path, { body: owned(id, 'b') }), 403)
    await expectOk(world.as('T', 'PUT', path, { body: odps(id) }))
  })

  test("PUT, GET and DELETE /api/dataproducts/{id} › another organization's id is one's own to use", async () => {
    const other = await newWorld(newProduct(store()))
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const body = { ...odps(id), name: 'secret-canary' }
    await expectOk(world.as('O', 'PUT', path, { body }))
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
      ['GET', '?asOf=2999-01-01T00:00:00Z'],
      ['DELETE', ''],
    ] as const) {
      const problem = await expectProblem(other.as('O', method, path + suffix), 404)
      const unknown = `/api/dataproducts/${uniqueId()}${suffix}`
      assert.deepEqual(
        { ...problem, instance: '' },
        { ...(await expectProblem(other.as('O', method, unknown), 404)), instance: '' },
      )
    }
    const options = { body: odps(id), headers: { 'if-none-match': '*' } }
    await expectOk(other.as('O', 'PUT', path, options))
    for (const list of ['/api/dataproducts', '/api/dataproducts?asOf=2999-01-01T00:00:00Z']) {
      assert.equal(await readText(other.as('O', 'GET', list)), JSON.stringify([odps(id)]))
    }
    await expectOk(other.as('O', 'DELETE', path))
    assert.equal(await readText(world.as('O', 'GET', path)), JSON.stringify(body))
  })
})
