import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../test/answers.ts'
import {
  addGrants,
  addIdentity,
  addPorts,
  addReading,
  addTables,
  compare,
  listKinds,
  newAccessWorld,
  toTable,
} from '../../test/access-rows.ts'
import { addIntegration } from '../../test/integrations.ts'
import { newIngestionWorld } from '../../test/ingestion.ts'
import { newRandom } from '../../test/random.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, odcs, odps, putOne, uniqueId, type World } from '../../test/world.ts'
import { FIELD_PATH_CHARACTERS_MAX } from '../../formats/reality/field-path.ts'
import type { DriftFinding } from './drift/drift.ts'
import type { PortGrants } from './grants/access-finding.ts'

// Names of sources and documents have no limit of their own, but those of index entries do: 2,704 bytes. Characters by chance,
// of three bytes each, so that the database cannot compress them.
const random = newRandom(20_261_201)
const newName = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))).join('')

onStore((store) => {
  let world: World
  before(async () => {
    world = await newAccessWorld(store())
  })

  const putContract = async (id: string, fields: readonly string[]): Promise<void> => {
    const properties = fields.map((name) => ({ name, logicalType: 'string' }))
    const schema = [{ name: 'orders', physicalName: id, physicalType: 'table', properties }]
    const servers = [{ server: 'main', type: 'scripted', database: 'shop', schema: id }]
    const body = odcs(id, { servers, schema })
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  }
  const listFields = async (id: string): Promise<string[]> => {
    const path = `/api/drift?dataContractId=${id}`
    const found = await readJson<DriftFinding[]>(world.as('Or', 'GET', path))
    return found.map(({ aspect, field }) => `${aspect} ${field}`)
  }

  test('columns with names of any length are compared, and each is found', async () => {
    const { organizationId } = world
    const ingestion = await newIngestionWorld(store(), { organizationId })
    ingestion.engine.offload = world.services.offload
    const id = uniqueId()
    const long = newName(5000)
    const names = ['id', `${long}1`, `${long}2`]
    const setColumns = (columns: readonly string[]): void =>
      ingestion.source.put(['shop', id, id], {
        columns: columns.map((name) => ({ name, type: 'text' })),
      })
    setColumns(names)
    assert.equal((await ingestion.run()).status, 'SUCCESS')
    await putContract(id, names)
    assert.deepEqual(await listFields(id), [])
    setColumns(['id', `${long}3`])
    assert.equal((await ingestion.run()).status, 'SUCCESS')
    const found = await listFields(id)
    assert.equal(found.filter((text) => text.startsWith('column.missing ')).length, 2)
    assert.equal(found.filter((text) => text.startsWith('column.extra ')).length, 1)
    assert.equal(new Set(found).size, 3)
    assert.ok(found.every((text) => text.length <= FIELD_PATH_CHARACTERS_MAX + 20))
    const proposal = await readJson<{ document: string }>(
      world.as('O', 'POST', `/api/datacontracts/${id}/drift/proposal`, { body: {} }),
    )
    assert.ok(!proposal.document.includes(long))
    await putContract(id, ['id'])
    assert.equal((await listFields(id)).length, 1)
  })

  test('POST /api/test-results › 422 for names that together fit into no index entry', async () => {
    const id = newName(250)
    await putContract(id, ['id'])
    const diagnostics = { latest_timestamp: '2026-01-01T00:00:00Z' }
    const post = (more: object): Promise<Response> => {
      const type = 'servicelevel_freshness'
      const check = { name: newName(300), type, model: newName(300), diagnostics }
      const body = { id: newName(250), dataContractId: id, result: 'failed', checks: [check] }
      return world.as('O', 'POST', '/api/test-results', { body: { ...body, ...more } })
    }
    for (const length of [100, 290, 1000]) {
      const [one, other] = [newName(length), newName(length)]
      for (const more of [
        { server: one },
        { dataProductId: one, outputPortId: other },
        { server: one, outputPortId: other },
        { server: one, dataProductId: other, outputPortId: newName(length) },
      ]) {
        const bytes = Buffer.byteLength(Object.values(more).join(''))
        const answer = post(more)
        if (bytes <= 890) await expectOk(answer)
        else await expectProblem(answer, 422)
      }
    }
  })

  test('grants to names of 1,000 bytes on ports with names of any length are compared', async () => {
    const key = await addReading(world)
    const [asset = ''] = await addTables(world, key, [toTable('orders')])
    const named = [{ property: 'assets', value: [{ id: asset }] }]
    const ports = [{ name: newName(5000), version: '1', customProperties: named }]
    await putOne(world, 'dataproducts', odps(uniqueId(), { outputPorts: ports }))
    const grantee = newName(333)
    await addGrants(world, key, [{ name: grantee, path: toTable('orders') }])
    await addIdentity(world, key, grantee, { kind: 'team', id: 'b' })
    await compare(world, key)
    assert.deepEqual(await listKinds(world, key), ['granted_without_agreement'])
    const { rows } = await sql<{ length: number }>`
      select length(output_port) as length from grant_finding where organization_id = ${world.organizationId}
    `.execute(store().db)
    assert.equal(rows[0]?.length, 5000)
  })

  test('PUT /api/integrations/{externalId}/grants/names › 422 for a name of more than 1,000 bytes', async () => {
    const path = `/api/integrations/${await addIntegration(world, 'a')}/grants/names`
    const put = (granteeName: string): Promise<Response> => {
      const subject = { kind: 'team', id: 'b' }
      return world.as('O', 'PUT', path, { body: { granteeKind: 'role', granteeName, subject } })
    }
    await expectOk(put(newName(333)))
    await expectProblem(put(newName(334)), 422)
  })

  test('the findings of a port beyond 1,000 are counted, and are resolved like the others', async () => {
    const key = await addReading(world)
    const { organizationId, integrationId } = key
    const [asset = ''] = await addTables(world, key, [toTable('busy')])
    const product = await addPorts(world, [[asset]])
    const names = Array.from({ length: 1003 }, (_, at) => `reader ${at}`)
    await addGrants(
      world,
      key,
      names.map((name) => ({ name, path: toTable('busy') })),
    )
    await sql`
      insert into grantee_identity (
        organization_id, integration_id, grantee_kind, grantee_name, subject_kind, subject_id, origin, mapped_by
      )
      select ${organizationId}, ${integrationId}, 'role', name, 'team', 'b', 'hand', 'test'
      from unnest(${names}::text[]) as given (name)
    `.execute(store().db)
    const read = async (): Promise<[number, number]> => {
      await compare(world, key)
      const path = `/api/dataproducts/${product}/outputports/port_0/grants`
      const { integrations } = await readJson<PortGrants>(world.as('Or', 'GET', path))
      const omitted = integrations.map(({ omittedCount }) => omittedCount)
      return [(await listKinds(world, key)).length, omitted[0] ?? -1]
    }
    assert.deepEqual(await read(), [1000, 3])
    await sql`
      delete from asset_grant
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and grantee_name <> all(${names.slice(0, 2)}::text[])
    `.execute(store().db)
    assert.deepEqual(await read(), [2, 0])
  })
})
