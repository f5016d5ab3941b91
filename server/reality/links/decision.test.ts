import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { EVIDENCE_ROWS } from '../../../test/link-evidence.ts'
import { LINK_ROWS } from '../../../test/link-rows.ts'
import { linkWorld } from '../../../test/link-world.ts'
import { onStore } from '../../../test/stores.ts'

const ROWS = [...LINK_ROWS, ...EVIDENCE_ROWS]

onStore((store) => {
  test('there are at least a hundred rows', () => {
    assert.ok(ROWS.length >= 100, String(ROWS.length))
  })

  const actual: string[] = []
  before(async () => {
    for (const [, , world] of ROWS) {
      const [link] = await linkWorld(store().db, world)
      const { state, asset, origin, candidates = [], rules } = link ?? {}
      const parts = [state, asset, origin, ...candidates, rules]
      actual.push(parts.filter((part) => part !== null && part !== undefined).join(' '))
    }
  })

  for (const [at, [name, expected]] of ROWS.entries()) {
    test(`decides › ${name}`, () => {
      assert.equal(actual[at], expected)
    })
  }
})
