import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listReadParameters } from '../../test/page-parameters.ts'
import { pages } from '../pages.ts'
import { listIgnored } from './page-parameters.ts'

describe('listIgnored › on every page', () => {
  for (const page of pages.filter(({ load }) => load !== undefined)) {
    const path = page.path.replaceAll(/\$\w+/g, 'x')
    test(`${page.path} › reports what its code does not read, and nothing else`, () => {
      for (const name of listReadParameters(page)) {
        assert.deepEqual(listIgnored(path, `?${name}=`), [], name)
      }
      assert.deepEqual(listIgnored(path, '?unheardOf=1&unheardOf=2'), ['unheardOf'])
    })
  }
})

test('listIgnored › reports values that a parameter cannot have', () => {
  assert.deepEqual(listIgnored('/search', '?sort=foo&query=a'), ['sort=foo'])
  assert.deepEqual(listIgnored('/search', '?sort=readers&q=a&query='), [])
  assert.deepEqual(listIgnored('/domains/sales', '?sort=relevance'), ['sort=relevance'])
})

test('listIgnored › reports names that objects have', () => {
  assert.deepEqual(listIgnored('/', '?__proto__=1&constructor=2'), ['__proto__', 'constructor'])
})

test('listIgnored › leaves out what programs add to links', () => {
  assert.deepEqual(listIgnored('/search', '?utm_source=mail&fbclid=x&gclid=y&query=a'), [])
})
