import assert from 'node:assert/strict'
import test from 'node:test'
import { object, set, text } from '../shape/shape.ts'
import { diffFields } from './document-fields.ts'

const OPTIONS = {
  shape: object({ fields: { name: text(), owner: text(), tags: set(text()) } }),
  called: 'term',
  decidesPermissions: (field: string) => field === 'owner',
}

test('diffFields › returns one change for each field whose meaning changed', () => {
  const before = { name: 'One', owner: 'a', tags: ['x', 'y'], 'a/b': 1, gone: true }
  const after = { tags: ['y', 'x'], name: 'Two', owner: 'b', 'a/b': 2, new: {} }
  const changes = diffFields(before, after, OPTIONS)
  assert.deepEqual(
    changes.map(({ path, kind, level }) => [path, kind, level]),
    [
      ['/a~1b', 'changed', 'wording'],
      ['/gone', 'removed', 'wording'],
      ['/name', 'changed', 'wording'],
      ['/new', 'added', 'wording'],
      ['/owner', 'changed', 'additive'],
    ],
  )
  const [owner] = changes.filter(({ path }) => path === '/owner')
  assert.deepEqual(
    [owner?.message, owner?.before, owner?.after],
    ['The owner of the term was changed.', 'a', 'b'],
  )
  assert.deepEqual(diffFields(before, before, OPTIONS), [])
})
