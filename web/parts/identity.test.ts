import assert from 'node:assert/strict'
import test from 'node:test'
import { getHue, getInitials, HUES } from './identity.ts'

test('getInitials › returns the first letters of the first and the last word', () => {
  const expected = [
    ['Ada Lindqvist', 'AL'],
    ['Wagon Fleet Operations', 'WO'],
    ['wagon-fleet', 'WF'],
    ['ada.lindqvist@velmora.example', 'AL'],
    ['privacy@velmora.example', 'P'],
    ['Équipe 7', 'É7'],
    ['(Team) B', 'TB'],
    ['🚂', '?'],
    ['', '?'],
  ] as const
  for (const [name, initials] of expected) assert.equal(getInitials(name), initials)
})

test('getHue › is stable, and uses every colour', () => {
  assert.equal(getHue('fleet'), getHue('fleet'))
  const ids = Array.from({ length: 200 }, (_, at) => `squad-${at}`)
  assert.deepEqual(new Set(ids.map(getHue)), new Set(HUES))
})

test('getHue › distinguishes ids that differ in their last letter', () => {
  const ids = ['team-a', 'team-b', 'team-c', 'team-d']
  assert.ok(new Set(ids.map(getHue)).size > 2)
})
