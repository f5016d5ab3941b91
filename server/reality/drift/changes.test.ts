import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { undoPublished } from '../../catalog/assets/undo-service.ts'
import type { DriftPlan } from '../../ledger/drift/drift-plan.ts'
import { insertRun } from '../../ingestion/runs/run-store.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import type { ContractDrift, DriftFinding } from './drift.ts'

/** A contract on a table of a scripted source, and the organization that has both. */
interface Linked {
  ingestion: IngestionWorld
  id: string
  table: [string, string, string]
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (id: string, fields: readonly string[], query = ''): Promise<Response> =>
    world.as('O', 'PUT', `/api/datacontracts/${id}${query}`, { body: buildContract(id, fields) })
  const addLinked = async (fields: readonly string[] = ['id', 'note']): Promise<Linked> => {
    const { organizationId } = world
    const ingestion = await newIngestionWorld(store(), { organizationId })
    const id = uniqueId()
    const linked: Linked = { ingestion, id, table: ['shop', id, 'orders'] }
    setColumns(linked, fields)
    ingestion.engine.offload = world.services.offload
    await ingestion.run()
    await expectOk(put(id, fields))
    return linked
  }
  const read = (id: string): Promise<ContractDrift> =>
    readJson(world.as('Or', 'GET', `/api/datacontracts/${id}/drift`))
  const list = async (id: string, status = 'open'): Promise<DriftFinding[]> =>
    await readJson(world.as('Or', 'GET', `/api/drift?dataContractId=${id}&status=${status}`))
  const listFields = async (id: string): Promise<(string | null)[]> =>
    (await list(id)).map(({ aspect, field }) => `${aspect} ${field}`).toSorted()
  test('a run that drops a column opens a finding with its id; the comparison was staged', async () => {
    const linked = await addLinked()
    assert.equal((await read(linked.id)).state, 'none')
    setColumns(linked, ['id'])
    const compared: string[] = []
    const { offload } = world.services
    linked.ingestion.engine.offload = {
      ...offload,
      run: async (organizationId, task, input, texts) => {
        compared.push(task.name)
        return await offload.run(organizationId, task, input, texts)
      },
    }
    const run = await linked.ingestion.run()
    assert.deepEqual(compared, ['reality/comparePairs'])
    const [finding] = await list(linked.id)
    assert.deepEqual(
      [finding?.aspect, finding?.field, finding?.firstRunId, finding?.isProduction],
      ['column.missing', 'note', run.id, true],
    )
    const { rows } = await sql`select from staged_drift where run_id = ${run.id}`.execute(
      store().db,
    )
    assert.equal(rows.length, 0)
    await linked.ingestion.run()
    assert.deepEqual(await list(linked.id), [finding])
  })

  test('undoing the run resolves what it opened', async () => {
    const linked = await addLinked()
    setColumns(linked, ['id'])
    const run = await linked.ingestion.run()
    await undo(linked.ingestion, run.id)
    assert.deepEqual(await list(linked.id), [])
    assert.equal((await list(linked.id, 'resolved'))[0]?.resolvedBecause, 'run')
  })

  test('PUT ?failOn=drift › 409 with the differences, a dry run too; an unlinked contract is unknown', async () => {
    const { id } = await addLinked()
    for (const query of ['?failOn=drift', '?failOn=breaking&failOn=drift&dryRun=true']) {
      const answer = await put(id, ['id', 'note', 'more'], query)
      const problem = await readJson<{ code: string; findings: { field: string }[] }>(
        Promise.resolve(answer),
        409,
      )
      assert.deepEqual(
        [problem.code, problem.findings.map(({ field }) => field)],
        ['drift', ['more']],
      )
    }
    assert.equal((await read(id)).version, 1)
    assert.equal((await put(id, ['id'], '?failOn=drift')).headers.get('portbook-drift'), 'none')
    const unlinked = await put(uniqueId(), ['id'], '?failOn=drift')
    assert.deepEqual([unlinked.status, unlinked.headers.get('portbook-drift')], [200, 'unknown'])
    await expectProblem(put(id, ['id'], '?failOn=other'), 400)
  })

  test('a dry run reports what it opens and resolves, and writes nothing', async () => {
    const linked = await addLinked()
    setColumns(linked, ['id'])
    await linked.ingestion.run()
    const before = await list(linked.id)
    const fix = await plan(put(linked.id, ['id', 'more'], '?dryRun=true'))
    assert.deepEqual(
      [fix?.state, fix?.open, fix?.opened.map(toName), fix?.resolved.map(toName)],
      ['drift', 1, ['column.missing more'], ['column.missing note']],
    )
    const same = await plan(put(linked.id, ['id', 'note'], '?dryRun=true'))
    assert.deepEqual([same?.state, same?.open, same?.opened], ['drift', 1, []])
    const removal = await plan(
      world.as('O', 'DELETE', `/api/datacontracts/${linked.id}?dryRun=true`),
    )
    assert.deepEqual([removal?.state, removal?.resolved.length], ['unknown', 1])
    assert.deepEqual(await list(linked.id), before)
    assert.equal((await read(linked.id)).version, 1)
  })

  test('a run and a PUT at the same time end with the new table under the new contract', async () => {
    const linked = await addLinked()
    const names = ['id', 'note', 'a', 'b', 'c']
    for (let round = 0; round < 40; round += 1) {
      const columns = names.filter((_, at) => at === 0 || ((round * 7 + at) & 3) !== 0)
      const fields = names.filter((_, at) => at === 0 || ((round * 5 + at) & 1) !== 0)
      setColumns(linked, columns)
      const [run] = await Promise.all([linked.ingestion.run(), expectOk(put(linked.id, fields))])
      assert.equal(run.status, 'SUCCESS')
      const missing = fields.filter((name) => !columns.includes(name))
      const extra = columns.filter((name) => !fields.includes(name))
      assert.deepEqual(
        await listFields(linked.id),
        [
          ...missing.map((name) => `column.missing ${name}`),
          ...extra.map((name) => `column.extra ${name}`),
        ].toSorted(),
        `round ${round}`,
      )
    }
  })
})

function toName({ aspect, field }: DriftPlan['opened'][number]): string {
  return `${aspect} ${field}`
}

function setColumns({ ingestion, table }: Linked, names: readonly string[]): void {
  ingestion.source.put(table, { columns: names.map((name) => ({ name, type: 'text' })) })
}

async function plan(answer: Promise<Response>): Promise<DriftPlan | undefined> {
  return (await readJson<{ drift?: DriftPlan }>(answer)).drift
}

/** Undoes a run as the service of corrections does, and settles what follows. */
async function undo(
  { organizationId, integrationId, engine }: IngestionWorld,
  subjectRunId: string,
): Promise<void> {
  const runId = randomUUIDv7()
  const run = { organizationId, id: runId, integrationId, principal: 'test', forced: false }
  const correction = { organizationId, integrationId, runId, principal: 'test' }
  await engine.db.transaction().execute(async (db) => {
    await insertRun(db, storeClock, { ...run, kind: 'undo' })
    await sql`
      update ingestion_run set status = 'SUCCESS', completed_at = now() where id = ${runId}
    `.execute(db)
    await undoPublished(db, storeClock, correction, subjectRunId)
    await engine.settleReality(db, storeClock, { ...correction, requestId: '', kind: 'run' })
  })
}

function buildContract(id: string, fields: readonly string[]): object {
  return odcs(id, {
    servers: [
      { server: 'main', type: 'scripted', database: 'shop', schema: id, environment: 'production' },
    ],
    schema: [
      {
        name: 'orders',
        physicalType: 'table',
        properties: fields.map((name) => ({ name, logicalType: 'string' })),
      },
    ],
  })
}
