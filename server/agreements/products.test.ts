import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addProvider, buildAgreement } from '../../test/agreements.ts'
import { expectProblem } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../test/world.ts'
import { storeClock } from '../platform/kit/clock.ts'
import { findAgreement } from './read-store.ts'
import { updateAgreements } from './write-store.ts'

function at(product: string): string {
  return `/api/dataproducts/${product}`
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (product: string, more: object, query = ''): Promise<Response> =>
    world.as('O', 'PUT', `${at(product)}${query}`, { body: odps(product, more) })

  describe('DELETE /api/dataproducts/{id}', () => {
    test('422 while an access is active or begins later, with the names of the consumers', async () => {
      for (const info of [{}, { startDate: '2999-01-01' }]) {
        const product = await addProvider(world, 'a')
        const path = await addAgreement(world, { product, more: { info }, isApproved: true })
        for (const query of ['?dryRun=true', '']) {
          const answer = world.as('O', 'DELETE', `${at(product)}${query}`)
          const problem = await expectProblem(answer, 422)
          assert.equal(problem.code, 'in_use')
          assert.match(problem.detail, /team Team B has access to output port out/)
          assert.match(problem.detail, new RegExp(path.split('/').at(-1) ?? ''))
        }
        await expectOk(world.as('O', 'POST', `${path}/cancel`))
        await expectOk(world.as('O', 'DELETE', at(product)))
      }
    })

    test('422 while it consumes, with the name of the provider', async () => {
      const [provider, consumer] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
      const options = { product: provider, consumer: { dataProductId: consumer } }
      const path = await addAgreement(world, { ...options, isApproved: true })
      const expected = new RegExp(
        `data product Product ${provider} gives it access to output port out`,
      )
      await expectProblem(world.as('O', 'DELETE', at(consumer)), 422, expected)
      await expectOk(world.as('O', 'DELETE', path))
      await expectOk(world.as('O', 'DELETE', at(consumer)))
    })

    test('200 with requests, and with agreements that have ended', async () => {
      const product = await addProvider(world, 'a')
      const requested = await addAgreement(world, { product })
      await expectOk(world.as('O', 'DELETE', at(product)))
      await expectOk(world.as('O', 'POST', `${requested}/cancel`))
      await expectOk(world.as('O', 'DELETE', requested))
    })

    test('names five agreements at most', async () => {
      const product = await addProvider(world, 'a')
      for (let count = 0; count < 7; count += 1)
        await addAgreement(world, { product, isApproved: true })
      await expectProblem(world.as('O', 'DELETE', at(product)), 422, / and 2 others use it/)
    })

    test('an approval and a deletion at the same time do not both succeed', async () => {
      for (let round = 0; round < 10; round += 1) {
        const product = await addProvider(world, 'a')
        const path = await addAgreement(world, { product })
        const [deleted, approved] = await Promise.all([
          world.as('O', 'DELETE', at(product)),
          world.as('O', 'POST', `${path}/approve`),
        ])
        assert.deepEqual(new Set([deleted.status, approved.status]), new Set([200, 422]))
      }
    })
  })

  describe('PUT /api/dataproducts/{id}', () => {
    test('422 without a port that has active access, also as a dry run and in YAML', async () => {
      const product = await addProvider(world, 'a')
      const path = await addAgreement(world, { product, isApproved: true })
      const expected = /The output port "out" cannot be removed while team Team B/
      for (const query of ['', '?dryRun=true']) {
        await expectProblem(put(product, { outputPorts: [] }, query), 422, expected)
      }
      const yaml = 'kind: DataProduct\napiVersion: v1.0.0\nname: P\nteam: {name: a}\n'
      await expectProblem(world.as('O', 'PUT', at(product), { yaml }), 422, expected)
      await expectOk(world.as('O', 'POST', `${path}/cancel`))
      await expectOk(put(product, { outputPorts: [] }))
    })

    test('422 with another id of a port that has active access', async () => {
      const product = await addProvider(world, 'a')
      await addAgreement(world, { product, isApproved: true })
      const outputPorts = [{ id: 'renamed', name: 'out', version: '1' }]
      const expected = /The output port "out" cannot be removed/
      await expectProblem(put(product, { outputPorts }), 422, expected)
    })

    test('200 with a new version of the port, and without other ports', async () => {
      const product = uniqueId()
      const ports = [
        { name: 'out', version: '1' },
        { name: 'other', version: '1' },
      ]
      await expectOk(put(product, { outputPorts: ports }))
      await addAgreement(world, { product, isApproved: true })
      await expectOk(put(product, { outputPorts: [{ name: 'out', version: '2' }] }))
    })

    test('200 with another owner, who then decides', async () => {
      const [provider, consumer] = [await addProvider(world, 'b'), await addProvider(world, 'b')]
      const options = { product: provider, consumer: { dataProductId: consumer } }
      const path = await addAgreement(world, options)
      await expectProblem(world.as('T', 'POST', `${path}/approve`), 403)
      const outputPorts = [{ name: 'out', version: '1' }]
      for (const product of [provider, consumer]) {
        await expectOk(put(product, { team: { name: 'a' }, outputPorts }))
      }
      assert.deepEqual(await findTeams(path), { provider: 'a', consumer: 'a' })
      await expectOk(world.as('T', 'POST', `${path}/approve`))
      assert.deepEqual(await findTeams(path), { provider: 'a', consumer: 'a' })
    })

    test('a decision that was begun before the move does not move it back', async () => {
      const [product, consumer] = [await addProvider(world, 'a'), await addProvider(world, 'a')]
      const path = await addAgreement(world, { product, consumer: { dataProductId: consumer } })
      const { db } = store()
      const key = { organizationId: world.organizationId, id: path.split('/').at(-1) ?? '' }
      const found = await findAgreement(db, storeClock, key)
      assert.ok(found !== undefined)
      const outputPorts = [{ name: 'out', version: '1' }]
      for (const moved of [product, consumer]) {
        await expectOk(put(moved, { team: { name: 'b' }, outputPorts }))
      }
      const write = { agreement: found, presented: '{}', events: [] }
      const written = await updateAgreements(db, storeClock, [write], {
        principal: 'system',
        requestId: '',
      })
      assert.deepEqual(written, [key])
      assert.deepEqual(await findTeams(path), { provider: 'b', consumer: 'b' })
    })

    test('a writer that loses a race moves no agreements', async () => {
      const product = await addProvider(world, 'a')
      const path = await addAgreement(world, { product })
      const headers = { 'if-match': '"old"' }
      const body = odps(product, { team: { name: 'b' } })
      await expectProblem(world.as('O', 'PUT', at(product), { body, headers }), 412)
      assert.deepEqual(await findTeams(path), { provider: 'a', consumer: 'b' })
    })
  })

  test('DELETE /api/teams/{id} › 422 for a team that has or awaits access', async () => {
    const team = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: 'Gone' } }))
    const path = await addAgreement(world, { consumer: { teamId: team }, isApproved: true })
    const requested = await addAgreement(world, { consumer: { teamId: team } })
    for (const each of [path, requested]) {
      const used = new RegExp(`access agreement ${each.split('/').at(-1)}`)
      await expectProblem(world.as('O', 'DELETE', `/api/teams/${team}`), 422, used)
      await expectOk(world.as('O', 'POST', `${each}/cancel`))
    }
    await expectOk(world.as('O', 'DELETE', `/api/teams/${team}`))
    const body = buildAgreement('x', { teamId: team })
    await expectProblem(world.as('O', 'PUT', `/api/access/${uniqueId()}`, { body }), 422)
  })

  async function findTeams(
    path: string,
  ): Promise<{ provider: string; consumer: string } | undefined> {
    const { rows } = await sql<{ provider: string; consumer: string }>`
      select provider_team as provider, consumer_team as consumer
      from access_agreement
      where organization_id = ${world.organizationId} and external_id = ${path.split('/').at(-1)}
    `.execute(store().db)
    return rows[0]
  }
})
