import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { matchNamed } from './match.ts'

interface Member {
  name: string
  says: string
}

// `a1` is a member with the name "a" and the content "1".
function members(words: string): Member[] {
  return words.split(' ').flatMap((word) => {
    const [name = '', says = ''] = word
    return word === '' ? [] : [{ name, says }]
  })
}

const word = ({ name, says }: Member) => `${name}${says}`

function match(before: string, after: string) {
  const found = matchNamed(members(before), members(after), ({ says }) => says)
  const pairs = found.pairs.map((pair) => {
    return `${word(pair.before)}${pair.renamed ? '=' : '-'}${word(pair.after)}`
  })
  const [removed, added] = [found.removed.map(word), found.added.map(word)]
  return { pairs: pairs.join(' '), removed, added, isReordered: found.isReordered }
}

test('matchNamed › matches members with the same name in order', () => {
  assert.deepEqual(match('a1 a2 a3', 'b4 a5 a6'), {
    pairs: 'a1-a5 a2-a6',
    removed: ['a3'],
    added: ['b4'],
    isReordered: false,
  })
})

test('matchNamed › reports members with unique equal content as renamed', () => {
  assert.deepEqual(match('a1 b2 c3', 'c3 d1 e4'), {
    pairs: 'c3-c3 a1=d1',
    removed: ['b2'],
    added: ['e4'],
    isReordered: true,
  })
  for (const [before, after] of [
    ['a1 b1', 'c1'],
    ['a1', 'b1 c1'],
    ['a1 b1', 'c1 d1'],
  ] as const) {
    assert.equal(match(before, after).pairs, '', `${before} → ${after}`)
  }
})

test('matchNamed › does not report a new order if members were only added or removed', () => {
  assert.equal(match('a1 b2 c3', 'b2 x9 y9 c3').isReordered, false)
  assert.equal(match('a1 b2 c3', 'c3 b2').isReordered, true)
})

const lists = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', '__proto__'),
    says: fc.constantFrom('1', '2', '3'),
  }),
  { maxLength: 6 },
)

test('matchNamed › matches every member once, or reports it as removed or added', () => {
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const { pairs, removed, added } = matchNamed(before, after, ({ says }) => says)
      const befores = [...pairs.map((pair) => pair.before), ...removed]
      const afters = [...pairs.map((pair) => pair.after), ...added]
      assert.deepEqual([new Set(befores), befores.length], [new Set(before), before.length])
      assert.deepEqual([new Set(afters), afters.length], [new Set(after), after.length])
      for (const pair of pairs) assert.equal(pair.renamed, pair.before.name !== pair.after.name)
      const gone = new Set(removed.map(({ name }) => name))
      assert.ok(added.every(({ name }) => !gone.has(name)))
    }),
    { seed: 12, numRuns: 1000 },
  )
})
