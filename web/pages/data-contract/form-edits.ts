import { shapeAt, type Shape } from '../../../formats/shape/shape.ts'
import { odcsShape } from '../../../formats/data-contract/odcs/shape.ts'
import { ownerPath } from '../../../formats/data-contract/owner-path.ts'
import type { TextEdit } from '../../../formats/text/edit/text-edit.ts'
import { getField, asText, valueAt, type Path, type Value } from '../../../formats/text/value.ts'

/** Returns the shape of a contract in its version of the standard. */
export function getContractShape(value: Value): Shape {
  return odcsShape(asText(getField(value, 'apiVersion')))
}

// An added field goes to its position in the standard.
/** The customary order of a contract's fields. */
export const ORDER: readonly string[] = [
  ...'apiVersion kind id name version status domain dataProduct tenant team description'.split(' '),
  ...'context tags servers schema slaProperties support price roles authoritativeDefinitions'.split(
    ' ',
  ),
  ...'customProperties contractCreatedTs'.split(' '),
]

/** The customary order of the texts of its description. */
export const DESCRIPTION_ORDER: readonly string[] = ['purpose', 'usage', 'limitations']

/** The customary order of the fields of a model or a field. */
export const FIELD_ORDER: readonly string[] = [
  ...'id name physicalName businessName description deprecated synonyms logicalType'.split(' '),
  ...'physicalType logicalTypeOptions semanticType required unique primaryKey'.split(' '),
  ...'primaryKeyPosition classification tags examples enum transformLogic context'.split(' '),
  ...'quality relationships properties items'.split(' '),
]

/** Writes a text at a path; an empty one takes the field away. */
export function textEdit(path: Path, text: string): TextEdit {
  if (text === '') return { kind: 'remove', path }
  return { kind: 'set', path, value: text, order: getOrder(path) }
}

/** Makes a team the owner, at the place where the document names its owner. */
export function ownerEdit(value: Value, team: string): TextEdit {
  const path = ownerPath(value)
  // Before v3.1.0 the team is a list of its members, and has no name.
  if (path[0] === 'team' && Array.isArray(getField(value, 'team'))) {
    const owner = { property: 'owner', value: team }
    return { kind: 'add', path: ['customProperties'], value: owner, order: ORDER }
  }
  return { kind: 'set', path, value: team, order: getOrder(path) }
}

/** Adds a model with a first field. */
export function modelAddition(value: Value): TextEdit {
  const model = {
    name: freeName(valueAt(value, ['schema']), 'new_model'),
    physicalType: 'table',
    properties: [{ name: 'id', logicalType: 'string', required: true }],
  }
  return { kind: 'add', path: ['schema'], value: model, order: ORDER }
}

/** Adds a field to the list at a path. */
export function fieldAddition(value: Value, path: Path): TextEdit {
  const name = freeName(valueAt(value, path), 'new_field')
  return { kind: 'add', path, value: { name, logicalType: 'string' }, order: FIELD_ORDER }
}

/** The primary key of a field: a new one comes behind those that the model has. */
export function primaryKeyEdits(value: Value, path: Path, holds: boolean): TextEdit[] {
  const position = [...path, 'primaryKeyPosition']
  if (!holds)
    return [
      { kind: 'remove', path: [...path, 'primaryKey'] },
      { kind: 'remove', path: position },
    ]
  const others = valueAt(value, path.slice(0, -1))
  const taken = (Array.isArray(others) ? others : []).map((one) =>
    getField(one, 'primaryKeyPosition'),
  )
  const last = Math.max(0, ...taken.filter((one) => typeof one === 'number'))
  return [
    { kind: 'set', path: [...path, 'primaryKey'], value: true, order: FIELD_ORDER },
    { kind: 'set', path: position, value: last + 1, order: FIELD_ORDER },
  ]
}

function freeName(list: Value | undefined, wanted: string): string {
  const taken = new Set(Array.isArray(list) ? list.map((one) => asText(getField(one, 'name'))) : [])
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`
  return name
}

function getOrder(path: Path): readonly string[] {
  if (path.length === 1) return ORDER
  if (path[0] === 'description') return DESCRIPTION_ORDER
  return path[0] === 'schema' ? FIELD_ORDER : []
}

/**
 * Sets the logical type of a field. The options of another type are removed: a vector has none of the options of
 * other types, and they none of a vector.
 */
export function listTypeEdits(value: Value, path: Path, type: string): TextEdit[] {
  const field = valueAt(value, path.slice(0, -1)) ?? null
  const isVector = getField(field, 'logicalType') === VECTOR
  const hasOptions = getField(field, 'logicalTypeOptions') !== undefined
  const isLost = hasOptions && isVector !== (type === VECTOR)
  const removal: TextEdit = { kind: 'remove', path: [...path.slice(0, -1), 'logicalTypeOptions'] }
  return [textEdit(path, type), ...(isLost ? [removal] : [])]
}

/** The logical type of embeddings. */
export const VECTOR = 'vector'

// What a map holds is edited in the source.
const OFFERED_TYPES = 'string integer number boolean date timestamp time object array vector'.split(
  ' ',
)

/** Returns the logical types that the form offers for a field: those of its version of the standard. */
export function listTypeNames(shape: Shape, path: Path, type: string): readonly string[] {
  const official = shapeAt(shape, path)
  const allowed = official?.kind === 'text' ? (official.allowed ?? OFFERED_TYPES) : OFFERED_TYPES
  const names = OFFERED_TYPES.filter((name) => allowed.includes(name))
  return type === '' || names.includes(type) ? names : [type, ...names]
}

/** The text at a path; empty where there is none. A number is given as it is written. */
export function textAt(value: Value, path: Path): string {
  const found = valueAt(value, path)
  if (typeof found === 'number') return String(found)
  return asText(found) ?? ''
}
