import assert from 'node:assert/strict'
import test from 'node:test'
import { FACETS } from '../../documents/search/search.ts'
import {
  describeFollowedSearch,
  parseFollowedSearch,
  toCanonicalSearch,
} from './followed-search.ts'

test('toCanonicalSearch › is one spelling of a search', () => {
  const canonical = toCanonicalSearch('tag=pii&query= orders &tag=a&tag=pii&status=&domain=Rail')
  assert.equal(canonical, 'domain=Rail&query=orders&tag=a&tag=pii')
  assert.equal(toCanonicalSearch(canonical), canonical)
})

test('toCanonicalSearch › has every filter of a search', () => {
  for (const facet of FACETS) {
    const name = facet === 'team' ? 'teamId' : facet
    assert.equal(toCanonicalSearch(`${name}=x`), `${name}=x`)
    assert.deepEqual(parseFollowedSearch(`${name}=x`).filters, { [facet]: ['x'] })
  }
})

test('toCanonicalSearch › keeps the empty team, which means documents without an owner', () => {
  assert.equal(toCanonicalSearch('teamId='), 'teamId=')
})

test('toCanonicalSearch › rejects unknown parameters, a search for everything, and a long one', () => {
  assert.throws(() => toCanonicalSearch('query=a&x=1'), /unknown parameter "x"/)
  assert.throws(() => toCanonicalSearch('query=+&p='), /unknown parameter "p"/)
  assert.throws(() => toCanonicalSearch('query=+'), /finds everything/)
  assert.throws(() => toCanonicalSearch('sort=name'), /finds everything/)
  assert.throws(
    () => toCanonicalSearch('query=a&sort=newest'),
    /unknown order "newest"; use one of/,
  )
  assert.throws(() => toCanonicalSearch('custom=tier'), /custom=name=value/)
  assert.throws(() => toCanonicalSearch(`query=${'a'.repeat(1000)}`), /longer than 1000/)
})

test('toCanonicalSearch › keeps the order, except the usual one', () => {
  assert.equal(toCanonicalSearch('sort=readers&query=a'), 'query=a&sort=readers')
  assert.equal(toCanonicalSearch('query=a&sort=relevance'), 'query=a')
})

test('parseFollowedSearch › returns the text and the filters', () => {
  assert.deepEqual(parseFollowedSearch('custom=tier%3Dgold&query=a+b&tag=x&tag=y&teamId='), {
    text: 'a b',
    filters: { team: [''], tag: ['x', 'y'] },
    custom: [{ field: 'tier', values: ['gold'] }],
  })
})

test('describeFollowedSearch › names the text and the filters', () => {
  const cases: [search: string, description: string][] = [
    ['query=orders', '"orders"'],
    ['tag=pii', 'with tag pii'],
    ['query=a+b&tag=x&tag=y&teamId=', '"a b" with no team and tag x or tag y'],
    ['resourceType=DATA_PRODUCT&custom=tier%3Dgold', 'with type data product and tier gold'],
    ['tag=1&tag=2&tag=3&tag=4&tag=5', 'with tag 1 or tag 2 or tag 3 or 2 more'],
    ['query=orders&sort=readers', '"orders" by readers'],
    ['', ''],
  ]
  for (const [search, description] of cases) {
    assert.equal(describeFollowedSearch(search), description)
  }
})
