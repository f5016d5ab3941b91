// The model of an asset: the columns of its source with their platform types.

import { nonBlankText, listObjects, listTexts } from '../data-product/fields.ts'
import type { Field, Model } from '../schema/model.ts'
import { plainField, plainModel } from '../schema/plain.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { typedField } from '../schema/types/typed-field.ts'
import { getField, isObject, type ObjectValue, put, asText, type Value } from '../text/value.ts'
import { getModelKind } from './asset.ts'
import { buildAsset } from './read.ts'

/** Gives the model of an asset by its document; origins are places in that. */
export function assetModel(document: Value): Model {
  const asset = buildAsset(document, '')
  const model = plainModel(asset.name, '')
  model.kind = getModelKind(asset.type)
  put(model, 'description', asset.description)
  model.tags = listTexts(getField(document, 'tags'))
  const types = new ColumnTypes(getServerPlatform(asset.source))
  model.fields = getFields(getField(document, 'columns'), '/columns', types)
  setKey(model, document)
  for (const key of listObjects(getField(getField(document, 'custom'), 'foreignKeys'))) {
    relate(model, document, key.item)
  }
  return model
}

// A table has few types, each of many columns.
class ColumnTypes {
  readonly #platform: Platform | undefined
  readonly #natives = new Map<string, NativeType>()

  constructor(platform: Platform | undefined) {
    this.#platform = platform
  }

  read(text: string): NativeType {
    const cached = this.#natives.get(text)
    if (cached !== undefined) return cached
    const native = readNativeType(text, this.#platform)
    this.#natives.set(text, native)
    return native
  }
}

function getFields(columns: Value | undefined, origin: string, types: ColumnTypes): Field[] {
  return listObjects(columns).map(({ item, at }) => {
    const place = `${origin}/${at}`
    return fieldOfColumn(
      item,
      nonBlankText(getField(item, 'name')) ?? `columns[${at}]`,
      place,
      types,
    )
  })
}

function fieldOfColumn(
  column: ObjectValue,
  name: string,
  origin: string,
  types: ColumnTypes,
): Field {
  const field = plainField(name, 'unknown', origin)
  const type = nonBlankText(getField(column, 'type'))
  put(field, 'physicalType', type)
  put(field, 'description', nonBlankText(getField(column, 'description')))
  field.required = getField(column, 'required') === true
  field.unique = getField(column, 'unique') === true
  field.tags = listTexts(getField(column, 'tags'))
  const custom = getField(column, 'custom')
  const baseType = nonBlankText(getField(custom, 'baseType')) ?? type
  if (baseType !== undefined) Object.assign(field, typedField(types.read(baseType), origin))
  setEnum(field, getField(custom, 'enumValues'))
  nest(field, column, types)
  return field
}

// The labels of an enum are texts, regardless of its type name.
function setEnum(field: Field, values: Value | undefined): void {
  if (!Array.isArray(values) || values.length === 0) return
  field.enum = values
  if (field.logicalType === 'unknown') field.logicalType = 'string'
}

// The type of a column is given by its nested columns or, without any, by its type text.
function nest(field: Field, column: ObjectValue, types: ColumnTypes): void {
  const { logicalType, origin } = field
  const isOpen = logicalType === 'unknown'
  const fields = getFields(getField(column, 'properties'), `${origin}/properties`, types)
  if (logicalType === 'map') {
    for (const { name, ...entry } of fields) {
      if (name === 'key') field.keys = { ...entry, name: 'keys' }
      if (name === 'value') field.values = { ...entry, name: 'values' }
    }
  } else if (fields.length > 0 && (isOpen || logicalType === 'object')) {
    field.logicalType = 'object'
    field.fields = fields
  } else if (isOpen || logicalType === 'array') {
    const items = getItems(getField(column, 'items'), `${origin}/items`, types)
    if (items === undefined) return
    field.logicalType = 'array'
    field.items = items
  }
}

function getItems(given: Value | undefined, origin: string, types: ColumnTypes): Field | undefined {
  const [item, place] = Array.isArray(given) ? [given[0], `${origin}/0`] : [given, origin]
  if (!isObject(item)) return undefined
  return fieldOfColumn(item, nonBlankText(getField(item, 'name')) ?? 'items', place, types)
}

// The order of the key is given beside the columns; by default it is that of the columns.
function setKey(model: Model, document: Value): void {
  const byName = new Map(model.fields.map((field) => [field.name, field]))
  const marked = listObjects(getField(document, 'columns'))
    .filter(({ item }) => getField(item, 'primaryKey') === true)
    .flatMap(({ item }) => asText(getField(item, 'name')) ?? [])
  const keyNames = listTexts(getField(getField(document, 'custom'), 'primaryKey'))
  const names = new Set(keyNames.length > 0 ? keyNames : marked)
  model.primaryKey = [...names].filter((name) => byName.has(name))
  model.primaryKey.forEach((name, at) => {
    const field = byName.get(name)
    if (field !== undefined) field.primaryKeyPosition = at + 1
  })
}

// Each column refers to its own counterpart: `customers.id`, or `crm.customers.id` in another schema.
function relate(model: Model, document: Value, key: ObjectValue): void {
  const path = listTexts(getField(key, 'references'))
  const referred = listTexts(getField(key, 'referencedColumns'))
  const table = path.at(-1)
  if (table === undefined) return
  const custom = getField(document, 'custom')
  const here = ['catalog', 'project', 'database', 'dataset', 'schema'].flatMap(
    (level) => nonBlankText(getField(custom, level)) ?? [],
  )
  const there = path.slice(0, -1)
  const shared = there.findIndex((name, at) => name !== here[at])
  const rest = shared === -1 ? [] : there.slice(shared)
  listTexts(getField(key, 'columns')).forEach((name, at) => {
    const column = referred[at]
    const field = model.fields.find((one) => one.name === name)
    if (column === undefined || field === undefined) return
    const reference = [...rest, table, column].join('.')
    if (!field.references.includes(reference)) field.references.push(reference)
  })
}
