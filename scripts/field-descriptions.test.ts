import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenPaths } from './field-descriptions.ts'

test('a path is shortened as far as all fields with its end have one description', () => {
  const paths = new Map([
    ['name', 'of the document'],
    ['a[].name', 'of a part'],
    ['x.a[].name', 'of a part'],
    ['b[].name', 'of another part'],
    ['x.b[].name', 'of a different part'],
    ['x.b[].kind', ''],
  ])
  assert.deepEqual(shortenPaths(paths), {
    'a[].name': 'of a part',
    'b[].name': 'of another part',
    name: 'of the document',
    'x.b[].name': 'of a different part',
  })
})
