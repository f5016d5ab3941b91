// Helpers for specifications: a text or a value in a document, and warnings with locations.

import assert from 'node:assert/strict'
import { readText } from '../formats/text/text.ts'
import { Notes } from '../formats/text/problem.ts'
import type { Field, Model } from '../formats/schema/model.ts'
import { Specification } from '../formats/schema/specification.ts'
import { getField, type Value } from '../formats/text/value.ts'

export interface Outcome {
  models: Model[]
  warnings: string[]
}

/** Reads a specification at `s` in a JSON document; warnings are `line:column field message`. */
export function readIn(given: Value, read: (specification: Specification) => Model[]): Outcome {
  const source = readText(JSON.stringify({ s: given }, null, 1), 'application/json')
  assert.ok(source.ok, JSON.stringify(source))
  const notes = new Notes(source)
  const models = read(new Specification(getField(source.value, 's') ?? null, ['s'], notes))
  const warnings = notes.warnings.map(
    ({ line, column, field, message }) => `${line}:${column} ${field} ${message}`,
  )
  return { models, warnings }
}

/**
 * Returns the short form of fields: `id! integer(int32)`, `lines [object {sku string}]`; `!` means
 * required.
 */
export function summarizeFields(fields: readonly Field[]): string {
  return fields.map((field) => `${field.name}${summarizeType(field)}`).join(', ')
}

function summarizeType({ required, logicalType, format, references, ...field }: Field): string {
  const formatText = format === undefined ? '' : `(${format})`
  const refers = references.length === 0 ? '' : ` → ${references.join()}`
  const fields = field.fields === undefined ? '' : ` {${summarizeFields(field.fields)}}`
  const items = field.items === undefined ? '' : ` [${summarizeType(field.items).trim()}]`
  const values = field.values === undefined ? '' : ` <${summarizeType(field.values).trim()}>`
  return `${required ? '!' : ''} ${logicalType}${formatText}${refers}${fields}${items}${values}`
}

/** Hostile input may take this many times as long as the fixed work of `measureMachine`. */
const SOON_FACTOR = 8

/**
 * Checks that work does not take much longer than the size of its input explains, on a machine of any
 * speed.
 */
export function assertSoon(work: () => void): void {
  machineTime ??= measureMachine()
  const time = processorTime(work)
  const limit = machineTime * SOON_FACTOR
  assert.ok(time < limit, `${time} ms of processor time, with a limit of ${limit} ms`)
}

let machineTime: number | undefined

// Uses only functions of the runtime, whose speed does not depend on previous tests.
function measureMachine(): number {
  const texts = Array.from({ length: 200_000 }, (_, at) => `text ${(at * 7919) % 200_003}`)
  return processorTime(() => JSON.parse(JSON.stringify(texts.toSorted())))
}

// Returns milliseconds, of all threads of this process.
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}
