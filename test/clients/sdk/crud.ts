/** The calls that every kind of document has. */

import type { SdkRow } from './sdk-row.ts'

/** A kind of document, by the names of its methods. */
export interface CrudKind {
  /** `teams`, or `classifications` with the suffixes `_schemes` and `_scheme`. */
  readonly group: string
  readonly id: string
  readonly document: object
  /** The names of list, get, put and delete, if they differ. */
  readonly names?: readonly [list: string, get: string, put: string, remove: string]
  /** The arguments before the id. */
  readonly before?: readonly string[]
  /** The keyword arguments of the list. */
  readonly listOptions?: Readonly<Record<string, unknown>>
}

const NAMES = ['list', 'get', 'put', 'delete'] as const

/** Lists the calls: put, put again with what was read, list, get, delete, and get of what is gone. */
export function listCrudRows(kind: CrudKind): SdkRow[] {
  const { group, id, document, names = NAMES, before = [], listOptions = {} } = kind
  const [list, get, put, remove] = names.map((name) => `${group}.${name}`) as [
    string,
    string,
    string,
    string,
  ]
  const one = [...before, id]
  return [
    { call: put, args: [...one, document] },
    { call: put, args: [...one, document] },
    { call: get, args: one, gives: document },
    { call: list, args: before, options: listOptions, includes: [document] },
    { call: remove, args: one },
    { call: get, args: one, fails: [404, 'not_found'] },
    { call: put, args: [...one, document] },
  ]
}
