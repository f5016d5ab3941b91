import { fieldOf, type ObjectValue, textOf } from '../value.ts'

/** Gives the schema language of a document's specification; undefined when it has none. */
export function schemaTypeOf(value: ObjectValue): string | undefined {
  return textOf(fieldOf(fieldOf(value, 'schema'), 'type'))
}
