import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorstState, judgeDriftState, type DriftState } from './drift-plan.ts'

type Row = [breaking: number, accepted: number, promised: number, compared: number, DriftState]

const ROWS: readonly Row[] = [
  [1, 1, 2, 0, 'drift'],
  [0, 1, 2, 0, 'accepted'],
  [0, 0, 2, 1, 'unknown'],
  [0, 0, 0, 0, 'unknown'],
  [0, 0, 2, 2, 'none'],
]

for (const [breaking, acceptedBreaking, promised, compared, state] of ROWS) {
  test(`${breaking} breaking, ${acceptedBreaking} accepted, ${compared} of ${promised} compared › ${state}`, () => {
    assert.equal(judgeDriftState({ breaking, acceptedBreaking, promised, compared }), state)
  })
}

test('findWorstState › what is not compared hides nothing that differs, and is not hidden', () => {
  assert.equal(findWorstState(['none', 'unknown', 'accepted', 'drift']), 'drift')
  assert.equal(findWorstState(['none', 'unknown']), 'unknown')
  assert.equal(findWorstState([]), undefined)
})
