// Each feature of each source language in each export is in the output or listed as a loss.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { FEATURES } from '../../test/export-features.ts'
import type { Feature } from '../../test/feature.ts'
import { withRequiredKeys } from '../../test/model-equality.ts'
import { Notes } from '../text/problem.ts'
import { REPEATED_MARKS } from '../schema/json-schema-marks.ts'
import { inside } from '../schema/losses.ts'
import type { Field, Loss, Model } from '../schema/model.ts'
import { Specification } from '../schema/specification.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { readText } from '../text/text.ts'
import { jsonText, type ObjectValue } from '../text/value.ts'
import { findPlatform } from './contract-fields.ts'
import type { DataContract } from './data-contract.ts'
import { DIALECTS, type ExportFormat, exportContract } from './export.ts'
import { readDataContract } from './read.ts'
import { LANGUAGES } from '../schema/languages.ts'
import { NOWHERE } from '../shape/inspect.ts'

interface Target {
  name: string
  format: ExportFormat
  dialect?: Platform
}

const TARGETS: readonly Target[] = [
  ...(['odcs', 'json-schema', 'avro', 'protobuf', 'bigquery', 'dbt'] as const).map((format) => ({
    name: format,
    format,
  })),
  ...DIALECTS.map((dialect): Target => ({ name: dialect, format: 'sql', dialect })),
]

const contracts = new Map<ObjectValue, DataContract>()

/** Reads the contract of a feature once for all targets. */
function readFeature(value: ObjectValue): DataContract {
  const contract = contracts.get(value) ?? readContract(value)
  contracts.set(value, contract)
  return contract
}

function readContract(value: ObjectValue): DataContract {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.contract
}

interface Outcome {
  differences: readonly Difference[]
  losses: readonly Loss[]
}

/** An attribute of a model or field that differs after reading an export. */
interface Difference {
  path: string
  attribute: string
  before: unknown
}

function exportAndRead(value: ObjectValue, { format, dialect }: Target): Outcome {
  const contract = readFeature(value)
  const { models } = contract
  assert.ok(models.length > 0, JSON.stringify(value))
  const { text, losses } = exportContract({ contract, value }, { format, dialect })
  const platform = dialect ?? findPlatform(contract.servers).platform
  const language = LANGUAGES.find(({ name }) => name === format)
  const after =
    language === undefined
      ? readContract(JSON.parse(text)).models
      : language.read(new Specification(text, [], new Notes(NOWHERE)), {
          platform: platform ?? 'postgresql',
        })
  return { losses, differences: compareModels(withRequiredKeys(models), withRequiredKeys(after)) }
}

function compareModels(before: readonly Model[], after: readonly Model[]): Difference[] {
  return before.flatMap((model, at) => {
    const other = after[at]
    if (other === undefined) return [{ path: model.name, attribute: 'model', before: model.name }]
    return [
      ...compareAttributes(model.name, model, other),
      ...compareFields(model.name, model.fields, other.fields),
    ]
  })
}

function compareFields(
  path: string,
  before: readonly Field[],
  after: readonly Field[],
): Difference[] {
  return before.flatMap((field, at) => compareField(`${path}.${field.name}`, field, after[at]))
}

function compareField(path: string, before: Field, after: Field | undefined): Difference[] {
  if (after === undefined) return [{ path, attribute: 'field', before: before.name }]
  const { items, keys, values, fields } = before
  return [
    ...compareAttributes(path, before, after),
    ...(items === undefined ? [] : compareHeld(inside.items(path), items, after.items)),
    ...(keys === undefined ? [] : compareHeld(inside.keys(path), keys, after.keys)),
    ...(values === undefined ? [] : compareHeld(inside.values(path), values, after.values)),
    ...(fields === undefined ? [] : compareFields(path, fields, after.fields ?? [])),
  ]
}

function compareHeld(path: string, before: Field, after: Field | undefined): Difference[] {
  return compareField(path, { ...before, name: '' }, after && { ...after, name: '' })
}

const UNCOMPARED = new Set('origin physicalType fields items keys values'.split(' '))

function compareAttributes(
  path: string,
  before: Model | Field,
  after: Model | Field,
): Difference[] {
  const others = new Map(listAttributes(after))
  return listAttributes(before).flatMap(([attribute, value]): Difference[] => {
    if (UNCOMPARED.has(attribute) || value === undefined) return []
    const other = others.get(attribute)
    const isSame = value === other || isDeepStrictEqual(withoutOrigin(value), withoutOrigin(other))
    return isSame ? [] : [{ path, attribute, before: value }]
  })
}

// Each language-specific property counts as an attribute.
function listAttributes(part: Model | Field): [string, unknown][] {
  const { traits = {}, ...attributes } = part
  const properties = Object.entries(traits).filter(([name]) => !REPEATED_MARKS.has(name))
  return [
    ...Object.entries(attributes),
    ...properties.map(([name, value]): [string, unknown] => [`trait ${name}`, value]),
  ]
}

function withoutOrigin(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined
    ? undefined
    : JSON.parse(text, (key, inner) => (key === 'origin' ? undefined : inner))
}

function without<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  const known = new Set(others.map((item) => JSON.stringify(item)))
  return items.filter((item) => !known.has(JSON.stringify(item)))
}

function isCovered({ path }: Difference, losses: readonly Loss[]): boolean {
  return losses.some(
    (loss) =>
      path === loss.path ||
      (path.startsWith(loss.path) && /^[.[{]/.test(path.slice(loss.path.length))),
  )
}

// The encoding of a language is one loss per model, which names its properties.
function isEncoding({ path, attribute }: Difference, losses: readonly Loss[]): boolean {
  const name = / own encoding; not kept: /
  return losses.some(
    (loss) =>
      (path === loss.path || path.startsWith(`${loss.path}.`)) &&
      name.test(loss.message) &&
      loss.message.includes(attribute.replace('trait ', '')),
  )
}

const lossCounts = new Map<string, number>()
const sources = Map.groupBy(FEATURES, (feature) => feature.source)

for (const [source, features] of sources) {
  test(`exports of ${source} › each feature is in the output or listed as a loss`, () => {
    for (const feature of features) assertVisibility(feature)
    const silent = TARGETS.flatMap((target) => findSilentLosses(source, features, target))
    assert.deepEqual(silent, [])
  })
}

// A feature changes the model of its contract, unless the reader is known to ignore it.
function assertVisibility(feature: Feature): void {
  const [before, after] = [feature.without, feature.with].map((value) =>
    withoutOrigin(readFeature(value).models),
  )
  assert.notEqual(
    isDeepStrictEqual(before, after),
    feature.unread !== true,
    `${feature.source}: ${feature.name} changes no model`,
  )
}

function findSilentLosses(source: string, features: readonly Feature[], target: Target): string[] {
  const plain = new Map<ObjectValue, Outcome>()
  const cell = `${source} ${target.format} ${target.name}`
  return features.flatMap((feature) => {
    const before = plain.get(feature.without) ?? exportAndRead(feature.without, target)
    plain.set(feature.without, before)
    const after = exportAndRead(feature.with, target)
    const added = without(after.losses, before.losses)
    lossCounts.set(cell, (lossCounts.get(cell) ?? 0) + added.length)
    return without(after.differences, before.differences)
      .filter(
        (difference) => !isCovered(difference, added) && !isEncoding(difference, after.losses),
      )
      .map(
        ({ path, attribute, before: value }) =>
          `${source} → ${target.name}, ${feature.name}: ${attribute} of ${path}, ${JSON.stringify(value)}`,
      )
  })
}

const DOCUMENT = join(import.meta.dirname, '../../docs/exports.md')
const TABLE = /(?<=<!-- table -->\n\n)[^]*?(?=\n<!-- \/table -->)/

test('docs/exports.md has the number of listed losses of each source and target', () => {
  const document = readFileSync(DOCUMENT, 'utf8')
  const updated = document.replace(TABLE, () => lossTable())
  if (process.env.UPDATE_EXPORTS === 'true') writeFileSync(DOCUMENT, updated)
  else assert.equal(document, updated, 'Run this test with UPDATE_EXPORTS=true.')
})

function lossTable(): string {
  const names = TARGETS.map(({ name, format }) => (format === 'sql' ? `SQL: ${name}` : name))
  const rows = [...sources].map(([source, features]) => {
    const counts = TARGETS.map(
      (target) => lossCounts.get(`${source} ${target.format} ${target.name}`) ?? 0,
    )
    return [`${source} (${features.length})`, ...counts]
  })
  const lines = [['source (features)', ...names], names.concat('').map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
