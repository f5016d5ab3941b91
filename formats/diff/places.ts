// Whether a qualifier that is added to the name of a model is the place where consumers find it already: `s.orders`
// is the same table as `orders` if all servers of the contract have the schema `s`. An unknown place is another one.

import type { Server } from '../data-contract/data-contract.ts'
import { asText, getField, type Value } from '../text/value.ts'

// These products have no schemas: the database is the part next to the name of a table.
const WITHOUT_SCHEMAS: ReadonlySet<string> = new Set([
  'mysql',
  'mariadb',
  'clickhouse',
  'hive',
  'impala',
  'glue',
])

// Values that are filled in later: `${env}`, `{{ schema }}`, `$(schema)`, `@schema`, `:schema`, `%(schema)s`, `<schema>`.
const VARIABLE = /\$[{(\w]|\{\{?|^[@:&<]|%[({]|\*/

/** The places that the servers of a contract give, from the part next to the name of a table outwards. */
export class ServerPlaces {
  readonly #places: readonly (readonly (string | undefined)[])[]

  constructor(servers: readonly Pick<Server, 'type' | 'properties'>[]) {
    this.#places = servers.map(listParts)
  }

  /** Returns whether `longer` is `name` qualified by the place that all servers give. */
  isSame(name: readonly string[], longer: readonly string[]): boolean {
    const [short, long] = [name.toReversed(), longer.toReversed()]
    if (short.length >= long.length || this.#places.length === 0) return false
    if (short.some((part, at) => part !== long[at])) return false
    return this.#places.every((place) =>
      long.every((part, at) => at < short.length || part === place[at - 1]),
    )
  }
}

function listParts({ type, properties }: Pick<Server, 'type' | 'properties'>) {
  const read = (...names: string[]): string | undefined => {
    const values = names.flatMap((name) => readPart(getField(properties, name)) ?? [])
    // Two fields of one level that differ decide nothing.
    return new Set(values).size === 1 ? values[0] : undefined
  }
  if (WITHOUT_SCHEMAS.has(type?.toLowerCase() ?? '')) return [read('database')]
  return [read('schema', 'dataset'), read('database', 'catalog', 'project')]
}

function readPart(value: Value | undefined): string | undefined {
  const text = asText(value)
  return text === undefined || text === '' || VARIABLE.test(text) ? undefined : text
}

// One part of a qualified name: in quotes of some dialect, or up to the next dot.
const PART = /"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^."`[]+)/gy

/** Splits a physical name at its dots: `"a.b".c` has two parts. BigQuery encloses the whole name in backticks. */
export function splitPhysicalName(name: string): string[] {
  const inner = /^`([^`]*)`$/.exec(name)?.[1]
  if (inner !== undefined) return inner.split('.')
  const parts: string[] = []
  for (let at = 0; at < name.length; at += 1) {
    PART.lastIndex = at
    const match = PART.exec(name)
    if (match === null) return name.split('.')
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? match[3] ?? match[4] ?? '')
    at = PART.lastIndex
    if (at < name.length && name[at] !== '.') return name.split('.')
  }
  return parts
}
