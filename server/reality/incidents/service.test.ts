import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { listEventsOfSubject } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched } from '../../../test/twin.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { IncidentCause } from '../../ledger/incidents/incident.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { openIncidents, resolveIncidents } from './service.ts'

const DAY = '2026-03-01'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const origin = () => ({
    organizationId: world.organizationId,
    principal: 'integration:shop',
    requestId: 'run',
  })

  const open = async (time: string, ...causes: Pick<IncidentCause, 'contractId' | 'server'>[]) =>
    await openIncidents(
      store().db,
      fixedClock(`${DAY}T${time}Z`),
      origin(),
      'drift',
      causes.map((place) => ({ severity: 'error', facts: { count: time }, ...place })),
    )

  const resolve = async (time: string, contractId: string, server = '') =>
    await resolveIncidents(store().db, fixedClock(`${DAY}T${time}Z`), origin(), 'drift', [
      { contractId, server, because: 'The run found no difference.' },
    ])

  const list = async (contractId: string) => {
    const { rows } = await sql<{ id: string; server: string; isOpen: boolean; version: number }>`
      select id, server, resolved_at is null as "isOpen", version
      from incident
      where organization_id = ${world.organizationId}
        and contract_id = ${contractId}
      order by opened_at, server
    `.execute(store().db)
    return rows
  }

  const newContract = async (more: object = {}): Promise<string> => {
    const id = uniqueId()
    await putOne(world, 'datacontracts', odcs(id, more))
    return id
  }

  test('openIncidents › opens one for each contract and server, with an event and an entry; an open one gets new facts', async () => {
    const contractId = await newContract()
    const places = ['a', 'b', 'a'].map((server) => ({ contractId, server }))
    assert.equal(await open('10:00:00', ...places), 2)
    assert.equal(await open('10:05:00', { contractId, server: 'a' }), 0)
    const incidents = await list(contractId)
    assert.deepEqual(
      incidents.map(({ server, isOpen, version }) => [server, isOpen, version]),
      [
        ['a', true, 1],
        ['b', true, 1],
      ],
    )
    const id = incidents[0]?.id ?? ''
    const events = await listEventsOfSubject(world, id)
    assert.deepEqual(
      events.map(({ type, principal, data }) => [type.split('.').at(-1), principal, data.incident]),
      [['IncidentOpenedEvent', 'integration:shop', 'drift']],
    )
    const { rows } = await sql<{ action: string; team: string; facts: { count: string } }>`
      select action, team, incident.facts
      from activity_entry
      join incident on incident.id::text = activity_entry.subject
      where activity_entry.organization_id = ${world.organizationId}
        and activity_entry.kind = 'incident'
        and subject = ${id}
    `.execute(store().db)
    assert.deepEqual(rows, [{ action: 'opened', team: 'a', facts: { count: '10:05:00' } }])
  })

  test('openIncidents › opens the same incident again within an hour, and a new one later', async () => {
    const contractId = await newContract()
    await open('10:00:00', { contractId, server: '' })
    assert.equal(await resolve('10:30:00', contractId), 1)
    assert.equal(await resolve('10:31:00', contractId), 0)
    assert.equal(await open('11:29:59', { contractId, server: '' }), 1)
    const [again] = await list(contractId)
    assert.deepEqual([again?.isOpen, again?.version], [true, 3])
    await resolve('12:00:00', contractId)
    assert.equal(await open('13:00:00', { contractId, server: '' }), 1)
    assert.deepEqual(
      (await list(contractId)).map(({ isOpen }) => isOpen),
      [false, true],
    )
    const events = await listEventsOfSubject(world, again?.id ?? '')
    assert.deepEqual(
      events.map(({ type, data }) => [type.split('.').at(-1), data.version, data.status]),
      [
        ['IncidentOpenedEvent', 1, 'opened'],
        ['IncidentResolvedEvent', 2, 'resolved'],
        ['IncidentOpenedEvent', 3, 'opened'],
        ['IncidentResolvedEvent', 4, 'resolved'],
      ],
    )
  })

  test('openIncidents › opens none on a server that is not of production, nor under a missing contract', async () => {
    const servers = ['dev', 'prod'].map((server) => ({
      server,
      type: 'postgresql',
      environment: server,
    }))
    const contractId = await newContract({ servers })
    const places = ['dev', 'prod', 'other'].map((server) => ({ contractId, server }))
    assert.equal(await open('10:00:00', ...places, { contractId: uniqueId(), server: '' }), 2)
    assert.deepEqual(
      (await list(contractId)).map(({ server }) => server),
      ['other', 'prod'],
    )
  })

  test('openIncidents › two at once open one incident', async () => {
    const contractId = await newContract()
    const opened = await Promise.all(
      Array.from({ length: 8 }, async () => open('10:00:00', { contractId, server: '' })),
    )
    assert.deepEqual([opened.reduce((a, b) => a + b), (await list(contractId)).length], [1, 1])
  })

  test('openIncidents, resolveIncidents › leave other organizations, kinds, contracts and servers as they are', async () => {
    const [contractId, other] = [await newContract(), await newContract()]
    await open('10:00:00', { contractId, server: '' }, { contractId, server: 'a' })
    await open('10:00:00', { contractId: other, server: '' })
    const { db } = store()
    const late = { contractId, server: '', severity: 'warning', facts: {} } as const
    await openIncidents(db, fixedClock(`${DAY}T10:00:00Z`), origin(), 'late', [late])
    const twin = await addTwin(world)
    await expectUntouched([twin], async () => {
      await resolve('10:10:00', contractId)
      await open('10:20:00', { contractId, server: '' })
      await resolve('10:30:00', contractId)
    })
    const { rows } = await sql<{ kind: string; server: string }>`
      select kind, server
      from incident
      where organization_id = ${world.organizationId}
        and contract_id in (${contractId}, ${other})
        and resolved_at is null
      order by kind, contract_id = ${other}
    `.execute(db)
    assert.deepEqual(rows, [
      { kind: 'drift', server: 'a' },
      { kind: 'drift', server: '' },
      { kind: 'late', server: '' },
    ])
  })
})
