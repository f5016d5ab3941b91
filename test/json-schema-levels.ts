// Levels of generated pairs of JSON Schemas.

import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type Change, highestLevel, type Level } from '../formats/diff/level.ts'
import { diffModels } from '../formats/diff/models.ts'
import { readJsonSchema } from '../formats/schema/json-schema/read.ts'
import type { Value } from '../formats/text/value.ts'
import { findWitness } from './json-schema-oracle.ts'
import type { SchemaPair } from './json-schema-pairs.ts'
import { readIn } from './specification.ts'
import { diffSpecifications } from './specification-versions.ts'

/**
 * Returns the level of a change that allows a new instance; undefined if it adds a field. Properties that are added to
 * an object are additive whether its content was open or closed, because consumers ignore them.
 */
export function getWideningLevel({ before, after, drafts }: SchemaPair): Level | undefined {
  const changes =
    drafts === undefined ? diff(before, after) : diffSpecifications('json-schema', before, after)
  const level = highestLevel(changes)
  return level !== 'breaking' && changes.some(isNewField) ? undefined : level
}

// Models are faster to compare than contracts.
function diff(before: Value, after: Value): Change[] {
  const [older, newer] = [before, after].map((schema) => readIn(schema, readJsonSchema).models)
  return diffModels(older ?? [], newer ?? [])
}

function isNewField({ kind, message }: Change): boolean {
  return kind === 'added' && message.startsWith('Field ') && message.includes(' was added (')
}

/** Checks that each generated change that allows a new instance is breaking; returns how many there are. */
export function checkWidening(
  pairs: fc.Arbitrary<SchemaPair>,
  runs: { seed: number; numRuns: number },
): number {
  let witnesses = 0
  fc.assert(
    fc.property(pairs, (pair) => {
      const witness = findWitness(pair)
      const level = witness === undefined ? undefined : getWideningLevel(pair)
      if (level === undefined) return
      witnesses += 1
      assert.equal(level, 'breaking', JSON.stringify(witness))
    }),
    runs,
  )
  return witnesses
}
