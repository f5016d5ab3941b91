import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, expectViolations, readJson } from '../../../test/answers.ts'
import { addFinding } from '../../../test/drift.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'
import type { ContractDrift, DriftFinding } from './drift.ts'

interface Proposal {
  document: string
  mediaType: string
  plan: Plan
}

const listFindings = (one: World, id: string): Promise<DriftFinding[]> =>
  readJson(one.as('Or', 'GET', `/api/drift?dataContractId=${id}`))

const buildText = (id: string, total: string): string => `# A contract of team a.
apiVersion: v3.1.0
kind: DataContract
id: ${id}
version: 1.0.0   # as agreed
status: active
team: { name: a }
servers:
  - { server: production, type: postgres, host: h, database: d, schema: ${id} }
schema:
  - name: orders
    properties:
      - {name: id, physicalType: bigint, required: true}
${total}      - name: note # free text
        logicalType: string
`

const putText = async (one: World, id: string, text: string): Promise<void> => {
  await expectOk(one.as('O', 'PUT', `/api/datacontracts/${id}`, { yaml: text }))
}

onStore((store) => {
  let world: World
  let twin: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    twin = await newWorld(product)
  })

  const TOTAL = '      - name: total\n        physicalType: numeric(10,2)\n'

  /** Registers a contract, and the table that its server points to, which has no column of the name `total`. */
  const addContract = async (one: World): Promise<string> => {
    const id = `c${uniqueId()}`
    await addTo(one, id)
    return id
  }
  const addTo = async (one: World, id: string): Promise<void> => {
    const info = { name: 'orders', source: 'postgres', type: 'postgres_table' }
    const columns = [
      { name: 'id', type: 'bigint', required: true },
      { name: 'note', type: 'text' },
      { name: 'since', type: 'date' },
    ]
    const custom = { host: 'h', database: 'd', schema: id, table: 'orders' }
    await expectOk(one.as('O', 'PUT', `/api/assets/${id}`, { body: { id, info, columns, custom } }))
    await putText(one, id, buildText(id, TOTAL))
    const body = { assetId: id, reason: 'It is the table.' }
    await expectOk(one.as('O', 'PUT', `/api/datacontracts/${id}/links/production/orders`, { body }))
  }
  const propose = (id: string, body: object = {}) =>
    world.as('O', 'POST', `/api/datacontracts/${id}/drift/proposal`, { body })
  const countRows = async (): Promise<unknown> => {
    const { rows } = await sql`
      select (select count(*) from data_contract) as contracts, (select count(*) from activity_entry) as entries,
        (select count(*) from event) as events,
        (select count(*) from drift_finding where resolved_at is null) as open
    `.execute(world.services.db)
    return rows
  }

  describe('POST /api/datacontracts/{id}/drift/proposal', () => {
    test('200 with the text byte for byte but for the difference, and its plan; saving it resolves the difference', async () => {
      const id = await addContract(world)
      const { document, mediaType, plan } = await readJson<Proposal>(propose(id))
      assert.equal(document, buildText(id, ''))
      assert.equal(mediaType, 'application/yaml')
      assert.deepEqual([plan.outcome, plan.level], ['updated', 'breaking'])
      assert.ok(plan.changes.length > 0)
      assert.deepEqual(
        plan.drift?.resolved.map(({ field, aspect }) => [field, aspect]),
        [['total', 'column.missing']],
      )
      await putText(world, id, document)
      const { state } = await readJson<ContractDrift>(
        world.as('Or', 'GET', `/api/datacontracts/${id}/drift`),
      )
      assert.equal(state, 'none')
    })

    test('only the named differences are adopted, additive ones too', async () => {
      const id = await addContract(world)
      const extra = (await listFindings(world, id)).find(({ field }) => field === 'since')
      const { document } = await readJson<Proposal>(propose(id, { findings: [extra?.id] }))
      const added = '      - name: since\n        physicalType: date\n        logicalType: date\n'
      assert.equal(document, `${buildText(id, TOTAL)}${added}`)
    })

    test('writes nothing, and no named difference changes nothing', async () => {
      const id = await addContract(world)
      const before = await countRows()
      await readJson<Proposal>(propose(id))
      const { document, plan } = await readJson<Proposal>(propose(id, { findings: [] }))
      assert.deepEqual([document, plan.outcome], [buildText(id, TOTAL), 'unchanged'])
      assert.deepEqual(await countRows(), before)
    })

    test('422 that names a difference that no text adopts', async () => {
      const id = await addContract(world)
      const finding = await addFinding(world, id, { server: 'other', field: '', aspect: 'object' })
      const problem = await expectProblem(propose(id, { findings: [finding] }), 422, /on other/)
      assert.deepEqual(
        (problem as { findings?: { id: string }[] }).findings?.map((one) => one.id),
        [finding],
      )
    })

    test('422 for differences that are not open ones of the contract, 404 for an unknown contract', async () => {
      const id = await addContract(world)
      await addTo(twin, id)
      const [foreign] = await listFindings(twin, id)
      const [other] = await listFindings(world, await addContract(world))
      const resolved = await addFinding(world, id, {
        field: 'former',
        resolvedAt: '2026-01-02T00:00:00Z',
      })
      for (const finding of [foreign?.id, other?.id, resolved]) {
        await expectViolations(propose(id, { findings: [finding] }), 422, ['findings.0'])
      }
      await expectViolations(propose(id, { findings: ['none'] }), 422, ['findings.0'])
      await expectProblem(propose(id, { all: true }), 422)
      await expectProblem(propose(uniqueId()), 404)
    })
  })
})
