import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../platform/errors.ts'
import { PAGE_PARAMETERS, rejectUnknownParameters } from './query.ts'

const reject = (query: string): void =>
  rejectUnknownParameters(new URLSearchParams(query), ['owner', 'tag'], PAGE_PARAMETERS)

describe('rejectUnknownParameters', () => {
  for (const query of ['', 'owner=a&tag=b', 'p=3', 'pageSize=10&owner=a']) {
    test(`accepts ?${query}`, () => reject(query))
  }

  for (const [query, field] of [
    ['owner=a&colour=red', 'colour'],
    ['Owner=a', 'Owner'],
    ['=a', ''],
  ] as const) {
    test(`rejects ?${query} with the names of the list`, () => {
      assert.throws(
        () => reject(query),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.equal(error.code, 'query_invalid')
          assert.equal(error.violations[0]?.field, field)
          assert.match(error.message, /is unknown; use one of owner, tag\.$/)
          return true
        },
      )
    })
  }
})
