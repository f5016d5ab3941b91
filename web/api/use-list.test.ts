import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUses } from './use-list.ts'

const use = (id: string) => ({ kind: 'access', id, name: `Team ${id}`, relation: 'has access' })

test('links each use to its page', () => {
  const found = toUses({ uses: [use('a b')], useCount: 1, hiddenUseCount: 0 })
  assert.deepEqual(found, {
    uses: [{ name: 'Team a b', href: '/access/a%20b', relation: 'has access' }],
    rest: '',
    readers: [],
  })
})

test('gives people no link', () => {
  const found = toUses({ uses: [], readers: [{ ...use('u'), kind: 'user' }] })
  assert.equal(found?.readers[0]?.href, undefined)
})

for (const [listed, useCount, hiddenUseCount, rest] of [
  [1, 1, 0, ''],
  [1, 2, 0, 'and 1 other'],
  [1, 4, 3, 'and 3 others that are not visible to you'],
  [1, 2, 1, 'and 1 other that is not visible to you'],
  [1, 1205, 3, 'and 1,201 others, and 3 others that are not visible to you'],
  [0, 1, 1, '1 use that is not visible to you'],
  [0, 2, 2, '2 uses that are not visible to you'],
] as const) {
  test(`counts the rest of ${useCount} uses, ${listed} listed and ${hiddenUseCount} hidden`, () => {
    const uses = Array.from({ length: listed }, (_, at) => use(String(at)))
    assert.equal(toUses({ uses, useCount, hiddenUseCount })?.rest, rest)
  })
}

test('an answer without uses has none', () => {
  assert.equal(toUses({}), undefined)
})
