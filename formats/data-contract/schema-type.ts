import { getField, type ObjectValue, asText } from '../text/value.ts'

/** Returns the schema language of a document's specification; undefined if it has none. */
export function getSchemaType(value: ObjectValue): string | undefined {
  return asText(getField(getField(value, 'schema'), 'type'))
}
