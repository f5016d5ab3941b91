// Conformance tables: the level of a change of a specification in each schema language, and the level of its
// reversal.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { diffSpecifications } from '../../test/specification-versions.ts'
import type { Value } from '../text/value.ts'
import { highestLevel } from './level.ts'

const FOLDER = new URL('levels/', import.meta.url)

const level = z.enum(['breaking', 'additive', 'wording', 'none'])
const value: z.ZodType<Value> = z.json()
const tableSchema = z.strictObject({
  /** The `schema.type` of the contracts. */
  language: z.string(),
  rows: z.array(
    z.strictObject({
      change: z.string(),
      before: value,
      after: value,
      level,
      /** The level of the opposite change. */
      back: level,
      /** The rule of the language that determines the level. */
      authority: z.string(),
    }),
  ),
})

for (const name of readdirSync(FOLDER).toSorted()) {
  const { language, rows } = tableSchema.parse(
    JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')),
  )
  for (const { change, before, after, ...expected } of rows) {
    test(`${language}: ${change}`, () => {
      const there = diffSpecifications(language, before, after)
      const back = diffSpecifications(language, after, before)
      assert.deepEqual(
        { level: highestLevel(there), back: highestLevel(back) },
        { level: expected.level, back: expected.back },
        [...there, '–' as const, ...back]
          .map((one) => (one === '–' ? one : one.message))
          .join('\n'),
      )
    })
  }
}
