import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { CallerName, Product, World } from '../../../test/world.ts'

const TEAM = '/api/teams/{id}'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (id: string, parent?: string, caller: CallerName = 'O'): Promise<Response> =>
    world.as(caller, 'PUT', `/api/teams/${id}`, { body: { name: id, parent } })
  const remove = (id: string, caller: CallerName = 'O'): Promise<Response> =>
    world.as(caller, 'DELETE', `/api/teams/${id}`)

  /** Makes teams, each below the one before it; the first one below `parent`. */
  async function newLine(length: number, parent?: string): Promise<string[]> {
    const ids = Array.from({ length }, uniqueId)
    for (const [at, id] of ids.entries()) await readText(put(id, at === 0 ? parent : ids[at - 1]))
    return ids
  }

  async function newTeamKey(teamId: string): Promise<{ key: string; id: string }> {
    const body = { scope: 'team', teamId }
    const created = await readJson<{ key: string; organizationApiKeyId: string }>(
      world.as('O', 'POST', '/api/api-keys', { body }),
      201,
    )
    return { key: created.key, id: created.organizationApiKeyId }
  }

  test(`PUT ${TEAM} › 422 for a circle of one, two and four teams`, async () => {
    const [one = '', two = '', three = '', four = ''] = await newLine(4)
    const { violations } = await expectProblem(put(one, one), 422, /own parent/)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['parent'],
    )
    for (const below of [two, three, four]) {
      await expectProblem(put(one, below), 422, /is a subteam of this team/)
    }
    await expectProblem(put(three, four), 422, /is a subteam of this team/)
    await readText(put(four, one))
    await readText(put(three, four))
  })

  test(`PUT ${TEAM} › 422 for a team that would be its own parent from the start`, async () => {
    const id = uniqueId()
    await expectProblem(put(id, id), 422)
  })

  test(`PUT ${TEAM} › of two moves at once that would close a circle one is refused`, async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one = ''] = await newLine(1)
      const [other = ''] = await newLine(1)
      // Two products share nothing but the store, as two processes do.
      const [here, there] = [newProduct(store()), newProduct(store())]
      const move = (product: Product, id: string, parent: string): Promise<Response> => {
        const options = { key: world.keys.O, body: { name: id, parent } }
        return product.call('PUT', `/api/teams/${id}`, options)
      }
      const answers = await Promise.all([move(here, one, other), move(there, other, one)])
      assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['200', '422'])
    }
  })

  test(`PUT ${TEAM} › the first write needs an organization key or a key of the parent team`, async () => {
    await expectProblem(put(uniqueId(), undefined, 'T'), 403, /TEAM_ADD on the organization/)
    await expectProblem(put(uniqueId(), 'b', 'T'), 403, /TEAM_ADD on team b/)
    const id = uniqueId()
    await readText(put(id, 'a', 'T'))
    await readText(put(uniqueId(), id, 'T'))
    await readText(put(uniqueId(), undefined, 'O'))
  })

  test(`PUT ${TEAM} › moving needs power over the old and the new parent`, async () => {
    const [top = '', low = ''] = await newLine(2)
    const [other = ''] = await newLine(1)
    const { key } = await newTeamKey(top)
    const { key: keyOfOther } = await newTeamKey(other)
    const { key: keyOfLow } = await newTeamKey(low)
    const move = (id: string, parent: string | undefined, by: string): Promise<Response> =>
      world.call('PUT', `/api/teams/${id}`, { key: by, body: { name: id, parent } })
    await expectProblem(move(low, other, key), 403, new RegExp(`TEAM_ADD on team ${other}`))
    await expectProblem(move(low, other, keyOfOther), 403, new RegExp(`TEAM_EDIT on team ${low}`))
    await expectProblem(move(low, undefined, keyOfLow), 403, /TEAM_ADD on the organization/)
    await expectProblem(move(top, other, key), 403, new RegExp(`TEAM_ADD on team ${other}`))
    // Who owns both may still not take a team away from the top, where the organization rules.
    const [mine = ''] = await newLine(1, top)
    await expectProblem(move(top, mine, key), 403, /TEAM_EDIT on the organization/)
    await readText(move(low, mine, key))
    await readText(move(low, other, world.keys.O ?? ''))
  })

  test(`PUT ${TEAM} › a member of a team below has no power above`, async () => {
    const { key } = await newTeamKey((await newLine(2, 'a'))[1] ?? '')
    const body = { name: 'A' }
    await expectProblem(
      world.call('PUT', '/api/teams/a', { key, body }),
      403,
      /TEAM_EDIT on team a/,
    )
  })

  test(`DELETE ${TEAM} › 200 without a body, then 404; its versions stay`, async () => {
    const [id = ''] = await newLine(1)
    assert.equal(await readText(remove(id)), '')
    await expectProblem(remove(id), 404)
    await expectProblem(world.as('O', 'GET', `/api/teams/${id}`), 404)
    const versions = await readJson<{ validTo: string | null }[]>(
      world.as('O', 'GET', `/api/teams/${id}/versions`),
    )
    assert.equal(versions.length, 1)
    assert.notEqual(versions[0]?.validTo, null)
  })

  test(`DELETE ${TEAM} › 422 naming the teams below it and the products of it`, async () => {
    const [top = '', low = ''] = await newLine(2)
    await expectProblem(remove(top), 422, new RegExp(`is a subteam of the team \\(${low}\\)`))
    const product = uniqueId()
    const path = `/api/dataproducts/${product}`
    const body = odps(product, { team: { name: low } })
    await readText(world.as('O', 'PUT', path, { body }))
    await expectProblem(
      remove(low),
      422,
      new RegExp(`is a data product of the team \\(${product}\\)`),
    )
    await readText(world.as('O', 'GET', `/api/teams/${low}`))
    await readText(world.as('O', 'DELETE', path))
    await readText(remove(low))
    await readText(remove(top))
  })

  test(`DELETE ${TEAM} › deletes its keys, which stop at once, and counts them out`, async () => {
    const [top = '', id = ''] = await newLine(2)
    const [first, second, other] = [
      await newTeamKey(id),
      await newTeamKey(id),
      await newTeamKey(top),
    ]
    const counted = async (): Promise<number> => {
      const row = await store()
        .db.selectFrom('organization')
        .select('api_key_count')
        .where('id', '=', world.organizationId)
        .executeTakeFirstOrThrow()
      return row.api_key_count
    }
    const getStatus = async ({ key }: { key: string }): Promise<number> =>
      (await world.call('GET', '/api/organization/settings', { key })).status
    const before = await counted()
    assert.equal(await getStatus(first), 200)
    await readText(remove(id))
    assert.equal(await counted(), before - 2)
    assert.deepEqual(await Promise.all([first, second, other].map(getStatus)), [401, 401, 200])
    await expectProblem(world.as('O', 'DELETE', `/api/api-keys/${first.id}`), 404)
  })

  test(`DELETE ${TEAM} › of two at once one finds it`, async () => {
    const [id = ''] = await newLine(1)
    const answers = await Promise.all([remove(id), remove(id)])
    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['200', '404'])
  })

  test(`DELETE ${TEAM} › 403 for a team of B, 404 for an unknown one`, async () => {
    await expectProblem(remove('b', 'T'), 403, /TEAM_DELETE on team b/)
    await expectProblem(remove(uniqueId(), 'T'), 404)
  })

  test(`DELETE ${TEAM} › while products and teams come to it, nothing is left without a team`, async () => {
    for (let round = 0; round < 8; round += 1) {
      const [id = ''] = await newLine(1)
      const [here, there] = [newProduct(store()), newProduct(store())]
      const key = world.keys.O
      const product = uniqueId()
      const [added, child, removed] = await Promise.all([
        there.call('PUT', `/api/dataproducts/${product}`, {
          key,
          body: odps(product, { team: { name: id } }),
        }),
        there.call('PUT', `/api/teams/${uniqueId()}`, { key, body: { name: 'C', parent: id } }),
        here.call('DELETE', `/api/teams/${id}`, { key }),
      ])
      const isThere = (await here.call('GET', `/api/teams/${id}`, { key })).status === 200
      const statuses = [added.status, child.status, removed.status]
      assert.ok(added.status === 422 || (added.status === 200 && isThere), String(statuses))
      assert.ok(child.status === 422 || (child.status === 200 && isThere), String(statuses))
      assert.equal(removed.status, isThere ? 422 : 200, String(statuses))
    }
  })
})
