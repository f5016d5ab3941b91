/** Every check grows in step with the rows: four times as many rows cost at most six times as much. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { measureCheck, type CheckCost } from '../../test/check-cost.ts'
import { createFilled, fillLargeStore, type StoreSize } from '../../test/large-store/fill.ts'
import { disableAutovacuum, openTestStore } from '../../test/stores.ts'
import type { Store } from '../store.ts'
import { CHECKS, verifyStore, withSnapshot } from './verify.ts'
import { sqlCheck, type Check } from './verify/check.ts'

const ROWS = 800
const GROWTH = 4
const COST_GROWTH_MAX = 6
/** Below these, a cost is mostly that of starting a statement. */
const FLOOR: CheckCost = { rows: 500, pages: 500, processorMs: 20 }

const toSize = (rows: number): StoreSize => ({
  documents: rows,
  assets: rows,
  entries: rows,
  others: rows,
})

const RULE = { name: 'an example', repair: 'none' }
const QUADRATIC: readonly Check[] = [
  sqlCheck(
    { ...RULE, name: 'the rest of the rows is added up for every row' },
    `select organization_id, 'x' as finding
     from (
       select organization_id, min(version_after) over (
         order by position rows between current row and unbounded following
       ) as least
       from activity_entry
     ) as one
     where least is null`,
  ),
  sqlCheck(
    { ...RULE, name: 'every pair of rows is compared' },
    `select one.organization_id, 'x' as finding
     from plain_record as one
     join plain_record as other on other.external_id > one.external_id
     where other.updated_by <> one.updated_by`,
  ),
]

/** Returns the costs of a check that grew too much. */
function listExcesses(before_: CheckCost, after_: CheckCost): string[] {
  return (['rows', 'pages', 'processorMs'] as const)
    .filter((name) => after_[name] > COST_GROWTH_MAX * Math.max(before_[name], FLOOR[name]))
    .map((name) => `${name}: ${before_[name].toFixed(0)} → ${after_[name].toFixed(0)}`)
}

describe('verify on a growing store', () => {
  let store: Store
  const costs = new Map<Check, CheckCost[]>()
  before(async () => {
    store = await openTestStore()
    await disableAutovacuum(store.db)
    const filled = await createFilled(store)
    let from: StoreSize | undefined
    for (const rows of [ROWS, GROWTH * ROWS]) {
      const to = toSize(rows)
      await fillLargeStore(store, filled, to, { ...(from && { from }), sealedAtOnce: 20 })
      from = to
      await withSnapshot(store.db, async (run, snapshot) => {
        for (const check of [...CHECKS, ...QUADRATIC]) {
          const first = await measureCheck(run, snapshot, check)
          // Other programs of the machine only add to the processor time.
          const second = await measureCheck(run, snapshot, check)
          const third = await measureCheck(run, snapshot, check)
          const processorMs = Math.min(
            ...[first, second, third].map((measured) => measured.processorMs),
          )
          costs.set(check, [...(costs.get(check) ?? []), { ...first, processorMs }])
        }
      })
    }
  })
  after(async () => store.close())

  test('finds nothing in the store', async () => {
    const results = await verifyStore(store.db)
    assert.deepEqual(
      results.flatMap(({ findings }) => findings),
      [],
    )
  })

  const getExcesses = (check: Check): string[] => {
    const [few, many] = costs.get(check) ?? []
    assert.ok(few && many)
    return listExcesses(few, many)
  }
  for (const check of CHECKS) {
    test(`costs in step with the rows: ${check.rules.map(({ name }) => name).join('; ')}`, () => {
      assert.deepEqual(getExcesses(check), [])
    })
  }
  for (const check of QUADRATIC) {
    test(`a check costs too much if ${check.rules[0]?.name}`, () => {
      assert.notDeepEqual(getExcesses(check), [])
    })
  }
})
