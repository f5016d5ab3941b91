import assert from 'node:assert/strict'
import test from 'node:test'
import { toAnnotationBody, toAnnotationDraft, isChanged, isOvertaken } from './annotation-draft.ts'

const added = {
  description: 'All orders',
  ownerId: 'sales',
  tags: ['gold'],
  updatedAt: '2026-11-01T10:00:00.000Z',
}

test('toAnnotationBody › sends null for values of the source, and an empty list for no tags', () => {
  assert.deepEqual(toAnnotationBody(toAnnotationDraft(null)), {
    description: null,
    owner: null,
    tags: null,
  })
  assert.deepEqual(
    toAnnotationBody({ ...toAnnotationDraft(added), description: '  ', ownerId: '', tags: [] }),
    {
      description: null,
      owner: null,
      tags: [],
    },
  )
})

test('isChanged › is true only if something would change', () => {
  assert.equal(isChanged(toAnnotationDraft(added), added), false)
  assert.equal(isChanged({ ...toAnnotationDraft(added), tags: null }, added), true)
  assert.equal(isChanged(toAnnotationDraft(null), added), true)
})

test('isOvertaken › is true after an edit of another person, not after a run', () => {
  const draft = { ...toAnnotationDraft(added), description: 'Mine' }
  assert.equal(isOvertaken(draft, { ...added, updatedAt: '2026-11-02T10:00:00.000Z' }), false)
  assert.equal(isOvertaken(draft, { ...added, description: 'Theirs' }), true)
  assert.equal(isOvertaken(draft, null), true)
  assert.equal(isOvertaken(toAnnotationDraft(null), null), false)
})
