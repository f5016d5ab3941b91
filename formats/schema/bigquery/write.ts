// Writes BigQuery's own description of tables, as its API takes it.

import { Losses, inside, type Attribute } from '../losses.ts'
import type { Field, Model, Written } from '../model.ts'
import { splitNamespace } from './namespace.ts'
import { truncate, put, type ObjectValue, type Value } from '../../text/value.ts'
import { legalColumns, legalName } from '../types/legal-name.ts'
import type { Platform } from '../types/native-type.ts'
import { readNativeType } from '../types/read-type.ts'
import { writeNativeType } from '../types/write-type.ts'

/** Writes one model as a table object, several as a list of them, in JSON. */
export function writeBigQuery(
  models: readonly Model[],
  _options: { dialect?: Platform; name: string; id: string },
): Written {
  const losses = new Losses('BigQuery')
  const tables = models.map((model) => writeTable(model, losses))
  const [only] = tables
  const value = tables.length === 1 && only !== undefined ? only : tables
  return { text: `${JSON.stringify(value, null, 2)}\n`, losses: losses.all }
}

function writeTable(model: Model, losses: Losses): Value {
  const { name, kind, description, physicalName } = model
  if (kind !== 'table' && kind !== 'view') losses.add(name, `The ${kind} is written as a table.`)
  if (physicalName !== undefined) {
    losses.add(name, 'The table has its physical name; the other name is not written.')
  }
  if (model.quality.length > 0) losses.add(name, 'BigQuery cannot express the quality checks.')
  losses.addModelTraits(model)
  const tableId = legalName(physicalName ?? name, 'table', 'bigquery')
  if (tableId.problem !== undefined) losses.add(name, tableId.problem)
  const table: ObjectValue = {
    tableReference: { ...writeNamespace(model, losses), tableId: tableId.name },
    type: kind === 'view' ? 'VIEW' : 'TABLE',
  }
  put(table, 'description', cutDescription(description, TABLE_DESCRIPTION_MAX, name, losses))
  const labels = writeLabels(model, losses)
  if (Object.keys(labels).length > 0) table.labels = labels
  const columns = new Map<string, string>()
  const fields = writeFields(model.fields, name, losses, { depth: 1, columns })
  table.schema = { fields }
  put(table, 'tableConstraints', writeConstraints(model, columns, losses))
  return table
}

function writeNamespace({ name, namespace, database }: Model, losses: Losses): ObjectValue {
  if (namespace === undefined) return {}
  const { project = database, dataset, problem } = splitNamespace(namespace)
  if (problem !== undefined) losses.add(name, problem)
  return project === undefined ? { datasetId: dataset } : { projectId: project, datasetId: dataset }
}

const LABEL = /^([\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62})(?::([\p{Ll}\p{Lo}\p{N}_-]{1,63}))?$/u

function writeLabels({ name, tags }: Model, losses: Losses): ObjectValue {
  const labels = new Map<string, Value>()
  for (const tag of tags) {
    const [, key, label = ''] = LABEL.exec(tag) ?? []
    if (key === undefined || labels.has(key)) {
      losses.add(name, `The tag "${tag}" is not a label of BigQuery.`)
    } else labels.set(key, label)
  }
  return Object.fromEntries(labels)
}

function writeConstraints(
  model: Model,
  columns: ReadonlyMap<string, string>,
  losses: Losses,
): Value | undefined {
  const { name, primaryKey } = model
  const constraints: ObjectValue = {}
  const key = primaryKey.map((field) => columns.get(field) ?? field)
  if (key.some((column, at) => column !== primaryKey[at])) {
    losses.add(name, 'The primary key names its fields by their names in BigQuery.')
  }
  if (key.length > 0) constraints.primaryKey = { columns: key }
  const foreignKeys = listForeignKeys(model, columns, losses)
  if (foreignKeys.length > 0) constraints.foreignKeys = foreignKeys
  return Object.keys(constraints).length === 0 ? undefined : constraints
}

// Foreign keys of several fields, and the references of single fields that are in none of them.
function listForeignKeys(
  model: Model,
  columns: ReadonlyMap<string, string>,
  losses: Losses,
): Value[] {
  const joint = model.foreignKeys ?? []
  const covered = new Set(
    joint.flatMap(({ fields, references }) => fields.map((one, at) => `${one}\n${references[at]}`)),
  )
  const single = model.fields.flatMap(({ name, references }) =>
    references
      .filter((reference) => !covered.has(`${name}\n${reference}`))
      .map((reference) => ({ fields: [name], references: [reference] })),
  )
  return [...joint, ...single].flatMap(({ fields, references }): Value[] => {
    const targets = references.map((reference) => readTarget(reference, model.namespace))
    const [first] = targets
    for (const [at, target] of targets.entries()) {
      if (target !== undefined) continue
      const path = `${model.name}.${fields[at] ?? ''}`
      losses.add(path, `BigQuery cannot refer to "${references[at]}".`)
    }
    if (first === undefined || targets.includes(undefined)) return []
    const columnReferences = targets.map((target, at) => ({
      referencingColumn: columns.get(fields[at] ?? '') ?? fields[at] ?? '',
      referencedColumn: target?.column ?? '',
    }))
    return [{ referencedTable: first.table, columnReferences }]
  })
}

function readTarget(
  reference: string,
  namespace: string | undefined,
): { table: ObjectValue; column: string } | undefined {
  const path = reference.split('.')
  const column = path.pop() ?? ''
  const tableId = path.pop()
  const isValid = path.length <= 2 && [...path, tableId, column].every(isPlainName)
  if (tableId === undefined || !isValid) return undefined
  const dataset = path.length === 0 ? toDataset(namespace) : toDataset(path.join('.'))
  return { table: { ...dataset, tableId }, column }
}

function isPlainName(name: string | undefined): boolean {
  return name !== undefined && /^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]+$/u.test(name)
}

function toDataset(namespace: string | undefined): ObjectValue {
  if (namespace === undefined) return {}
  const { project, dataset } = splitNamespace(namespace)
  return project === undefined ? { datasetId: dataset } : { projectId: project, datasetId: dataset }
}

const COVERED: readonly Attribute[] = [
  'physicalName',
  'description',
  'maxLength',
  'precision',
  'scale',
  'format',
]

const COLUMN_DESCRIPTION_MAX = 1024
const TABLE_DESCRIPTION_MAX = 16_384

function cutDescription(
  description: string | undefined,
  max: number,
  path: string,
  losses: Losses,
): string | undefined {
  if (description === undefined || description.length <= max) return description
  losses.add(path, `The description is cut after ${max} characters.`)
  return truncate(description, max)
}

/** Records are nested at most this deep. */
const DEPTH_MAX = 15

/** The record that fields are in. `columns` collects the names of a table's columns by those of its fields. */
interface Around {
  depth: number
  columns?: Map<string, string>
}

function writeFields(
  fields: readonly Field[],
  path: string,
  losses: Losses,
  around: Around,
): ObjectValue[] {
  const preferred = fields.map(({ name, physicalName }) => physicalName ?? name)
  const names = legalColumns(preferred, 'bigquery')
  return fields.map((field, at) => {
    const { name = field.name, problem } = names[at] ?? {}
    const fieldPath = `${path}.${field.name}`
    if (problem !== undefined) losses.add(fieldPath, problem)
    around.columns?.set(field.name, name)
    return writeField(field, name, fieldPath, losses, around)
  })
}

const COVERED_IN_COLUMNS: readonly Attribute[] = [...COVERED, 'references', 'primaryKeyPosition']

function writeField(
  field: Field,
  name: string,
  path: string,
  losses: Losses,
  { depth, columns }: Around,
): ObjectValue {
  const covered = new Set(columns === undefined ? COVERED : COVERED_IN_COLUMNS)
  const written: ObjectValue = { name }
  if (field.physicalName !== undefined) {
    losses.add(path, 'The field has its physical name; the other name is not written.')
  }
  const { items } = field
  // BigQuery has no list that holds lists.
  const isRepeated =
    field.logicalType === 'array' && items !== undefined && items.items === undefined
  if (isRepeated) {
    if (field.required) losses.add(path, 'BigQuery cannot express whether a list is required.')
    Object.assign(written, writeItems(items, inside.items(path), losses, depth), {
      mode: 'REPEATED',
    })
  } else {
    Object.assign(written, writeType(field, path, losses, depth))
    written.mode = field.required ? 'REQUIRED' : 'NULLABLE'
  }
  const description = cutDescription(field.description, COLUMN_DESCRIPTION_MAX, path, losses)
  put(written, 'description', description)
  if (field.classification?.startsWith('projects/') === true) {
    written.policyTags = { names: [field.classification] }
    covered.add('classification')
  }
  losses.addUncovered(field, path, covered)
  return written
}

function writeItems(items: Field, path: string, losses: Losses, depth: number): ObjectValue {
  if (!items.required) losses.add(path, 'A list of BigQuery contains no nulls.')
  losses.addUncovered(
    items,
    path,
    new Set<Attribute>(['maxLength', 'precision', 'scale', 'format']),
  )
  return writeType(items, path, losses, depth)
}

function writeType(field: Field, path: string, losses: Losses, depth: number): ObjectValue {
  if (field.fields !== undefined && field.fields.length > 0 && depth < DEPTH_MAX) {
    return {
      type: 'RECORD',
      fields: writeFields(field.fields, path, losses, { depth: depth + 1 }),
    }
  }
  // Maps, lists of lists, and records without fields or too deep have no type here but JSON.
  const isRange = field.format === 'range' && field.items !== undefined
  const isNested =
    !isRange && [field.items, field.keys, field.fields].some((inner) => inner !== undefined)
  if (isNested) losses.add(path, 'BigQuery stores this as JSON; what it holds is not written.')
  const { text, losses: messages } = writeNativeType(
    isNested ? withoutInner(field) : field,
    'bigquery',
  )
  for (const message of messages) losses.add(path, message)
  const range = /^RANGE<(\w+)>$/.exec(text)?.[1]
  if (range !== undefined) return { type: 'RANGE', rangeElementType: { type: range } }
  const native = readNativeType(text, 'bigquery')
  const [type = text] = text.split('(')
  const value: ObjectValue = { type }
  put(value, 'maxLength', native.maxLength?.toString())
  if (text.includes(',')) {
    put(value, 'precision', native.precision?.toString())
    put(value, 'scale', native.scale?.toString())
  }
  return value
}

function withoutInner({
  items: _items,
  keys: _keys,
  values: _values,
  fields: _fields,
  physicalType: _physicalType,
  ...field
}: Field): Field {
  return field
}
