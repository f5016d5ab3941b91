// Conformance tables: the level of a change of a specification in each schema language, and the level of its
// reversal.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { readDataContract } from '../data-contract/read.ts'
import { readText } from '../text/text.ts'
import { jsonText, type Value } from '../text/value.ts'
import { diffDataContracts } from './contract.ts'
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

function readContract(language: string, specification: Value) {
  const text = jsonText({
    dataContractSpecification: '0.9.3',
    id: 'orders',
    info: { title: 'Orders', version: '1', owner: 'fulfillment' },
    schema: { type: language, specification },
  })
  const source = readText(text, 'application/json')
  assert.ok(source.ok)
  const read = readDataContract(source, { id: 'orders', strict: false })
  assert.ok(read.ok, JSON.stringify(read))
  return read
}

for (const name of readdirSync(FOLDER).toSorted()) {
  const { language, rows } = tableSchema.parse(
    JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')),
  )
  for (const { change, before, after, ...expected } of rows) {
    test(`${language}: ${change}`, () => {
      const [older, newer] = [readContract(language, before), readContract(language, after)]
      const [there, back] = [diffDataContracts(older, newer), diffDataContracts(newer, older)]
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
