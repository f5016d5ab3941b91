import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Plan } from '../../ledger/history/plan.ts'
import type { VersionSummary } from '../../ledger/history/revision.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const getVersions = (path: string): Promise<VersionSummary[]> =>
    readJson<VersionSummary[]>(world.as('Tr', 'GET', `${path}/versions`))

  test('DELETE /api/dataproducts/{id}?dryRun=true › lists the readers, and deletes nothing', async () => {
    const [id, readerId] = [uniqueId(), uniqueId()]
    const contractId = `contract-${id}`
    const path = `/api/dataproducts/${id}`
    const outputPorts = [{ name: 'out', version: '1', contractId }]
    const inputPorts = [{ name: 'in', version: '1', contractId }]
    await readText(world.as('T', 'PUT', path, { body: odps(id, { outputPorts, inputPorts }) }))
    const getPlan = (): Promise<Plan> =>
      readJson<Plan>(world.as('T', 'DELETE', `${path}?dryRun=true`))
    assert.deepEqual(await getPlan(), {
      outcome: 'deleted',
      level: 'none',
      changes: [],
      warnings: [],
      affected: [],
    })

    const reader = odps(readerId, { name: 'Reader', team: { name: 'b' }, inputPorts })
    await readText(world.as('O', 'PUT', `/api/dataproducts/${readerId}`, { body: reader }))
    const { level, affected } = await getPlan()
    assert.equal(level, 'breaking')
    assert.deepEqual(
      affected.map(({ resourceType, id: affectedId, ownerId }) => [
        resourceType,
        affectedId,
        ownerId,
      ]),
      [
        ['DATA_PRODUCT', readerId, 'b'],
        ['TEAM', 'b', 'b'],
      ],
    )
    await readText(world.as('T', 'GET', path))
    const headers = { 'if-match': '"other"' }
    await expectProblem(world.as('T', 'DELETE', `${path}?dryRun=true`, { headers }), 412)
    await expectProblem(world.as('Tr', 'DELETE', `${path}?dryRun=true`), 403)
    await expectProblem(world.as('T', 'DELETE', `/api/dataproducts/${readerId}?dryRun=true`), 403)
    await expectProblem(world.as('T', 'DELETE', `/api/dataproducts/${uniqueId()}?dryRun=true`), 404)
  })

  test('DELETE /api/dataproducts/{id} › 404 for an unknown id, 403 for a read-only key', async () => {
    await expectProblem(world.as('O', 'DELETE', `/api/dataproducts/${uniqueId()}`), 404)
    await expectProblem(world.as('Or', 'DELETE', `/api/dataproducts/${uniqueId()}`), 403)
  })

  test('DELETE /api/dataproducts/{id} › versions stay, and go on when the id is used again', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await readText(world.as('T', 'PUT', path, { body: odps(id, { name: 'first' }) }))
    await readText(world.as('T', 'PUT', path, { body: odps(id, { name: 'second' }) }))
    await readText(world.as('T', 'DELETE', path))
    const deleted = await getVersions(path)
    assert.deepEqual(
      deleted.map(({ version }) => version),
      [2, 1],
    )
    const deletedAt = deleted[0]?.validTo
    assert.ok(deletedAt)
    await readText(world.as('T', 'GET', `${path}/versions/2`))

    await readText(world.as('T', 'PUT', path, { body: odps(id, { name: 'second' }) }))
    const [third, second, first, ...more] = await getVersions(path)
    assert.deepEqual(more, [])
    assert.deepEqual([third?.version, second?.version, first?.version], [3, 2, 1])
    assert.equal(third?.validTo, null)
    assert.equal(second?.validTo, deletedAt, 'the deletion ended it, not what came after')
    assert.equal(first?.validTo, second?.validFrom)
    assert.ok(third && Temporal.Instant.compare(deletedAt, third.validFrom) <= 0)
    assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
      'DataProductCreatedEvent',
      'DataProductUpdatedEvent',
      'DataProductDeletedEvent',
      'DataProductCreatedEvent',
    ])
  })

  test('DELETE /api/dataproducts/{id} › what was deleted can be of another owner afterwards', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await readText(world.as('T', 'PUT', path, { body: odps(id) }))
    await readText(world.as('T', 'DELETE', path))
    await readText(world.as('O', 'PUT', path, { body: odps(id, { team: { name: 'b' } }) }))
    await expectProblem(world.as('T', 'DELETE', path), 403)
  })
})
