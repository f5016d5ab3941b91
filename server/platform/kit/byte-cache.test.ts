import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCache } from './byte-cache.ts'

test('byte cache › evicts the least recently used value when it is full', () => {
  const cache = new ByteCache<string>(10)
  cache.set('a', 'A', 4)
  cache.set('b', 'B', 4)
  assert.equal(cache.get('a'), 'A')
  cache.set('c', 'C', 4)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['A', undefined, 'C'])
})

test('byte cache › replaces the value of a key, and does not keep one that is too large', () => {
  const cache = new ByteCache<string>(10)
  cache.set('a', 'first', 9)
  cache.set('a', 'second', 9)
  assert.equal(cache.get('a'), 'second')
  cache.set('huge', 'x', 11)
  assert.deepEqual([cache.get('huge'), cache.get('a')], [undefined, 'second'])
  cache.set('a', 'x', 11)
  cache.set('b', 'B', 10)
  assert.deepEqual([cache.get('a'), cache.get('b')], [undefined, 'B'])
})
