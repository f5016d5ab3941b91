import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutHeldDeletes } from './held-message.ts'

test('withoutHeldDeletes › leaves out the parts that the notice of held deletes states', () => {
  const read = 'Read 40 tables of 2 schemas'
  const guard = '24 deletes at once are held until a person confirms them'
  const filter = '3 assets that the settings leave out now are kept until a person confirms'
  assert.equal(withoutHeldDeletes(`${read}; ${guard}; ${filter}`), read)
  assert.equal(withoutHeldDeletes('1 delete is held because the source may only hide it'), '')
  assert.equal(withoutHeldDeletes(read), read)
  assert.equal(withoutHeldDeletes(null), null)
})
