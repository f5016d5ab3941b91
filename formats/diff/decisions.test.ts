// Checks the table of decisions row by row: the level of each change and of its reversal.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import type { Field, Model } from '../schema/model.ts'
import { PLATFORMS, type Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { typedField } from '../schema/types/typed-field.ts'
import { getField, isObject, asText, type Value } from '../text/value.ts'
import { type Change, highestLevel } from './level.ts'
import { diffModels } from './models.ts'
import { ODCS, DCS, diffContracts, mergeFragment } from '../../test/contract-versions.ts'
import { diffProducts, DPS, ODPS } from '../../test/product-versions.ts'

const value: z.ZodType<Value> = z.json()
const level = z.enum(['breaking', 'additive', 'wording', 'none'])
const text = readFileSync(new URL('decisions.json', import.meta.url), 'utf8')
const rows = z
  .array(
    z.strictObject({
      what: z.enum(['field', 'model', 'models', 'odcs', 'dcs', 'odps', 'dps']),
      platform: z.enum(PLATFORMS).optional(),
      before: value,
      after: value,
      level,
      back: level,
      reason: z.string().regex(/^[A-Z"A-Za-z0-9'’(].*\.$/),
    }),
  )
  .parse(JSON.parse(text))

type Row = (typeof rows)[number]

// Builds a field from its fragment, with the details that the native type implies.
function fieldFrom(fragment: Value, platform: Platform | undefined): Field {
  const physicalType = asText(getField(fragment, 'physicalType'))
  const native = physicalType === undefined ? undefined : readNativeType(physicalType, platform)
  const isKnown = native !== undefined && native.logicalType !== 'unknown'
  const field: Field = {
    name: 'total',
    logicalType: physicalType === undefined ? 'string' : 'unknown',
    required: false,
    unique: false,
    tags: [],
    references: [],
    quality: [],
    origin: '/field',
    ...(isKnown ? typedField(native, '/field') : {}),
  }
  for (const [name, part] of Object.entries(isObject(fragment) ? fragment : {})) {
    Object.assign(field, { [name]: createPart(name, part, platform) })
  }
  return field
}

function createPart(name: string, part: Value, platform: Platform | undefined) {
  if (name === 'fields') return toList(part).map((one) => fieldFrom(one, platform))
  if (['items', 'keys', 'values'].includes(name)) return fieldFrom(part, platform)
  return name === 'quality' ? checksFrom(part) : part
}

function checksFrom(part: Value) {
  return toList(part).map((check) => {
    const description = asText(getField(getField(check, 'rule'), 'description'))
    return {
      ...(isObject(check) ? check : {}),
      ...(description === undefined ? {} : { description }),
      origin: '/check',
    }
  })
}

function toList(part: Value | undefined): Value[] {
  return Array.isArray(part) ? part : []
}

function modelFrom(fragment: Value, platform: Platform | undefined): Model {
  const model: Model = {
    name: 'orders',
    kind: 'table',
    fields: [],
    primaryKey: [],
    quality: [],
    tags: [],
    origin: '/model',
  }
  for (const [name, part] of Object.entries(isObject(fragment) ? fragment : {})) {
    Object.assign(model, { [name]: createPart(name, part, platform) })
  }
  return model
}

function modelsFrom({ what, platform }: Row, fragment: Value): Model[] {
  if (what === 'models') return toList(fragment).map((one) => modelFrom(one, platform))
  if (what === 'model') return [modelFrom(fragment, platform)]
  return [{ ...modelFrom({}, platform), fields: [fieldFrom(fragment, platform)] }]
}

function listChanges(row: Row, before: Value, after: Value): Change[] {
  const { what, platform } = row
  if (what === 'odcs' || what === 'dcs') {
    const base = what === 'odcs' ? ODCS : DCS
    return diffContracts(mergeFragment(base, before), mergeFragment(base, after))
  }
  if (what === 'odps' || what === 'dps') {
    const base = what === 'odps' ? ODPS : DPS
    return diffProducts(mergeFragment(base, before), mergeFragment(base, after))
  }
  const platforms = { before: platform, after: platform }
  return diffModels(modelsFrom(row, before), modelsFrom(row, after), { platforms })
}

test('decisions › at least 200 exist, without duplicates', () => {
  assert.ok(rows.length >= 200, String(rows.length))
  const pairs = rows.map(({ what, platform, before, after }) =>
    JSON.stringify([what, platform, before, after]),
  )
  const turned = rows.map(({ what, platform, before, after }) =>
    JSON.stringify([what, platform, after, before]),
  )
  assert.equal(new Set([...pairs, ...turned]).size, rows.length * 2)
})

test('decisions › each row is on a line of its own', () => {
  const lines = rows.map((row) => JSON.stringify(row))
  const written = text.split('\n').slice(1, -2)
  assert.deepEqual(
    written.map((line) => JSON.stringify(JSON.parse(line.replace(/,$/, '')))),
    lines,
  )
})

for (const row of rows) {
  const { what, platform, before, after, reason } = row
  const name = `${what}${platform === undefined ? '' : ` on ${platform}`} › ${JSON.stringify(before)} → ${JSON.stringify(after)}`
  test(`${name} is ${row.level}: ${reason}`, () => {
    const changes = listChanges(row, before, after)
    assert.equal(highestLevel(changes), row.level, JSON.stringify(changes))
    assert.deepEqual(listChanges(row, before, before), [])
    for (const { message } of changes) assert.match(message, /^[^\s].*\.$/s)
  })
  test(`${name} is ${row.back} in reverse`, () => {
    const changes = listChanges(row, after, before)
    assert.equal(highestLevel(changes), row.back, JSON.stringify(changes))
  })
}
