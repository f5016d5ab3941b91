import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toListPage } from './next-page.ts'

const toResponse = (link?: string): { headers: Headers } => ({
  headers: new Headers(link === undefined ? {} : { link }),
})

test('a full page has a next page only if the server names it', () => {
  const data = Array.from({ length: 100 }, (_, at) => at)
  assert.deepEqual(toListPage({ data, response: toResponse() }), { rows: data, hasNext: false })
  const link = '</api/webhooks/1/deliveries?p=1>; rel="next"'
  assert.equal(toListPage({ data, response: toResponse(link) }).hasNext, true)
  assert.equal(toListPage({ data, response: toResponse('</other>; rel="self"') }).hasNext, false)
})
