// Compares example data with the models of a data contract.

import type { Field, LogicalType, Model } from '../schema/model.ts'
import { clip, ExactNumber, isObject, jsonText, type Value } from '../text/value.ts'

/** The maximum number of sentences about one set of example data. */
export const EXAMPLE_WARNINGS_MAX = 20

/** Example data with the model that its document names; undefined = the document names none. */
interface ExampleData {
  schemaName: string | undefined
  data: Value
}

/** A difference between rows and a field, with the number of rows that have it. */
type Counts = Map<string, number>

/**
 * Returns a sentence for each difference between example data and the models of its contract: unknown models and columns,
 * missing required columns, and values that do not fit their type, their enum or their length. Columns are named with
 * their path. At most 20 sentences; patterns are not executed.
 */
export function checkExampleRows(models: readonly Model[], example: ExampleData): string[] {
  const warnings = listTables(example).flatMap(({ name, rows }) => {
    const model = findModel(models, name)
    if (model !== undefined) return checkTable(model, rows)
    if (name === undefined || models.length === 0) return []
    const known = models.map((one) => one.name).join(', ')
    return [`The data contract has no model "${clip(name)}". It has: ${clip(known, 300)}.`]
  })
  return warnings.slice(0, EXAMPLE_WARNINGS_MAX)
}

// A list has a row for each item; an object with only lists has a table for each of them; another object is one row.
function listTables({
  schemaName,
  data,
}: ExampleData): { name: string | undefined; rows: readonly Value[] }[] {
  if (Array.isArray(data)) return [{ name: schemaName, rows: data }]
  if (!isObject(data)) return []
  const entries = Object.entries(data)
  const lists = entries.flatMap(([name, rows]) => (Array.isArray(rows) ? [{ name, rows }] : []))
  const isOneRow = schemaName !== undefined || lists.length === 0 || lists.length < entries.length
  return isOneRow ? [{ name: schemaName, rows: [data] }] : lists
}

function findModel(models: readonly Model[], name: string | undefined): Model | undefined {
  if (name === undefined) return models.length === 1 ? models[0] : undefined
  return (
    models.find((model) => model.name === name) ??
    models.find((model) => model.physicalName === name)
  )
}

function checkTable({ name, fields }: Model, rows: readonly Value[]): string[] {
  const counts: Counts = new Map()
  for (const row of rows) {
    for (const difference of new Set(checkRow(fields, row, ''))) {
      counts.set(difference, (counts.get(difference) ?? 0) + 1)
    }
  }
  return [...counts].map(
    ([difference, count]) =>
      `${difference} Model "${clip(name)}", ${count === 1 ? '1 row' : `${count} rows`}.`,
  )
}

function checkRow(fields: readonly Field[], row: Value, prefix: string): string[] {
  if (!isObject(row)) return [`A row${prefix === '' ? '' : ` of ${prefix}`} is not an object.`]
  const known = new Map(fields.flatMap((field) => listNames(field).map((name) => [name, field])))
  const unknown = Object.keys(row).filter((name) => !known.has(name))
  return [
    ...unknown.map((name) => `Column ${quote(prefix, name)} is not in the data contract.`),
    ...fields.flatMap((field) => {
      const name = listNames(field).find((one) => Object.hasOwn(row, one)) ?? field.name
      const value = Object.hasOwn(row, name) ? row[name] : undefined
      return checkValue(field, value, quote(prefix, name))
    }),
  ]
}

function listNames({ name, physicalName }: Field): string[] {
  return physicalName === undefined ? [name] : [name, physicalName]
}

function checkValue(field: Field, value: Value | undefined, path: string): string[] {
  if (value === undefined) {
    return field.required ? [`Required column ${path} is missing.`] : []
  }
  if (value === null) return field.required ? [`Required column ${path} is null.`] : []
  if (!isOfType(field.logicalType, value)) {
    const shown = clip(jsonText(value), 40)
    return [`Column ${path} has the value ${shown}, which is not of the type ${field.logicalType}.`]
  }
  return [...checkLimits(field, value, path), ...checkParts(field, value, path)]
}

function checkLimits({ enum: values, maxLength }: Field, value: Value, path: string): string[] {
  const text = jsonText(value)
  const isAllowed = values === undefined || values.some((one) => jsonText(one) === text)
  const isShort = typeof value !== 'string' || maxLength === undefined || value.length <= maxLength
  return [
    ...(isAllowed
      ? []
      : [
          `Column ${path} has the value ${clip(text, 40)}, which is not one of the allowed values.`,
        ]),
    ...(isShort ? [] : [`Column ${path} has more than ${maxLength} characters.`]),
  ]
}

function checkParts({ fields, items }: Field, value: Value, path: string): string[] {
  const prefix = path.slice(1, -1)
  if (isObject(value) && fields !== undefined) return checkRow(fields, value, prefix)
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item) =>
      items.fields === undefined
        ? checkValue(items, item, path)
        : checkRow(items.fields, item, prefix),
    )
  }
  return []
}

function quote(prefix: string, name: string): string {
  return `"${prefix === '' ? '' : `${prefix}.`}${clip(name)}"`
}

function isOfType(type: LogicalType, value: Value): boolean {
  switch (type) {
    case 'string':
    case 'date':
    case 'time':
    case 'timestamp':
      return typeof value === 'string'
    case 'integer':
      return typeof value === 'number' ? Number.isInteger(value) : value instanceof ExactNumber
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
    case 'vector':
      return Array.isArray(value)
    case 'object':
    case 'map':
      return isObject(value)
    case 'binary':
    case 'unknown':
      return true
  }
}
