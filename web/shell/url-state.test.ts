import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseQuery, stringifyQuery } from './url-state.ts'

describe('the state of a page in its address', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    test(`a parameter called ${name} is read like any other`, () => {
      const query = parseQuery(`?${name}=x&a=1&${name}=y`)
      assert.deepEqual(Object.entries(query), [
        [name, ['x', 'y']],
        ['a', ['1']],
      ])
      assert.equal(stringifyQuery(query), `?${name}=x&${name}=y&a=1`)
    })

    test(`a parameter called ${name} that the address lacks is absent`, () => {
      assert.equal(parseQuery('?a=1')[name], undefined)
    })
  }
})
