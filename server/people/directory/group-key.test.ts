import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { toGroupKey } from './group-key.ts'

for (const [one, other] of [
  ['Data Engineers', 'DATA ENGINEERS'],
  [' admins ', 'Admins'],
  ['GRÖẞE', 'größe'],
  ['Größe', 'Gro\u0308ße'],
  ['ΟΔΟΣ', 'οδος'],
  ['\u212Aings', 'kings'],
] as const) {
  test(`toGroupKey › "${one}" and "${other}" are the same group`, () => {
    assert.equal(toGroupKey(one), toGroupKey(other))
  })
}

for (const [one, other] of [
  ['STRASSE', 'straße'],
  ['İzmir', 'izmir'],
  ['Izmir', 'ızmir'],
  ['data engineers', 'data-engineers'],
] as const) {
  test(`toGroupKey › "${one}" and "${other}" are different groups`, () => {
    assert.notEqual(toGroupKey(one), toGroupKey(other))
  })
}

test('toGroupKey › a key is its own key', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(fc.property(text, (name) => toGroupKey(toGroupKey(name)) === toGroupKey(name)))
})
