import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentListAnswer } from './document-list.ts'
import { nextPageLink, PAGE_ELEMENTS_MAX } from './paging.ts'

const load = async (keys: readonly number[]): Promise<string[]> => keys.map(String)

test('Link › the same request with the next page and all other parameters', () => {
  const query = new URLSearchParams('teamId=a&teamId=b&p=3&q=x%20y%3E%22')
  const link = nextPageLink('/api/dataproducts', query, 3)
  assert.equal(link, '</api/dataproducts?teamId=a&teamId=b&p=4&q=x+y%3E%22>; rel="next"')
  assert.equal(query.get('p'), '3', 'what was asked stays as it is')
})

test('Link › nothing in a path can end the address early', () => {
  const path = '/api/dataproducts/a>;rel="x",<http:b/versions'
  const [, address = ''] =
    /^<([^<>"]+)>; rel="next"$/.exec(nextPageLink(path, new URLSearchParams(), 0)) ?? []
  assert.equal(decodeURIComponent(address), `${path}?p=1`)
})

test('Link › the next page and the way out of a deprecated format, side by side', async () => {
  const request = { path: '/api/dataproducts', search: new URLSearchParams(), page: 0 }
  const references = Array.from({ length: PAGE_ELEMENTS_MAX + 1 }, (_, key) => ({ key, bytes: 2 }))
  const headers = { link: '<http://x/guide>; rel="deprecation"', sunset: 'some day' }
  const full = await documentListAnswer(references, load, request, headers)
  assert.deepEqual(full.headers, {
    sunset: 'some day',
    link: '</api/dataproducts?p=1>; rel="next", <http://x/guide>; rel="deprecation"',
  })
  const last = await documentListAnswer(references.slice(0, 2), load, request, headers)
  assert.equal(last.headers?.['link'], headers.link)
  assert.equal(last.body, '[0,1]')
  const plain = await documentListAnswer([], load, request)
  assert.deepEqual([plain.headers, plain.body], [{}, '[]'])
})

test('a list in another frame › has its separator, in one text or in chunks, and a text for no items', async () => {
  const frame = { start: '(', separator: ';', end: ')', empty: 'none' }
  const readList = async (count: number, bytes: number): Promise<string> => {
    const references = Array.from({ length: count }, (_, key) => ({ key, bytes }))
    const answer = await documentListAnswer(references, load, undefined, {}, frame)
    return await new Response(answer.body ?? null).text()
  }
  assert.equal(await readList(3, 1), '(0;1;2)')
  assert.equal(await readList(3, 3 * 1024 * 1024), '(0;1;2)')
  assert.equal(await readList(0, 1), 'none')
  // All of them were deleted since the page was read.
  const references = [1, 2].map((key) => ({ key, bytes: 3 * 1024 * 1024 }))
  const gone = await documentListAnswer(references, async () => [], undefined, {}, frame)
  assert.equal(await new Response(gone.body ?? null).text(), 'none')
})

test('a long list › is loaded in chunks of at most 4 MiB, only as fast as it is read', async () => {
  const mebibyte = 1024 * 1024
  const references = Array.from({ length: 10 }, (_, key) => ({ key, bytes: 1.5 * mebibyte }))
  const loaded: number[][] = []
  const answer = await documentListAnswer(
    [...references, { key: 10, bytes: 9 * mebibyte }],
    async (keys) => {
      loaded.push([...keys])
      return keys.map(String)
    },
    { path: '/', search: new URLSearchParams(), page: 0 },
  )
  assert.ok(loaded.length <= 1, 'is unread')
  assert.equal(await new Response(answer.body ?? null).text(), '[0,1,2,3,4,5,6,7,8,9,10]')
  assert.deepEqual(loaded, [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10]])
})
