import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameNewEdits } from './new-naming.ts'

const getIds = (value: { id: string; name: string }, name: string) =>
  nameNewEdits(value, name, []).flatMap((edit) =>
    edit.kind === 'set' && edit.path[0] === 'id' ? [edit.value] : [],
  )

test('proposes an id while it is empty or follows the name', () => {
  assert.deepEqual(getIds({ id: '', name: '' }, 'Track Wear'), ['track-wear'])
  assert.deepEqual(getIds({ id: 'track-we', name: 'Track We' }, 'Track Wear'), ['track-wear'])
})

test('keeps an id that was edited by hand', () => {
  assert.deepEqual(getIds({ id: 'wear', name: 'Track We' }, 'Track Wear'), [])
})
