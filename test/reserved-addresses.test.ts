import assert from 'node:assert/strict'
import test from 'node:test'
import { FORMER_ADDRESSES, RESERVED_ADDRESSES } from '../formats/name/reserved-addresses.ts'
import { ALL_KINDS } from '../server/platform/kinds.ts'
import { RECORDS } from '../formats/record/kinds.ts'

// The compiler must not follow this import: the pages have other settings.
const PAGES = new URL('../web/pages.ts', import.meta.url).href

test('RESERVED_ADDRESSES › has the first segment of every page and of every kind of document', async () => {
  const { pages } = (await import(PAGES)) as { pages: readonly { path: string }[] }
  const segments = [
    ...pages.map(({ path }) => path.split('/')[1] ?? ''),
    ...ALL_KINDS.map((kind) => kind.pages),
    ...RECORDS.map(({ collection }) => collection.slice('/api/'.length)),
    'api',
    'ui',
    'dataproducts',
    'datacontracts',
  ]
  const missing = segments.filter((segment) => !RESERVED_ADDRESSES.has(segment))
  assert.deepEqual([...new Set(missing)], [])
})

test('FORMER_ADDRESSES › are reserved, and no page under them has more than two segments', async () => {
  const { pages } = (await import(PAGES)) as { pages: readonly { path: string }[] }
  const deep = pages.map(({ path }) => path.split('/').slice(1)).filter(({ length }) => length > 2)
  for (const segment of FORMER_ADDRESSES) {
    assert.ok(RESERVED_ADDRESSES.has(segment), segment)
    assert.deepEqual(
      deep.filter(([first]) => first === segment),
      [],
    )
  }
})
