import type { Field } from '../../schema/model.ts'
import type { TextEdit } from '../../text/edit/text-edit.ts'
import type { ObjectValue } from '../../text/value.ts'
import {
  type ContractLanguage,
  type KeyPosition,
  setMembers,
  type TypeUse,
  type WrittenPart,
  type WrittenField,
} from './language.ts'

const ORDER = [
  'column',
  'isPrimaryKey',
  'primaryKeyPosition',
  'businessName',
  'logicalType',
  'physicalType',
  'isNullable',
  'isUnique',
  'description',
  'classification',
]

/** Writes changes of an ODCS 2.2 document. Its tables have flat columns. */
export const ODCS_2: ContractLanguage = {
  setRequired: (at, isRequired) => setMembers(at, { isNullable: !isRequired }, ORDER),
  setUnique: (at, isUnique) => setMembers(at, { isUnique }, ORDER),
  setClassification: (at, classification) => setMembers(at, { classification }, ORDER),
  // Every object is a table.
  setKind: () => undefined,
  setType,
  setKey: (_, fields) => fields.flatMap(({ at, position }) => setPosition(at, position)),
  removeField: (_, { path }) => [{ kind: 'remove', path }],
  addField: addColumn,
}

function setPosition(at: WrittenField, position: KeyPosition): TextEdit[] {
  if (position !== undefined) {
    return setMembers(at, { isPrimaryKey: true, primaryKeyPosition: position }, ORDER)
  }
  if (at.raw['isPrimaryKey'] !== true) return []
  return setMembers(at, { isPrimaryKey: undefined, primaryKeyPosition: undefined }, ORDER)
}

function setType(at: WrittenField, column: Field, use: TypeUse): TextEdit[] | undefined {
  const hasPhysical = use.hasPhysical && at.raw['physicalType'] !== undefined
  const { physicalType, logicalType } = column
  if (hasPhysical ? physicalType === undefined : logicalType === 'unknown') return undefined
  const isHeld = use.holds(at.field.logicalType, column)
  const changesLogical = !isHeld && (at.raw['logicalType'] !== undefined || !hasPhysical)
  return [
    ...(hasPhysical && physicalType !== undefined ? setMembers(at, { physicalType }, ORDER) : []),
    ...(changesLogical && logicalType !== 'unknown' ? setMembers(at, { logicalType }, ORDER) : []),
  ]
}

function addColumn(
  inside: WrittenPart,
  column: Field,
  use: TypeUse,
  position: KeyPosition,
): TextEdit[] {
  const { name, logicalType, physicalType, description, required: isRequired } = column
  const value: ObjectValue = { column: name }
  if (position !== undefined) {
    value['isPrimaryKey'] = true
    value['primaryKeyPosition'] = position
  }
  if (logicalType !== 'unknown') value['logicalType'] = logicalType
  if (use.hasPhysical && physicalType !== undefined) value['physicalType'] = physicalType
  value['isNullable'] = !isRequired
  if (column.unique) value['isUnique'] = true
  if (description !== undefined) value['description'] = description
  return [{ kind: 'add', path: [...inside.path, 'columns'], value, order: ORDER }]
}
