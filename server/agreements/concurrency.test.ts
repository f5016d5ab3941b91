import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addProvider, buildAgreement } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../test/world.ts'
import { withSession, type PersonName, type World } from '../../test/world.ts'
import type { AccessOutcome } from './ui-schema.ts'

const AUTOMATIC = { customProperties: [{ property: 'autoApprove', value: true }] }
const ROUNDS = 20

type Send = () => Promise<Response>

async function request(
  process: World,
  person: PersonName,
  form: { productId: string; consumer: object },
): Promise<string | undefined> {
  const { productId, consumer } = form
  const body = { ports: [{ productId, port: 'out' }], consumer, purpose: 'Reports' }
  const answer = process.asPerson(person, 'POST', '/ui/access-requests', { body })
  const [outcome] = await readJson<AccessOutcome[]>(answer)
  return outcome?.state ?? outcome?.problem?.code
}

async function sendTogether(round: number, sent: readonly Send[]): Promise<number[]> {
  const turned = round % 2 === 0 ? sent : sent.toReversed()
  const answers = await Promise.all(turned.map(async (send) => await send()))
  const statuses = answers.map(({ status }) => status)
  for (const status of statuses) assert.ok([200, 404, 422].includes(status), `${status}`)
  return statuses
}

onStore((store) => {
  // The same organization in two processes.
  let world: World
  let other: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    const { call } = newProduct(store())
    other = {
      ...world,
      as: (caller, method, path, options = {}) =>
        call(method, path, { ...options, key: world.keys[caller] }),
      asPerson: (person, method, path, options = {}) =>
        call(method, path, { ...options, headers: withSession(world.sessions[person]) }),
    }
  })

  const addTeam = async (): Promise<string> => {
    const team = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: 'Team' } }))
    return team
  }
  const remove = (kind: 'dataproducts' | 'teams', id: string): Promise<Response> =>
    other.as('O', 'DELETE', `/api/${kind}/${id}`)
  const requestFor = (productId: string, consumer: object): Promise<Response> => {
    const body = buildAgreement(productId, consumer)
    return world.as('O', 'PUT', `/api/access/${uniqueId()}`, { body })
  }

  async function listDangling(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select agreement.external_id as id
      from access_agreement as agreement
      cross join unnest(array[agreement.provider_team, agreement.consumer_team]) as side (team)
      where agreement.organization_id = ${world.organizationId}
        and agreement.state in ('requested', 'upcoming', 'active')
        and side.team is not null
        and not exists (
          select
          from team
          where team.organization_id = agreement.organization_id
            and team.external_id = side.team
        )
    `.execute(store().db)
    return rows.map(({ id }) => id)
  }

  async function findHeldPort(path: string): Promise<string | undefined> {
    const { rows } = await sql<{ port: string }>`
      select output_port as port
      from access_agreement
      where organization_id = ${world.organizationId}
        and external_id = ${path.split('/').at(-1)}
        and held_product is not null
    `.execute(store().db)
    return rows[0]?.port
  }

  describe('two people who request the same access at the same moment', () => {
    for (const [called, port, state] of [
      ['a request', {}, 'requested'],
      ['access that is granted at once', AUTOMATIC, 'active'],
    ] as const) {
      test(`get one agreement and one error: ${called}`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const productId = await addProvider(world, 'b', port)
          const consumer =
            round % 2 === 0 ? { teamId: 'a' } : { dataProductId: await addProvider(world, 'a') }
          const form = { productId, consumer }
          const outcomes = await Promise.all([
            request(world, 'Um', form),
            request(other, 'Ue', form),
            request(world, 'Uo', form),
          ])
          assert.deepEqual(outcomes.toSorted(), [state, 'validation_failed', 'validation_failed'])
        }
      })
    }
  })

  describe('an approval and a change of the data product at the same moment', () => {
    const outputPorts = [{ id: 'out', name: 'out', version: '1' }]
    const held = { code: 'in_use', pattern: /"out" cannot be removed while team Team B has access/ }
    const gone = { code: 'invalid_state', pattern: /The output port no longer exists/ }

    for (const [called, ports] of [
      ['removes the port', []],
      ['renames the port', [{ id: 'renamed', name: 'other', version: '1' }]],
      ['changes only the id of the port', [{ id: 'renamed', name: 'out', version: '1' }]],
    ] as const) {
      test(`that ${called} › one of the two is refused`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const product = await addProvider(world, 'a', { id: 'out' })
          const path = await addAgreement(world, { product })
          const body = odps(product, { outputPorts: ports })
          const [approved, put] = await Promise.all([
            other.as('O', 'POST', `${path}/approve`),
            world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }),
          ])
          const isHeld = approved.status === 200
          const refused = isHeld ? put : approved
          const { code, pattern } = isHeld ? held : gone
          // An output port is also found by its name.
          if (called === 'changes only the id of the port' && isHeld && put.status === 200) {
            assert.equal(await findHeldPort(path), 'renamed')
            continue
          }
          assert.equal((isHeld ? approved : put).status, 200)
          assert.equal((await expectProblem(refused, 422, pattern)).code, code)
        }
      })
    }

    test('that keeps the port › both succeed', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const product = await addProvider(world, 'a', { id: 'out' })
        const path = await addAgreement(world, { product })
        const body = odps(product, { outputPorts, version: String(round) })
        await Promise.all([
          expectOk(other.as('O', 'POST', `${path}/approve`)),
          expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body })),
        ])
      }
    })
  })

  describe('a request and a deletion at the same moment', () => {
    test('of the consuming team › do not both succeed', async () => {
      const productId = await addProvider(world, 'a')
      for (let round = 0; round < ROUNDS; round += 1) {
        const teamId = await addTeam()
        const statuses = await sendTogether(round, [
          () => requestFor(productId, { teamId }),
          () => remove('teams', teamId),
        ])
        assert.deepEqual(new Set(statuses), new Set([200, 422]))
      }
      assert.deepEqual(await listDangling(), [])
    })

    test('of a data product and its team › leave no agreement of the deleted team', async () => {
      const provider = await addProvider(world, 'a')
      for (let round = 0; round < ROUNDS; round += 1) {
        const teamId = await addTeam()
        const productId = await addProvider(world, teamId)
        const isConsumer = round % 4 < 2
        const consumer = isConsumer ? { dataProductId: productId } : { teamId: 'b' }
        await sendTogether(round, [
          () => requestFor(isConsumer ? provider : productId, consumer),
          async () => {
            await remove('dataproducts', productId)
            return await remove('teams', teamId)
          },
        ])
      }
      assert.deepEqual(await listDangling(), [])
    })
  })
})
