// Writing of BigQuery's own description of tables, as its API takes it.

import { Losses, inside, type Attribute } from './losses.ts'
import type { Field, Model, Written } from './model.ts'
import { put, type ObjectValue, type Value } from '../value.ts'
import type { Platform } from './types/native-type.ts'
import { readNativeType } from './types/read-type.ts'
import { writeNativeType } from './types/write-type.ts'

/** Writes one model as a table object, several as a list of them, in JSON. */
export function writeBigQuery(
  models: readonly Model[],
  _options: { dialect?: Platform; name: string; id: string },
): Written {
  const losses = new Losses('BigQuery')
  const tables = models.map((model) => tableOf(model, losses))
  const [only] = tables
  const value = tables.length === 1 && only !== undefined ? only : tables
  return { text: `${JSON.stringify(value, null, 2)}\n`, losses: losses.all }
}

function tableOf(model: Model, losses: Losses): Value {
  const { name, kind, description, physicalName } = model
  if (kind !== 'table' && kind !== 'view') losses.add(name, `A ${kind} is written as a table.`)
  if (physicalName !== undefined) {
    losses.add(name, 'The table has its physical name; the other name is not told.')
  }
  if (model.quality.length > 0) losses.add(name, 'BigQuery cannot say the quality checks.')
  const table: ObjectValue = {
    tableReference: { ...namespaceOf(model, losses), tableId: physicalName ?? name },
    type: kind === 'view' ? 'VIEW' : 'TABLE',
  }
  put(table, 'description', description)
  const labels = labelsOf(model, losses)
  if (Object.keys(labels).length > 0) table.labels = labels
  table.schema = {
    fields: distinct(model.fields, name, losses).map((field) => topField(field, name, losses)),
  }
  put(table, 'tableConstraints', constraintsOf(model, losses))
  return table
}

function namespaceOf({ name, namespace }: Model, losses: Losses): ObjectValue {
  if (namespace === undefined) return {}
  const at = namespace.lastIndexOf('.')
  const [project, dataset] = [namespace.slice(0, Math.max(at, 0)), namespace.slice(at + 1)]
  if (dataset === '' || (at !== -1 && project === '')) {
    losses.add(name, 'BigQuery cannot say this namespace.')
    return {}
  }
  return at === -1 ? { datasetId: dataset } : { projectId: project, datasetId: dataset }
}

const LABEL = /^([\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62})(?::([\p{Ll}\p{Lo}\p{N}_-]{1,63}))?$/u

function labelsOf({ name, tags }: Model, losses: Losses): ObjectValue {
  const labels = new Map<string, Value>()
  for (const tag of tags) {
    const [, key, label = ''] = LABEL.exec(tag) ?? []
    if (key === undefined || labels.has(key)) {
      losses.add(name, `The tag “${tag}” is no label of BigQuery.`)
    } else labels.set(key, label)
  }
  return Object.fromEntries(labels)
}

function constraintsOf({ name, primaryKey, fields }: Model, losses: Losses): Value | undefined {
  const constraints: ObjectValue = {}
  const isRenamed = fields.some((field) => isKeyOf(primaryKey, field) && field.physicalName)
  if (isRenamed) losses.add(name, 'The key names its fields by their physical names.')
  if (primaryKey.length > 0) constraints.primaryKey = { columns: primaryKey.map(nameIn(fields)) }
  const foreignKeys = fields.flatMap((field) =>
    field.references.flatMap((reference): Value[] => {
      const at = reference.lastIndexOf('.')
      if (at === -1) {
        losses.add(`${name}.${field.name}`, `BigQuery cannot refer to “${reference}”.`)
        return []
      }
      const columnReference = {
        referencingColumn: field.physicalName ?? field.name,
        referencedColumn: reference.slice(at + 1),
      }
      const referencedTable = { tableId: reference.slice(0, at) }
      return [{ referencedTable, columnReferences: [columnReference] }]
    }),
  )
  if (foreignKeys.length > 0) constraints.foreignKeys = foreignKeys
  return Object.keys(constraints).length === 0 ? undefined : constraints
}

function isKeyOf(primaryKey: readonly string[], { name }: Field): boolean {
  return primaryKey.includes(name)
}

// BigQuery does not look at the case of letters in names.
function distinct(fields: readonly Field[], path: string, losses: Losses): Field[] {
  const names = new Set<string>()
  return fields.filter((field) => {
    const size = names.size
    const isNew = names.add((field.physicalName ?? field.name).toLowerCase()).size > size
    if (!isNew) {
      losses.add(`${path}.${field.name}`, 'Another field has the same name; this one is left out.')
    }
    return isNew
  })
}

function nameIn(fields: readonly Field[]): (name: string) => string {
  const physical = new Map(fields.map((field) => [field.name, field.physicalName ?? field.name]))
  return (name) => physical.get(name) ?? name
}

const SAID: readonly Attribute[] = [
  'physicalName',
  'description',
  'maxLength',
  'precision',
  'scale',
  'format',
]

function topField(field: Field, model: string, losses: Losses): Value {
  return fieldValue(field, `${model}.${field.name}`, losses, ['references', 'primaryKeyPosition'])
}

function fieldValue(
  field: Field,
  path: string,
  losses: Losses,
  alsoSaid: readonly Attribute[] = [],
): ObjectValue {
  const said = new Set([...SAID, ...alsoSaid])
  const written: ObjectValue = { name: field.physicalName ?? field.name }
  if (field.physicalName !== undefined) {
    losses.add(path, 'The field has its physical name; the other name is not told.')
  }
  const { items } = field
  // BigQuery has no list that holds lists.
  const isRepeated = items !== undefined && items.items === undefined
  if (isRepeated) {
    if (field.required) losses.add(path, 'Whether a list is required cannot be said.')
    Object.assign(written, held(items, inside.items(path), losses), { mode: 'REPEATED' })
  } else {
    Object.assign(written, typeValue(field, path, losses))
    written.mode = field.required ? 'REQUIRED' : 'NULLABLE'
  }
  put(written, 'description', field.description)
  if (field.classification?.startsWith('projects/') === true) {
    written.policyTags = { names: [field.classification] }
    said.add('classification')
  }
  losses.unsaid(field, path, said)
  return written
}

function held(items: Field, path: string, losses: Losses): ObjectValue {
  if (!items.required) losses.add(path, 'A list of BigQuery holds no nulls.')
  losses.unsaid(items, path, new Set<Attribute>(['maxLength', 'precision', 'scale', 'format']))
  return typeValue(items, path, losses)
}

function typeValue(field: Field, path: string, losses: Losses): ObjectValue {
  if (field.fields !== undefined && field.fields.length > 0) {
    const inner = distinct(field.fields, path, losses)
    const fields = inner.map((one) => fieldValue(one, `${path}.${one.name}`, losses))
    return { type: 'RECORD', fields }
  }
  // A map has no type of its own here, and neither has a list of lists.
  const { text, losses: messages } = writeNativeType(withoutInner(field), 'bigquery')
  const isHolding = [field.items, field.keys, field.fields].some((inner) => inner !== undefined)
  if (isHolding) losses.add(path, 'What it holds cannot be said in JSON of BigQuery.')
  for (const message of messages) losses.add(path, message)
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
  ...field
}: Field): Field {
  return field
}
