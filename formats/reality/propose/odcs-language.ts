import { OdcsWriter } from '../../data-contract/odcs/write.ts'
import { parseLogicalType } from '../../data-contract/model-parts.ts'
import type { Field, LogicalType } from '../../schema/model.ts'
import { plainModel } from '../../schema/plain.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import type { TextEdit } from '../../text/edit/text-edit.ts'
import {
  getField,
  isObject,
  type ObjectValue,
  type Path,
  type Value,
  valueAt,
} from '../../text/value.ts'
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
  'id',
  'name',
  'physicalName',
  'physicalType',
  'businessName',
  'description',
  'classification',
  'required',
  'unique',
  'primaryKey',
  'primaryKeyPosition',
  'tags',
  'logicalType',
  'logicalTypeOptions',
  'quality',
  'properties',
  'items',
  'map',
]

const NESTED = ['properties', 'items', 'map'] as const

/** Logical types that have the same options. */
const SIMILAR: readonly (readonly LogicalType[])[] = [
  ['integer', 'number'],
  ['date', 'time', 'timestamp'],
]

/** Writes changes of an ODCS 3 document. */
export class OdcsLanguage implements ContractLanguage {
  readonly #value: Value
  readonly #version: string
  readonly #writer: OdcsWriter

  /** `platform` is that of the table. */
  constructor(value: Value, version: string | undefined, platform: Platform | undefined) {
    this.#value = value
    this.#version = version ?? ''
    const isNewer = !/^v?3\.[01](?:\.|$)/.test(this.#version)
    this.#writer = new OdcsWriter(platform, () => {}, isNewer ? 'v3.2.0' : 'v3.1.0')
  }

  setRequired(at: WrittenField, isRequired: boolean): TextEdit[] {
    const edits = setMembers(at, { required: isRequired }, ORDER)
    return isRequired ? edits : [...edits, ...this.#removeDemand(at)]
  }

  setUnique(at: WrittenField, isUnique: boolean): TextEdit[] {
    return setMembers(at, { unique: isUnique }, ORDER)
  }

  setClassification(at: WrittenField, classification: string): TextEdit[] {
    return setMembers(at, { classification }, ORDER)
  }

  setKind(model: WrittenPart, kind: string): TextEdit[] {
    return setMembers(model, { physicalType: kind }, ORDER)
  }

  setKey(
    _: WrittenPart,
    fields: readonly { at: WrittenField; position: KeyPosition }[],
  ): TextEdit[] {
    return fields.flatMap(({ at, position }) => {
      if (position !== undefined) {
        return setMembers(at, { primaryKey: true, primaryKeyPosition: position }, ORDER)
      }
      if (at.raw['primaryKey'] !== true) return []
      return setMembers(at, { primaryKey: undefined, primaryKeyPosition: undefined }, ORDER)
    })
  }

  removeField(_: WrittenPart, { path }: WrittenField): TextEdit[] {
    return [{ kind: 'remove', path }]
  }

  addField(inside: WrittenPart, column: Field, use: TypeUse, position: KeyPosition): TextEdit[] {
    const value = this.#write(column, use, position)
    return [{ kind: 'add', path: [...inside.path, 'properties'], value, order: ORDER }]
  }

  setType(at: WrittenField, column: Field, use: TypeUse): TextEdit[] | undefined {
    const { raw } = at
    const hasPhysical = use.hasPhysical && raw['physicalType'] !== undefined
    const written = this.#write(column, { ...use, hasPhysical, hasLogical: true }, undefined)
    const logicalType = parseLogicalType(raw['logicalType'])
    const isHeld = logicalType !== undefined && use.holds(logicalType, column)
    if (!hasPhysical && written['logicalType'] === undefined) return undefined
    const members: Members = {}
    if (hasPhysical) members['physicalType'] = written['physicalType']
    const changesLogical = !isHeld && (raw['logicalType'] !== undefined || !hasPhysical)
    if (changesLogical) {
      members['logicalType'] = written['logicalType']
      if (!isSimilar(logicalType, column.logicalType)) {
        members['logicalTypeOptions'] = undefined
      }
    }
    for (const name of NESTED) {
      if (raw[name] !== undefined || !hasPhysical) members[name] = written[name]
    }
    return setMembers(at, members, ORDER)
  }

  // Enumerations, checks and tags of a source are not proposed as promises.
  #write(column: Field, { hasPhysical, hasLogical }: TypeUse, position: KeyPosition): ObjectValue {
    const model = plainModel('', '')
    model.fields = [toPromised(column, hasPhysical)]
    const list = getField(this.#writer.model(model), 'properties')
    const written = Array.isArray(list) && isObject(list[0]) ? list[0] : {}
    const value: ObjectValue = { ...written }
    // The first versions have one type for all points in time.
    if (/^v?3\.0(?:\.|$)/.test(this.#version)) replaceTimestamps(value)
    if (!hasLogical && value['physicalType'] !== undefined) delete value['logicalType']
    if (position !== undefined) {
      value['primaryKey'] = true
      value['primaryKeyPosition'] = position
    }
    return value
  }

  // The options of an object may list its required properties.
  #removeDemand({ path, field }: WrittenField): TextEdit[] {
    const owner: Path = path.slice(0, -2)
    const listed: Path = [...owner, 'logicalTypeOptions', 'required']
    const names = valueAt(this.#value, listed)
    const at = Array.isArray(names) ? names.indexOf(field.name) : -1
    return at === -1 ? [] : [{ kind: 'remove', path: [...listed, at] }]
  }
}

function toPromised(column: Field, isPhysical: boolean): Field {
  const { enum: _, physicalType, items, keys, values, fields, ...rest } = column
  const field: Field = { ...rest, tags: [], references: [], quality: [] }
  if (isPhysical && physicalType !== undefined) field.physicalType = physicalType
  if (fields !== undefined) field.fields = fields.map((one) => toPromised(one, isPhysical))
  if (items !== undefined) field.items = toPromised(items, isPhysical)
  if (keys !== undefined) field.keys = toPromised(keys, isPhysical)
  if (values !== undefined) field.values = toPromised(values, isPhysical)
  return field
}

function replaceTimestamps(value: ObjectValue): void {
  if (value['logicalType'] === 'timestamp') value['logicalType'] = 'date'
  const { properties, items } = value
  for (const part of [...(Array.isArray(properties) ? properties : []), items]) {
    if (isObject(part)) replaceTimestamps(part)
  }
}

function isSimilar(one: LogicalType | undefined, other: LogicalType): boolean {
  return (
    one === other ||
    SIMILAR.some((types) => one !== undefined && types.includes(one) && types.includes(other))
  )
}
