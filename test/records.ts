/** Documents of every kind of record, built from the declarations of the kinds. */

import { hash } from 'node:crypto'
import { RECORDS } from '../formats/record/kinds.ts'
import type { RecordKind } from '../formats/record/record-kind.ts'
import type { Path } from '../formats/text/value.ts'

/** Finds the kind of record of a path in the API: `/api/sourcesystems/{id}/versions`. */
export function findRecordKind(path: string): RecordKind | undefined {
  return RECORDS.find(({ collection }) => path === collection || path.startsWith(`${collection}/`))
}

/** Returns whether records of a kind can have an owner. */
export function hasOwner({ paths }: RecordKind): boolean {
  return paths.owner !== undefined
}

/** Returns an id of a kind for a name; kinds whose ids are UUIDs get one that depends on the name only. */
export function toRecordId({ hasUuidIds = false }: RecordKind, name: string): string {
  if (!hasUuidIds) return name
  const hex = hash('sha256', name)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-')
}

/** Builds a valid record of a team. An empty owner means no owner; kinds without a name or tags have them in other
 * fields. */
export function buildRecord(
  { paths, shape }: RecordKind,
  id: string,
  { owner = 'a', name = `Record ${id}`, tags = [] }: RecordContent = {},
): object {
  const document = {}
  setAt(document, paths.id, id)
  setAt(document, paths.name ?? paths.description ?? ['text'], name)
  if (paths.owner !== undefined && owner !== '') setAt(document, paths.owner, owner)
  setAt(document, paths.tags ?? ['marks'], tags)
  for (const field of shape.required) {
    if (paths.owner?.[0] !== field && !Object.hasOwn(document, field)) setAt(document, [field], 'x')
  }
  return document
}

interface RecordContent {
  owner?: string
  name?: string
  tags?: readonly string[]
}

function setAt(target: object, path: Path, value: unknown): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) Reflect.set(target, first, value)
  else {
    const inner: unknown = Reflect.get(target, first) ?? {}
    if (typeof inner !== 'object' || inner === null) throw new Error(`${first} is not an object`)
    Reflect.set(target, first, inner)
    setAt(inner, rest, value)
  }
}
