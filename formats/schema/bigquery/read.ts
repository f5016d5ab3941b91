// BigQuery's own description of a table, as its API and `bq show` give it: a table resource, a list of them, or only
// the fields. https://cloud.google.com/bigquery/docs/reference/rest/v2/tables

import { getField, isObject, type ObjectValue, put, asText, type Value } from '../../text/value.ts'
import { FieldBudget, WRITTEN_FIELDS } from '../field-budget.ts'
import type { Field, Model, ModelKind } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import type { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'
import type { Platform } from '../types/native-type.ts'
import { readNativeType } from '../types/read-type.ts'
import { typedField } from '../types/typed-field.ts'
import { addUnreadParts } from '../unanalyzed.ts'
import { addTableTraits, fieldTraits } from './traits.ts'

const KINDS: ReadonlyMap<string, ModelKind> = new Map<string, ModelKind>([
  ['VIEW', 'view'],
  ['MATERIALIZED_VIEW', 'view'],
])

/** The name of a table that is only given by its fields. */
const NAMELESS = 'table'

/** Reads tables of BigQuery: a table object, a list of them, or only fields. */
export function readBigQuery(
  specification: Specification,
  _options: { platform?: Platform } = {},
): Model[] {
  const value = specification.value()
  if (value === undefined) return []
  return addUnreadParts(new Reader(Spot.top(specification)).models(value), specification)
}

class Reader {
  readonly #top: Spot
  readonly #budget = new FieldBudget(WRITTEN_FIELDS)

  constructor(top: Spot) {
    this.#top = top
  }

  models(value: Value): Model[] {
    if (isFields(value)) return [this.#bare(value, this.#top)]
    if (Array.isArray(value)) {
      return value.flatMap((item, at) => this.#table(item, this.#top.at(at)))
    }
    if (getTableId(value) === undefined) {
      const schema = getField(value, 'schema')
      const spot = isObject(schema) ? this.#top.at('schema') : this.#top
      const fields = getField(isObject(schema) ? schema : value, 'fields')
      if (Array.isArray(fields)) {
        const model = this.#bare(fields, spot.at('fields'))
        if (isObject(value) && isObject(schema)) addTableTraits(value, model)
        return [model]
      }
    }
    return this.#table(value, this.#top)
  }

  #bare(fields: Value[], spot: Spot): Model {
    const model = { ...plainModel(NAMELESS, spot.origin), kind: 'table' as const }
    spot.warning(`The fields have no table; wrap them in an object with "tableReference".`)
    return { ...model, fields: this.#fields(fields, spot, 1) }
  }

  #table(value: Value, spot: Spot): Model[] {
    const name = getTableId(value)
    if (!isObject(value) || name === undefined) {
      spot.unread(value, 'This is not a table: it has no "tableReference" with a "tableId".')
      return []
    }
    const model: Model = { ...plainModel(name, spot.origin), kind: getKind(value) }
    put(model, 'namespace', getNamespace(value))
    put(model, 'description', asText(getField(value, 'description')))
    const labels = getField(value, 'labels')
    if (isObject(labels))
      model.tags = Object.entries(labels).map(([key, label]) => getTag(key, label))
    const fields = getField(getField(value, 'schema'), 'fields')
    if (Array.isArray(fields)) {
      model.fields = this.#fields(fields, spot.at('schema').at('fields'), 1)
    } else spot.unread(value, 'The table has no fields: "schema.fields" is missing.')
    readKeys(getField(value, 'tableConstraints'), model)
    addTableTraits(value, model)
    return [model]
  }

  #fields(values: readonly Value[], spot: Spot, depth: number): Field[] {
    const fields: Field[] = []
    if (!this.#budget.reaches(depth, (message) => spot.warning(message))) return fields
    for (const [at, value] of values.entries()) {
      const here = spot.at(at)
      if (!this.#budget.take((message) => here.warning(message))) break
      const name = asText(getField(value, 'name'))
      if (!isObject(value) || name === undefined)
        here.unread(value, 'A field needs a "name" that is a text.')
      else fields.push(this.#field(name, value, here, depth))
    }
    return fields
  }

  #field(name: string, value: ObjectValue, spot: Spot, depth: number): Field {
    const typed = this.#typed(name, value, spot, depth)
    const mode = asText(getField(value, 'mode'))?.toUpperCase()
    const properties: Partial<Field> = mode === 'REQUIRED' ? { required: true } : {}
    put(properties, 'description', nonEmptyText(getField(value, 'description')))
    const policyTags = getField(getField(value, 'policyTags'), 'names')
    put(properties, 'classification', nonEmptyText(getFirst(policyTags)))
    put(properties, 'traits', fieldTraits(value, mode))
    if (mode !== 'REPEATED') return { ...typed, ...properties }
    // A list that is stored holds no nulls.
    const items: Field = { ...typed, name: 'items', required: true }
    const physicalType = `ARRAY<${typed.physicalType ?? ''}>`
    return { ...plainField(name, 'array', spot.origin), physicalType, items, ...properties }
  }

  #typed(name: string, value: ObjectValue, spot: Spot, depth: number): Field {
    const type = asText(getField(value, 'type')) ?? ''
    const native = readNativeType(`${type}${getParameters(value)}`, 'bigquery')
    const field: Field = {
      ...plainField(name, native.logicalType, spot.origin),
      physicalType: native.text,
      ...typedField(native, spot.origin),
    }
    const inner = getField(value, 'fields')
    if (Array.isArray(inner)) field.fields = this.#fields(inner, spot.at('fields'), depth + 1)
    else if (type === '' || native.logicalType === 'unknown') {
      spot.warning(`"type" is not a type of BigQuery; write one such as "STRING".`)
    }
    return field
  }
}

function isFields(value: Value): value is Value[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) => asText(getField(item, 'name')) !== undefined && getTableId(item) === undefined,
    )
  )
}

// The API's id is `project:dataset.table`.
function getTableId(value: Value): string | undefined {
  const id = asText(getField(getField(value, 'tableReference'), 'tableId'))
  if (id !== undefined) return id
  const whole = asText(getField(value, 'id'))
  return whole?.includes(':') === true ? whole.slice(whole.lastIndexOf('.') + 1) : undefined
}

function getNamespace(value: Value): string | undefined {
  const reference = getField(value, 'tableReference')
  const parts = ['projectId', 'datasetId'].map((name) => asText(getField(reference, name)))
  const names = parts.filter((part) => part !== undefined && part !== '')
  return names.length === 0 ? undefined : names.join('.')
}

function getKind(value: Value): ModelKind {
  return KINDS.get(asText(getField(value, 'type')) ?? '') ?? 'table'
}

function getTag(key: string, label: Value): string {
  return typeof label === 'string' && label !== '' ? `${key}:${label}` : key
}

function nonEmptyText(value: Value | undefined): string | undefined {
  return asText(value) === '' ? undefined : asText(value)
}

function getFirst(value: Value | undefined): Value | undefined {
  return Array.isArray(value) ? value[0] : undefined
}

// The API gives 64-bit numbers as texts.
function getParameters(value: ObjectValue): string {
  const range = asText(getField(getField(value, 'rangeElementType'), 'type'))
  if (range !== undefined) return `<${range}>`
  const given = ['maxLength', 'precision', 'scale'].map((name) => {
    const number = getField(value, name)
    return typeof number === 'string' || typeof number === 'number' ? String(number) : ''
  })
  const [length = '', precision = '', scale = ''] = given
  if (/^\d+$/.test(length)) return `(${length})`
  if (!/^\d+$/.test(precision)) return ''
  return /^\d+$/.test(scale) ? `(${precision},${scale})` : `(${precision})`
}

function readKeys(constraints: Value | undefined, model: Model): void {
  const byName = new Map(model.fields.map((field) => [field.name, field]))
  const columns = getField(getField(constraints, 'primaryKey'), 'columns')
  const key = Array.isArray(columns) ? columns.map((name) => byName.get(asText(name) ?? '')) : []
  for (const [at, field] of key.entries()) {
    if (field === undefined) continue
    model.primaryKey.push(field.name)
    field.primaryKeyPosition = at + 1
  }
  const foreignKeys = getField(constraints, 'foreignKeys')
  for (const foreignKey of Array.isArray(foreignKeys) ? foreignKeys : []) {
    const table = referredTable(getField(foreignKey, 'referencedTable'), model.namespace)
    const references = getField(foreignKey, 'columnReferences')
    const key = { fields: new Array<string>(), references: new Array<string>() }
    for (const reference of Array.isArray(references) ? references : []) {
      const field = byName.get(asText(getField(reference, 'referencingColumn')) ?? '')
      const target = `${table}.${asText(getField(reference, 'referencedColumn')) ?? ''}`
      field?.references.push(target)
      key.fields.push(field?.name ?? '')
      key.references.push(target)
    }
    const isJoint = key.fields.length > 1 && !key.fields.includes('')
    if (isJoint) model.foreignKeys = [...(model.foreignKeys ?? []), key]
  }
}

// A table in the same dataset is referred to by its name.
function referredTable(table: Value | undefined, namespace: string | undefined): string {
  const [project, dataset, id] = ['projectId', 'datasetId', 'tableId'].map((name) =>
    asText(getField(table, name)),
  )
  const prefix = [project, dataset].filter((part) => part !== undefined && part !== '').join('.')
  return prefix === '' || prefix === namespace ? (id ?? '') : `${prefix}.${id ?? ''}`
}
