import type { Field, LogicalType, ModelKind } from '../../schema/model.ts'
import type { TextEdit } from '../../text/edit/text-edit.ts'
import type { ObjectValue, Path, Value } from '../../text/value.ts'

/** A model or field where it is written in a contract. */
export interface WrittenPart {
  path: Path
  /** Its value in the document. */
  raw: ObjectValue
}

/** A field where it is written. */
export interface WrittenField extends WrittenPart {
  field: Field
}

/** A position in the primary key, from 1; undefined = the field is not part of it. */
export type KeyPosition = number | undefined

/** The types that the fields of a model are written with. */
export interface TypeUse {
  /** Whether types of the table's platform are written. */
  hasPhysical: boolean
  /** Whether logical types are written. */
  hasLogical: boolean
  /** Whether a logical type holds the values of a column. */
  holds: (logicalType: LogicalType, column: Field) => boolean
}

/** Edits that change the promise of a contract in the words of its standard; undefined = it has no words for that. */
export interface ContractLanguage {
  setRequired(at: WrittenField, isRequired: boolean): TextEdit[]
  setUnique(at: WrittenField, isUnique: boolean): TextEdit[]
  setType(at: WrittenField, column: Field, use: TypeUse): TextEdit[] | undefined
  setClassification(at: WrittenField, classification: string): TextEdit[]
  setKind(model: WrittenPart, kind: ModelKind): TextEdit[] | undefined
  /** Sets the key to the fields that have a position. `added` are names of fields that are added at the same time. */
  setKey(
    model: WrittenPart,
    fields: readonly { at: WrittenField; position: KeyPosition }[],
    key: readonly string[],
  ): TextEdit[]
  removeField(model: WrittenPart, at: WrittenField): TextEdit[]
  /** Adds a column to a model, or to a field that it is inside of. */
  addField(
    inside: WrittenPart,
    column: Field,
    use: TypeUse,
    position: KeyPosition,
  ): TextEdit[] | undefined
}

/** Members by name; undefined = it is removed. */
export type Members = Record<string, Value | undefined>

/** Returns the edits that set members of an object, and remove those that are undefined. */
export function setMembers(
  { path, raw }: WrittenPart,
  members: Members,
  order: readonly string[],
): TextEdit[] {
  return Object.entries(members).flatMap(([name, value]): TextEdit[] => {
    if (value !== undefined) return [{ kind: 'set', path: [...path, name], value, order }]
    return Object.hasOwn(raw, name) ? [{ kind: 'remove', path: [...path, name] }] : []
  })
}
