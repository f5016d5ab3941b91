import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTeamChoices } from './team-choices.ts'

const TEAMS = [
  { id: 'finance', name: 'Finance', type: 'Domain' },
  { id: 'billing', name: 'Billing', type: 'Team', parent: 'finance' },
  { id: 'yard', name: 'The yard', type: 'Team' },
]

test('lists teams below their parents, with ids and reasons', () => {
  const choices = toTeamChoices(TEAMS, 'yard', (id) => (id === 'yard' ? 'Not yours.' : undefined))
  assert.deepEqual(
    choices.map(({ value, label, detail, depth, reason }) => [value, label, detail, depth, reason]),
    [
      ['finance', 'Finance', 'finance', 0, undefined],
      ['billing', 'Billing', 'billing', 1, undefined],
      ['yard', 'The yard', 'yard', 0, 'Not yours.'],
    ],
  )
})

test('offers an unknown team as it is', () => {
  assert.deepEqual(toTeamChoices(TEAMS, 'gone')[0], {
    value: 'gone',
    label: 'gone',
    detail: 'Unknown team',
  })
})
