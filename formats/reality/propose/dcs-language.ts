import { dcsLogicalType } from '../../data-contract/dcs/field.ts'
import type { Field, LogicalType } from '../../schema/model.ts'
import type { TextEdit } from '../../text/edit/text-edit.ts'
import { asText, getField, isObject, type ObjectValue } from '../../text/value.ts'
import {
  type ContractLanguage,
  type KeyPosition,
  type Members,
  setMembers,
  type TypeUse,
  type WrittenPart,
  type WrittenField,
} from './language.ts'

const ORDER = [
  'title',
  'type',
  'format',
  'description',
  'required',
  'unique',
  'primaryKey',
  'classification',
  'fields',
  'items',
  'keys',
  'values',
  'config',
]

const NESTED = ['fields', 'items', 'keys', 'values'] as const

// https://datacontract-specification.com/#data-types
const WORDS: Readonly<Record<Exclude<LogicalType, 'unknown' | 'vector'>, string>> = {
  string: 'string',
  integer: 'long',
  number: 'decimal',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  object: 'object',
  array: 'array',
  map: 'map',
  binary: 'bytes',
}

/** Writes changes of a DCS document, whose models and fields are members by name. */
export const DCS: ContractLanguage = {
  setRequired: (at, isRequired) => setMembers(at, { required: isRequired }, ORDER),
  setUnique: (at, isUnique) => setMembers(at, { unique: isUnique }, ORDER),
  setClassification: (at, classification) => setMembers(at, { classification }, ORDER),
  setKind: (model, kind) => setMembers(model, { type: kind }, ORDER),
  setType,
  setKey,
  removeField,
  addField,
}

// A model may list the names of its key; otherwise each field has a mark, in their order.
function setKey(
  model: WrittenPart,
  fields: readonly { at: WrittenField; position: KeyPosition }[],
  key: readonly string[],
): TextEdit[] {
  if (hasKeyList(model)) {
    return setMembers(model, { primaryKey: key.length === 0 ? undefined : [...key] }, ORDER)
  }
  return fields.flatMap(({ at, position }) => {
    if (position !== undefined) return setMembers(at, { primaryKey: true }, ORDER)
    return setMembers(at, { primaryKey: undefined, primary: undefined }, ORDER)
  })
}

function hasKeyList({ raw }: WrittenPart): boolean {
  const key = raw['primaryKey']
  return Array.isArray(key) && key.length > 0
}

function removeField(model: WrittenPart, { path, field }: WrittenField): TextEdit[] {
  const key = model.raw['primaryKey']
  const at =
    Array.isArray(key) && path.length === model.path.length + 2 ? key.indexOf(field.name) : -1
  return [
    { kind: 'remove', path },
    ...(at === -1 ? [] : [{ kind: 'remove' as const, path: [...model.path, 'primaryKey', at] }]),
  ]
}

function addField(
  inside: WrittenPart,
  column: Field,
  use: TypeUse,
  position: KeyPosition,
): TextEdit[] | undefined {
  const value = writeField(column, use)
  if (value === undefined) return undefined
  if (position !== undefined && !hasKeyList(inside)) value['primaryKey'] = true
  return [{ kind: 'set', path: [...inside.path, 'fields', column.name], value, order: [] }]
}

function setType(at: WrittenField, column: Field, use: TypeUse): TextEdit[] | undefined {
  const { raw, field } = at
  const { physicalType } = column
  const type = asText(raw['type'])
  const config = getField(raw, 'config')
  const native = isObject(config)
    ? Object.keys(config).find((key) => key.endsWith('Type') && config[key] === field.physicalType)
    : undefined
  const edits: TextEdit[] = []
  if (native !== undefined && use.hasPhysical && physicalType !== undefined) {
    edits.push({ kind: 'set', path: [...at.path, 'config', native], value: physicalType })
    if (use.holds(dcsLogicalType(type) ?? 'unknown', column)) return edits
  }
  const isWord = type === undefined || dcsLogicalType(type) !== undefined
  if (!isWord && use.hasPhysical && physicalType !== undefined) {
    return [...edits, ...setMembers(at, { type: physicalType }, ORDER)]
  }
  const written = writeField(column, use)
  if (written === undefined) return edits.length === 0 ? undefined : edits
  const members: Members = { type: written['type'] }
  for (const name of NESTED) members[name] = written[name]
  return [...edits, ...setMembers(at, members, ORDER)]
}

// Undefined if the standard has no word for its type.
function writeField(column: Field, use: TypeUse): ObjectValue | undefined {
  const { logicalType, withTimeZone, physicalType, description } = column
  const word =
    logicalType === 'unknown' || logicalType === 'vector'
      ? use.hasPhysical
        ? physicalType
        : undefined
      : logicalType === 'timestamp' && withTimeZone === false
        ? 'timestamp_ntz'
        : WORDS[logicalType]
  if (word === undefined) return undefined
  const value: ObjectValue = { type: word }
  if (description !== undefined) value['description'] = description
  if (column.required) value['required'] = true
  if (column.unique) value['unique'] = true
  if (column.fields !== undefined && logicalType === 'object') {
    const fields = column.fields.map((one) => [one.name, writeField(one, use)] as const)
    value['fields'] = Object.fromEntries(
      fields.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])),
    )
  }
  for (const part of ['items', 'keys', 'values'] as const) {
    const inner = column[part]
    const written = inner === undefined ? undefined : writeField(inner, use)
    if (written !== undefined) value[part] = written
  }
  return value
}
