import type { Server } from '../../../formats/data-contract/data-contract.ts'
import { isObject, type Value } from '../../../formats/text/value.ts'

// Contracts should not contain these; if one does, the page does not repeat them.
const SECRET =
  /pass(word|wd|phrase)?$|secret|token|credential|private.?key|access.?key|api.?key|sas.?url|signature/i
const CREDENTIALS_IN_ADDRESS = /(\/\/)[^/@\s]+@/g

/** The replacement of a secret. */
export const NOT_SHOWN = 'Not shown'

const SHOWN_ELSEWHERE = new Set(['server', 'type', 'environment', 'description', 'id'])

/** Returns the properties of a server except name, type and secrets. */
export function serverFacts(server: Server): [name: string, value: Value][] {
  return Object.entries(server.properties)
    .filter(([name]) => !SHOWN_ELSEWHERE.has(name))
    .map(([name, value]) => [name, withoutSecrets(name, value)])
}

function withoutSecrets(name: string, value: Value): Value {
  if (SECRET.test(name) && typeof value !== 'boolean' && value !== null) return NOT_SHOWN
  if (typeof value === 'string') return value.replaceAll(CREDENTIALS_IN_ADDRESS, '$1…@')
  if (Array.isArray(value)) return value.map((item) => withoutSecrets('', item))
  if (!isObject(value)) return value
  // A custom property has its name beside its value.
  const property = typeof value['property'] === 'string' ? value['property'] : ''
  return Object.fromEntries(
    Object.entries(value).map(([inner, one]) => [
      inner,
      withoutSecrets(inner === 'value' ? property : inner, one),
    ]),
  )
}
