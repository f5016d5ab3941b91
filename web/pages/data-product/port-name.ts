import { asText, getField, type Value } from '../../../formats/text/value.ts'

/** Returns what an edited port is called: its name with its version. */
export function getPortName(item: Value, otherwise: string): string {
  const name = asText(getField(item, 'name'))?.trim() ?? ''
  const version = asText(getField(item, 'version')) ?? ''
  return name === '' ? otherwise : `${name} ${version}`.trim()
}
