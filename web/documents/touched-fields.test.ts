import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterTouched } from './touched-fields.ts'

const PROBLEMS = ['id', 'name', 'team', 'outputPorts[0].name'].map((field) => ({
  severity: 'error' as const,
  field,
  message: 'This field is blank.',
  line: 1,
  column: 1,
}))
const shown = (...touched: string[]) =>
  filterTouched(PROBLEMS, new Set(touched)).map(({ field }) => field)

test('hides every problem until a field is touched', () => {
  assert.deepEqual(shown(), [])
})

test('shows the problems of a field, of its parent and of its children', () => {
  assert.deepEqual(shown('name'), ['name'])
  assert.deepEqual(shown('team.name'), ['team'])
  assert.deepEqual(shown('outputPorts'), ['outputPorts[0].name'])
  assert.deepEqual(shown('outputPorts[1].name'), [])
})

test('shows all after a save was tried', () => {
  assert.equal(filterTouched(PROBLEMS, 'all').length, PROBLEMS.length)
})
