// Levels of Protobuf changes against Buf: what it reports as breaking on the wire or in JSON is breaking, except where
// docs/levels.md lists a difference.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createLevelRuns } from '../../test/level-runs.ts'
import { onPeers, runBuf } from '../../test/peers/peers.ts'
import { protobufPairs } from '../../test/protobuf-pairs.ts'
import { diffSpecifications } from '../../test/specification-versions.ts'
import { highestLevel } from './level.ts'

// The rules of docs/levels.md with which Portbook disagrees: these changes only narrow what the data may be.
const NARROWING: ReadonlySet<string> = new Set([
  'ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED',
  'ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED',
  'FIELD_SAME_ONEOF',
  'MESSAGE_SAME_REQUIRED_FIELDS',
])

onPeers(['buf'], () => {
  test('Protobuf › what Buf reports on the wire or in JSON is breaking', async () => {
    const pairs = fc.sample(protobufPairs, createLevelRuns('Protobuf', 400))
    const rules = await findRules(pairs)
    const wrong = pairs.flatMap(([before, after], at) => {
      const found = [...(rules.get(at) ?? [])].filter((rule) => !NARROWING.has(rule))
      if (found.length === 0) return []
      const level = highestLevel(diffSpecifications('protobuf', before, after))
      return level === 'breaking' ? [] : [{ before, after, level, rules: found }]
    })
    assert.deepEqual(wrong, [])
    assert.ok(rules.size > pairs.length / 10, `${rules.size} changes are breaking for Buf`)
  })
})

/** Returns the broken rules of each pair, by its position. */
async function findRules(
  pairs: readonly (readonly [before: string, after: string])[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-buf-'))
  try {
    for (const [at, pair] of pairs.entries()) {
      for (const [side, text] of pair.entries()) {
        const folder = join(directory, side === 0 ? 'before' : 'after', `p${at}`)
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'a.proto'), text.replace('package p;', `package p${at};`))
      }
    }
    const rules = new Map<number, Set<string>>()
    for (const { path, type } of await runBuf(directory)) {
      const at = Number(/^p(\d+)\//.exec(path)?.[1])
      rules.set(at, (rules.get(at) ?? new Set()).add(type))
    }
    return rules
  } finally {
    rmSync(directory, { recursive: true })
  }
}
