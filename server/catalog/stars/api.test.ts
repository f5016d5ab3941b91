import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newMember } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import type { CallerName } from '../../../test/world.ts'
import { FOLLOWS_MAX } from '../../notices/follows/follow.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function addProduct(owner = 'a'): Promise<string> {
    const id = uniqueId()
    const body = odps(id, { team: { name: owner } })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    return `/api/dataproducts/${id}`
  }

  const star = (caller: CallerName, path: string): Promise<string> =>
    readText(world.as(caller, 'PUT', `${path}/star`), 204)
  const unstar = (caller: CallerName, path: string): Promise<string> =>
    readText(world.as(caller, 'DELETE', `${path}/star`), 204)
  const getStars = (caller: CallerName, path: string): Promise<unknown> =>
    readJson(world.as(caller, 'GET', `${path}/star`))

  describe('stars of a data product', () => {
    test('PUT and DELETE /api/dataproducts/{id}/star › 204, also when repeated', async () => {
      const path = await addProduct()
      assert.deepEqual(await getStars('Um', path), { count: 0, starredByMe: false })
      assert.equal(await star('Um', path), '')
      await star('Um', path)
      await star('Ue', path)
      assert.deepEqual(await getStars('Um', path), { count: 2, starredByMe: true })
      assert.deepEqual(await getStars('Uo', path), { count: 2, starredByMe: false })
      await unstar('Um', path)
      await unstar('Um', path)
      assert.deepEqual(await getStars('Um', path), { count: 1, starredByMe: false })
    })

    test('PUT /api/dataproducts/{id}/star › a person has one star for all keys and sessions', async () => {
      const path = await addProduct()
      await star('Ue', path)
      const answer = await world.asPerson('Ue', 'PUT', `${path}/star`)
      assert.equal(answer.status, 204)
      const expected = { count: 1, starredByMe: true }
      assert.deepEqual(await getStars('Ur', path), expected)
      assert.deepEqual(await readJson(world.asPerson('Ue', 'GET', `${path}/star`)), expected)
      assert.deepEqual(await getStars('O', path), { count: 1, starredByMe: false })
    })

    test('PUT /api/dataproducts/{id}/star › many at once are one star', async () => {
      const path = await addProduct()
      await Promise.all(Array.from({ length: 10 }, () => star('Um', path)))
      assert.deepEqual(await getStars('Um', path), { count: 1, starredByMe: true })
    })

    test('PUT and DELETE /api/dataproducts/{id}/star › 403 without a personal key', async () => {
      const path = await addProduct()
      for (const caller of ['T', 'O'] as const) {
        for (const method of ['PUT', 'DELETE']) {
          await expectProblem(world.as(caller, method, `${path}/star`), 403, /personal API key/)
        }
      }
    })

    test('/api/dataproducts/{id}/star › 404 for an unknown product', async () => {
      const path = `/api/dataproducts/${uniqueId()}`
      for (const method of ['GET', 'PUT', 'DELETE']) {
        await expectProblem(world.as('Um', method, `${path}/star`), 404)
      }
      await expectProblem(world.as('O', 'GET', `${path}/stargazers`), 404)
    })

    test('PUT /api/dataproducts/{id}/star › makes no version and no event, and a PUT of the product keeps it', async () => {
      const path = await addProduct()
      await star('Um', path)
      const versions = await readJson<object[]>(world.as('Um', 'GET', `${path}/versions`))
      assert.equal(versions.length, 1)
      const id = path.split('/').at(-1) ?? ''
      await expectOk(world.as('O', 'PUT', path, { body: odps(id, { tags: ['x'] }) }))
      assert.deepEqual(await getStars('Um', path), { count: 1, starredByMe: true })
    })
  })

  describe('the end of a star', () => {
    test('DELETE /api/dataproducts/{id}/star › keeps a mute', async () => {
      const path = await addProduct()
      const id = path.split('/').at(-1)
      const body = { kind: 'data-product', id, muted: true }
      await expectOk(world.asPerson('Um', 'PUT', '/ui/follow', { body }))
      await unstar('Um', path)
      const state = await readJson<{ state: string }>(
        world.asPerson('Um', 'GET', `/ui/follow?kind=data-product&id=${id}`),
      )
      assert.equal(state.state, 'muted')
    })

    test('PUT /api/dataproducts/{id}/star › 409 at the limit, but what has a star keeps it', async () => {
      const own = await newWorld(newProduct(store()))
      for (const id of ['p', 'q']) {
        await expectOk(own.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
      }
      await readText(own.as('Um', 'PUT', '/api/dataproducts/p/star'), 204)
      await sql`
        insert into follow (organization_id, kind, subject, user_id, is_muted, followed_at)
        select ${own.organizationId}::uuid, 'data-contract', number::text, ${own.userIds.Um}::uuid,
          false, now()
        from generate_series(1, ${FOLLOWS_MAX - 1}::integer) as number
      `.execute(store().db)
      await expectProblem(own.as('Um', 'PUT', '/api/dataproducts/q/star'), 409)
      const body = { kind: 'data-product', id: 'p', muted: true }
      await expectOk(own.asPerson('Um', 'PUT', '/ui/follow', { body }))
      await readText(own.as('Um', 'PUT', '/api/dataproducts/p/star'), 204)
    })

    test('DELETE /api/dataproducts/{id} › deletes its stars', async () => {
      const path = await addProduct()
      await star('Um', path)
      await expectOk(world.as('O', 'DELETE', path))
      const id = path.split('/').at(-1) ?? ''
      await expectOk(world.as('O', 'PUT', path, { body: odps(id) }))
      assert.deepEqual(await getStars('Um', path), { count: 0, starredByMe: false })
    })

    test('DELETE /ui/members/{userId} › deletes the stars of the person', async () => {
      const own = await newWorld(newProduct(store()))
      await expectOk(own.as('O', 'PUT', '/api/dataproducts/p', { body: odps('p') }))
      const { browser, session } = await newMember(own, own.organizationId)
      browser.organization = own.organizationId
      await readText(browser.ask('PUT', '/api/dataproducts/p/star'), 204)
      const { count } = await readJson<{ count: number }>(
        own.as('O', 'GET', '/api/dataproducts/p/star'),
      )
      assert.equal(count, 1)
      await readText(own.asPerson('Uo', 'DELETE', `/ui/members/${session.user.id}`), 204)
      assert.deepEqual(await readJson(own.as('O', 'GET', '/api/dataproducts/p/star')), {
        count: 0,
        starredByMe: false,
      })
    })
  })

  describe('GET /api/dataproducts/{id}/stargazers', () => {
    test('200 for owners: the people in the order of their stars', async () => {
      const path = await addProduct()
      await star('Um', path)
      await star('Uo', path)
      for (const caller of ['T', 'Tr', 'O', 'Or', 'Uo'] as const) {
        const people = await readJson<{ userId: string; fullName: string }[]>(
          world.as(caller, 'GET', `${path}/stargazers`),
        )
        assert.deepEqual(
          people.map(({ userId }) => userId),
          [world.userIds.Um, world.userIds.Uo],
        )
        for (const person of people) assert.deepEqual(Object.keys(person), ['userId', 'fullName'])
      }
      assert.deepEqual(await readJson(world.as('O', 'GET', `${path}/stargazers?p=1`)), [])
    })

    test('403 for everybody else', async () => {
      for (const [owner, callers] of [
        ['a', ['Ue', 'Um', 'Ur']],
        ['b', ['Ue', 'Um', 'Ur', 'T', 'Tr']],
      ] as const) {
        const path = await addProduct(owner)
        for (const caller of callers) {
          await expectProblem(world.as(caller, 'GET', `${path}/stargazers`), 403, /owners/)
        }
      }
    })
  })
})
