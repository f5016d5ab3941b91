import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addContract, addProvider } from '../../test/agreements.ts'
import { onStore } from '../../test/stores.ts'
import { addTwin, expectUntouched, type Twin } from '../../test/twin.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  uniqueId,
  type World,
} from '../../test/world.ts'
import { storeClock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { AgreementKey } from './agreement.ts'
import * as lists from './list-store.ts'
import { moveMisplacedAgreements } from './occasion-service.ts'
import * as occasions from './occasion-store.ts'
import * as parties from './party-store.ts'
import * as reads from './read-store.ts'
import { VIEW_NAMES } from './ui-schema.ts'
import * as writes from './write-store.ts'

const ALL = 100
const PAGE = { page: 0, elementsMax: ALL }
const NO_COUNTS = { requested: 0, active: 0, expiring: 0, rejected: 0, ended: 0 }

function toSchema(...columns: string[]): object[] {
  return [{ name: 'orders', properties: columns.map((name) => ({ name, logicalType: 'string' })) }]
}

function toApproving(id: string, ports: readonly string[] = ['out']): { body: object } {
  const customProperties = [{ property: 'autoApprove', value: true }]
  const outputPorts = ports.map((name) => ({ id: name, name, version: '1', customProperties }))
  return { body: odps(id, { team: { name: 'a' }, outputPorts }) }
}

interface Original {
  world: World
  product: string
  contractId: string
  /** The agreements of a team, a person and a data product, and a request. */
  keys: AgreementKey[]
  person: { organizationId: string; userId: string }
}

onStore((store) => {
  let db: Database
  before(() => {
    ;({ db } = store())
  })

  async function addOriginal(): Promise<Original> {
    const world = await newWorld(newProduct(store()))
    const { organizationId } = world
    const contractId = await addContract(world, 'a', { schema: toSchema('id', 'amount') })
    const product = await addProvider(world, 'a', { contractId })
    const userId = world.userIds.Um
    const consumers = [
      { teamId: 'b' },
      { userId },
      { dataProductId: await addProvider(world, 'b') },
    ]
    const paths: string[] = []
    for (const consumer of consumers) {
      const path = await addAgreement(world, { product, consumer, isApproved: true })
      const report = `${path}/provisioning/provisioning-started`
      await expectOk(world.as('O', 'POST', report, { body: {} }))
      paths.push(path)
    }
    paths.push(await addAgreement(world, { product, consumer: { teamId: 'a' } }))
    const keys = paths.map((path) => ({ organizationId, id: path.split('/').at(-1) ?? '' }))
    return { world, product, contractId, keys, person: { organizationId, userId } }
  }

  test('an organization without agreements reads none of its twin', async () => {
    const { world, product, contractId, keys, person } = await addOriginal()
    const { organizationId } = world
    await addTwin(world)
    for (const { id } of keys) await expectOk(world.as('O', 'DELETE', `/api/access/${id}`))

    for (const key of keys) {
      assert.equal(await reads.findAgreement(db, storeClock, key), undefined)
      assert.equal(await lists.findNamed(db, storeClock, key), undefined)
      assert.deepEqual(await reads.listProvisioningReports(db, key), [])
    }
    const ids = keys.map(({ id }) => id)
    assert.deepEqual(await reads.loadAgreements(db, storeClock, organizationId, ids), [])
    assert.deepEqual(await reads.listAgreementReferences(db, organizationId, {}, PAGE), [])

    const port = { organizationId, productId: product, port: 'out' }
    const reader = { userId: person.userId, teams: ['a', 'b'] }
    assert.equal(await reads.findCoveringAgreement(db, storeClock, port, reader), undefined)
    const consumer = { consumerType: 'team', consumerTeam: 'b' } as const
    const wanted = { ...port, ...consumer, consumerUser: null, consumerProduct: null }
    const period = { startOn: null, endOn: null }
    assert.equal(
      await reads.findConflictingAgreement(db, storeClock, { ...wanted, ...period }),
      undefined,
    )

    for (const scope of [
      { organizationId, productId: product },
      { organizationId, providerTeams: 'all' },
      { organizationId, providerTeams: ['a'] },
      { organizationId, consumerTeams: ['a', 'b'], consumerUser: person.userId },
      {
        organizationId,
        providerTeams: ['a'],
        approver: { userId: person.userId, teams: ['a', 'b'] },
      },
    ] as const) {
      for (const view of VIEW_NAMES) {
        const page = { view, after: undefined, limit: ALL }
        assert.deepEqual(await lists.listPage(db, storeClock, scope, page), [])
      }
      assert.deepEqual(await lists.countViews(db, storeClock, scope, VIEW_NAMES), NO_COUNTS)
    }
    const own = { organizationId, consumerTeams: ['a', 'b'], consumerUser: person.userId }
    assert.deepEqual(await lists.summarizeAccess(db, own, [product]), [
      { productId: product, readers: 0, isOwn: true, mine: [] },
    ])

    for (const held of [
      { contracts: [contractId] },
      { productId: product, asConsumer: true },
      { productId: product, ports: ['out'] },
    ]) {
      const options = { isByPort: false, limit: ALL }
      assert.deepEqual(await occasions.listHeldAgreements(db, organizationId, held, options), [])
    }
    const locked = await occasions.lockAgreementsOfPerson(db, storeClock, person, ALL)
    assert.deepEqual(locked, [])
  })

  test('changes of agreements change nothing of a twin', async () => {
    const { world, product, contractId, keys, person } = await addOriginal()
    const { organizationId } = world
    const twins: Twin[] = [await addTwin(world)]
    // The ports of the twin no longer name the contract.
    await sql`
      update data_product
      set output_contracts = '{}'
      where organization_id <> ${organizationId} and external_id = ${product}
    `.execute(db)
    const [key] = keys
    assert.ok(key !== undefined)
    const actor = { principal: 'system', requestId: '' }
    await expectUntouched(twins, async () => {
      const agreement = await reads.findAgreement(db, storeClock, key)
      assert.ok(agreement !== undefined)
      const write = { agreement, presented: '{}', events: [] }
      assert.deepEqual(await writes.updateAgreements(db, storeClock, [write], actor), [key])
      const report = `/api/access/${key.id}/provisioning/provisioning-succeeded`
      await expectOk(world.as('O', 'POST', report, { body: {} }))
      const contract = odcs(contractId, { team: { name: 'a' }, schema: toSchema('id') })
      await expectOk(world.as('O', 'PUT', `/api/datacontracts/${contractId}`, { body: contract }))
      const time = '2999-01-01T00:00:00.000000Z'
      for (const [name, subject] of [
        ['DataProductUpdatedEvent', product],
        ['DataContractUpdatedEvent', contractId],
      ] as const) {
        await occasions.markContractChanges(db, organizationId, name, [
          { subject, version: 2, time },
        ])
        const marked = await reads.findAgreement(db, storeClock, key)
        assert.equal(
          marked?.contractChangedLevel,
          name === 'DataContractUpdatedEvent' ? 'breaking' : null,
        )
      }
      const locked = await occasions.lockAgreementsOfPerson(db, storeClock, person, ALL)
      assert.deepEqual(
        locked.map(({ organizationId: owner, consumerUser }) => [owner, consumerUser]),
        [[organizationId, person.userId]],
      )
      await expectOk(world.as('O', 'DELETE', `/api/access/${key.id}`))
    })
  })

  test('a change that was begun before another one is not written', async () => {
    const { keys } = await addOriginal()
    const [key] = keys
    assert.ok(key !== undefined)
    const agreement = await reads.findAgreement(db, storeClock, key)
    assert.ok(agreement !== undefined)
    const write = { agreement, presented: '{}', events: [] }
    const update = () =>
      writes.updateAgreements(db, storeClock, [write], { principal: 'system', requestId: '' })
    assert.deepEqual(await update(), [key])
    assert.deepEqual(await update(), [])
    const versions = await reads.listAgreementVersions(db, key, ALL)
    assert.deepEqual(
      versions.map(({ version }) => version),
      [3, 2, 1],
    )
  })

  test('the person who made a port approve is found by the versions of its data product', async () => {
    const world = await newWorld(newProduct(store()))
    const { organizationId, userIds } = world
    const [product, other] = [uniqueId(), uniqueId()]
    await expectOk(
      world.asPerson('Uo', 'PUT', `/api/dataproducts/${product}`, toApproving(product)),
    )
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${other}`, { body: odps(other) }))
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${other}`, toApproving(other)))
    const more = toApproving(product, ['out', 'more'])
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, more))
    const find = (productId: string) =>
      parties.findApprovingPerson(db, organizationId, { productId, port: 'out' })
    assert.equal(await find(product), userIds.Uo)
    assert.equal(await find(other), undefined)
  })

  test('the parties of an agreement are those of its organization', async () => {
    const { world, product, keys, person } = await addOriginal()
    const { organizationId } = world
    const { userIds } = await newWorld(newProduct(store()))
    const findMember = (userId: string) =>
      parties.findMember(db, organizationId, { userId, emailKey: '' })
    assert.equal((await findMember(person.userId))?.id, person.userId)
    assert.equal(await findMember(userIds.Um), undefined)

    await addTwin(world)
    // The team of the twin has the id of team A in another organization, and another name for programs.
    await sql`
      update team
      set external_id = 'x'
      where organization_id <> ${organizationId}
        and id = (
          select id from team where organization_id = ${organizationId} and external_id = 'a'
        )
    `.execute(db)
    const [key] = keys
    assert.ok(key !== undefined)
    const agreement = await reads.findAgreement(db, storeClock, key)
    assert.ok(agreement !== undefined)
    const basis = { product: null, contract: null }
    const hold = (providerTeam: string) =>
      parties.holdParties(db, { ...agreement, productId: product, providerTeam }, basis)
    assert.equal(await hold('a'), true)
    assert.equal(await hold('b'), false)
    assert.equal(await hold('x'), false)
  })

  test('an agreement is based on the versions of the data product and the contract', async () => {
    const { keys } = await addOriginal()
    const [key] = keys
    assert.ok(key !== undefined)
    const agreement = await reads.findAgreement(db, storeClock, key)
    assert.ok(agreement !== undefined)
    for (const [product, contract, isCurrent] of [
      [null, null, true],
      [1, 1, true],
      [2, 1, false],
      [1, 2, false],
    ] as const) {
      assert.equal(await parties.holdParties(db, agreement, { product, contract }), isCurrent)
    }
    const withoutContract = { ...agreement, contractId: null }
    const basis = { product: 1, contract: null }
    assert.equal(await parties.holdParties(db, withoutContract, basis), true)
  })

  test('a new owner of a data product rewrites no agreement of others', async () => {
    const { world, product, keys } = await addOriginal()
    const other = await addAgreement(world)
    const ids = [keys[0]?.id, other.split('/').at(-1)]
    const listWriters = async (): Promise<string[]> => {
      const { rows } = await sql<{ writer: string }>`
        select xmin::text as writer
        from access_agreement
        where organization_id = ${world.organizationId}
          and external_id = any(${ids}::text[])
        order by array_position(${ids}::text[], external_id)
      `.execute(db)
      return rows.map(({ writer }) => writer)
    }
    const [moved, kept] = await listWriters()
    const outputPorts = [{ name: 'out', version: '1' }]
    const body = odps(product, { team: { name: 'b' }, outputPorts })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
    const after = await listWriters()
    assert.notEqual(after[0], moved)
    assert.equal(after[1], kept)
  })

  test('agreements that belong to the owners are not moved', async () => {
    const { world, product } = await addOriginal()
    const { organizationId } = world
    const moved = await moveMisplacedAgreements(db, { organizationId, productIds: [product] })
    assert.equal(moved, 0)
  })
})
