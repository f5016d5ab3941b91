import type { Server } from '../../../formats/data-contract/data-contract.ts'
import { isObject, type Value } from '../../../formats/text/value.ts'

// A contract is no place for these; where one stands in it nevertheless, it is not repeated here.
const SECRET =
  /pass(word|wd|phrase)?$|secret|token|credential|private.?key|access.?key|api.?key|sas.?url|signature/i
const CREDENTIALS_IN_ADDRESS = /(\/\/)[^/@\s]+@/g

/** What takes the place of a secret. */
export const NOT_SHOWN = 'Not shown'

const SHOWN_ELSEWHERE = new Set(['server', 'type', 'environment', 'description', 'id'])

/** What a contract says of a server besides its name and type, without anything that opens it. */
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
