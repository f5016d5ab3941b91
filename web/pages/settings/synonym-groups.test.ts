import assert from 'node:assert/strict'
import test from 'node:test'
import { groupProblem, groupsToSave, reasonNotToSave } from './synonym-groups.ts'

test('groupProblem › asks for a second word', () => {
  assert.match(groupProblem(['wagon']) ?? '', /second word/)
  assert.equal(groupProblem(['wagon', 'railcar']), undefined)
  assert.equal(groupProblem([]), undefined)
})

test('groupsToSave › leaves out empty groups', () => {
  assert.deepEqual(groupsToSave([['a', 'b'], []]), [['a', 'b']])
})

test('reasonNotToSave › accepts changed groups of two words or more', () => {
  const stored = [['wagon', 'railcar']]
  assert.match(reasonNotToSave(stored, [...stored, []]) ?? '', /No changes/)
  assert.match(reasonNotToSave(stored, [['wagon']]) ?? '', /at least two/)
  assert.equal(reasonNotToSave(stored, []), undefined)
})
