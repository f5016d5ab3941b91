import { fieldOf, type ObjectValue, textOf } from '../text/value.ts'

/** Returns the schema language of a document's specification; undefined if it has none. */
export function getSchemaType(value: ObjectValue): string | undefined {
  return textOf(fieldOf(fieldOf(value, 'schema'), 'type'))
}
