import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../../test/world.ts'
import type { PersonName, World } from '../../../test/world.ts'
import { SEARCHES_MAX, type Follow, type FollowedKind, type FollowState } from './follow.ts'

const toPath = (kind: string, id: string): string =>
  `/ui/follow?${new URLSearchParams({ kind, id }).toString()}`

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const getState = (person: PersonName, kind: FollowedKind, id: string): Promise<FollowState> =>
    readJson<FollowState>(world.asPerson(person, 'GET', toPath(kind, id)))
  const put = (person: PersonName, body: object): Promise<Response> =>
    world.asPerson(person, 'PUT', '/ui/follow', { body })
  const remove = (person: PersonName, kind: FollowedKind, id: string): Promise<string> =>
    readText(world.asPerson(person, 'DELETE', toPath(kind, id)), 204)

  async function addProduct(more: object = {}): Promise<string> {
    const id = uniqueId()
    const body = odps(id, { team: { name: 'a' }, ...more })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    return id
  }

  describe('PUT, GET and DELETE /ui/follow', () => {
    test('200 and 204: a person follows a product, a contract, a team and a search', async () => {
      const product = await addProduct()
      await expectOk(world.as('O', 'PUT', '/api/datacontracts/c', { body: odcs('c') }))
      for (const [kind, id] of [
        ['data-product', product],
        ['data-contract', 'c'],
        ['team', 'b'],
        ['search', 'query=orders'],
      ] as const) {
        const none = await getState('Uo', kind, id)
        assert.deepEqual(none, { count: 0, state: 'none', followsBecause: null })
        const following = { count: 1, state: 'following', followsBecause: null }
        for (const _ of ['once', 'twice']) {
          assert.deepEqual(await readJson(put('Uo', { kind, id })), following)
        }
        assert.deepEqual(await getState('Uo', kind, id), following)
        await remove('Uo', kind, id)
        await remove('Uo', kind, id)
        assert.deepEqual(await getState('Uo', kind, id), none)
      }
    })

    test('followsBecause is owner for members of the owning team, and consumer for those of a team that reads it', async () => {
      const contract = uniqueId()
      await expectOk(
        world.as('O', 'PUT', `/api/datacontracts/${contract}`, {
          body: odcs(contract, { team: { name: 'b' } }),
        }),
      )
      const port = [{ name: 'p', version: '1', contractId: contract }]
      const provider = await addProduct({ team: { name: 'b' }, outputPorts: port })
      await addProduct({ inputPorts: port })
      assert.equal((await getState('Um', 'data-contract', contract)).followsBecause, 'consumer')
      assert.equal((await getState('Um', 'data-product', provider)).followsBecause, 'consumer')
      assert.equal((await getState('Um', 'team', 'a')).followsBecause, 'owner')
      assert.equal((await getState('Uo', 'data-contract', contract)).followsBecause, null)
      const own = await addProduct()
      assert.equal((await getState('Ue', 'data-product', own)).followsBecause, 'owner')
    })

    test('the count includes the caller who follows it by default, until it is muted', async () => {
      const id = await addProduct()
      const count = async (person: PersonName): Promise<number> =>
        (await getState(person, 'data-product', id)).count
      assert.deepEqual([await count('Um'), await count('Uo')], [1, 0])
      await expectOk(put('Uo', { kind: 'data-product', id }))
      assert.deepEqual([await count('Um'), await count('Uo')], [2, 1])
      await expectOk(put('Um', { kind: 'data-product', id }))
      assert.deepEqual([await count('Um'), await count('Uo')], [2, 2])
      await expectOk(put('Um', { kind: 'data-product', id, muted: true }))
      assert.deepEqual([await count('Um'), await count('Uo')], [1, 1])
    })

    test('muting is not following: it has no star and is not counted', async () => {
      const id = await addProduct()
      const muted = await readJson(put('Um', { kind: 'data-product', id, muted: true }))
      assert.deepEqual(muted, { count: 0, state: 'muted', followsBecause: 'owner' })
      assert.deepEqual(await readJson(world.as('Um', 'GET', `/api/dataproducts/${id}/star`)), {
        count: 0,
        starredByMe: false,
      })
      await readText(world.as('Um', 'PUT', `/api/dataproducts/${id}/star`), 204)
      assert.equal((await getState('Um', 'data-product', id)).state, 'following')
    })

    test('404 for an unknown subject', async () => {
      for (const kind of ['data-product', 'data-contract', 'team']) {
        const id = uniqueId()
        await expectProblem(world.asPerson('Um', 'GET', toPath(kind, id)), 404)
        await expectProblem(put('Um', { kind, id }), 404)
        await expectProblem(world.asPerson('Um', 'DELETE', toPath(kind, id)), 404)
      }
    })

    test('422 for a search that finds everything, 400 for an unknown kind', async () => {
      await expectProblem(put('Um', { kind: 'search', id: '' }), 422, /finds everything/)
      await expectProblem(world.asPerson('Um', 'GET', toPath('asset', 'x')), 400)
      await expectProblem(put('Um', { kind: 'asset', id: 'x' }), 422, /kind/)
      await expectProblem(put('Um', { kind: 'team', id: 'a'.repeat(1001) }), 422)
    })

    test('409 for more searches than a person can follow; a followed one can be followed again', async () => {
      const own = await newWorld(newProduct(store()))
      const follow = (at: number): Promise<Response> =>
        own.asPerson('Um', 'PUT', '/ui/follow', { body: { kind: 'search', id: `query=s${at}` } })
      for (let at = 0; at < SEARCHES_MAX.ofPerson; at += 1) await expectOk(follow(at))
      await expectProblem(follow(SEARCHES_MAX.ofPerson), 409, /as much as you can/)
      await expectOk(follow(0))
    })
  })

  describe('a follow of a deleted subject', () => {
    test('does not count for a new product of the same id, although it is kept to notify its person', async () => {
      const id = await addProduct()
      await expectOk(put('Um', { kind: 'data-product', id }))
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${id}`))
      const { rows } = await sql`
        select from follow where organization_id = ${world.organizationId} and subject = ${id}
      `.execute(store().db)
      assert.equal(rows.length, 1)
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
      assert.equal((await getState('Um', 'data-product', id)).state, 'none')
      const state = await readJson(put('Um', { kind: 'data-product', id }))
      assert.deepEqual(state, { count: 1, state: 'following', followsBecause: 'owner' })
    })
  })

  describe('GET /ui/follows', () => {
    test('200: own follows with their names, the last one first, and none of another organization', async () => {
      const own = await newWorld(newProduct(store()))
      await expectOk(own.as('O', 'PUT', '/api/dataproducts/p', { body: odps('p') }))
      for (const body of [
        { kind: 'data-product', id: 'p' },
        { kind: 'team', id: 'b', muted: true },
        { kind: 'search', id: 'tag=x&query=a' },
      ]) {
        await expectOk(own.asPerson('Um', 'PUT', '/ui/follow', { body }))
      }
      await expectOk(own.asPerson('Ue', 'PUT', '/ui/follow', { body: { kind: 'team', id: 'a' } }))
      const follows = await readJson<Follow[]>(own.asPerson('Um', 'GET', '/ui/follows'))
      assert.deepEqual(
        follows.map(({ kind, id, name, muted }) => ({ kind, id, name, muted })),
        [
          { kind: 'search', id: 'query=a&tag=x', name: null, muted: false },
          { kind: 'team', id: 'b', name: 'Team B', muted: true },
          { kind: 'data-product', id: 'p', name: 'Product p', muted: false },
        ],
      )
    })
  })
})
