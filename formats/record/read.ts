// Reading the document of a record of any kind.

import { agreedText, checkId, listTexts, nonBlankText } from '../data-product/fields.ts'
import { canonicalText } from '../shape/canonical.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { readDocument } from '../shape/read-document.ts'
import type { Shape } from '../shape/shape.ts'
import type { Notes, Problem } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { asText, clip, formatPath, getField, isObject, put, valueAt } from '../text/value.ts'
import type { ObjectValue, Path, Value } from '../text/value.ts'
import type { RecordKind } from './record-kind.ts'

/** The fields of a record that the catalog reads. */
export interface RecordFields {
  id: string
  name: string
  /** External id of the owning team. */
  ownerTeamId?: string
  description?: string
  status?: string
  tags: readonly string[]
  rank?: number
  /** The addresses that it links to, each with the name of the link. */
  links: readonly { name: string; url: string }[]
}

/** A record that was read, or all its problems, sorted by field. */
type RecordReading =
  | { ok: true; record: RecordFields; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

const NO_FIELDS: ObjectValue = {}

/**
 * Reads a record. `options.id` is the id under which it is stored; a document with another id is rejected. Name and
 * owner are required in the document, because clients rely on them, unless it was accepted before. Unknown fields are
 * ignored. Never throws.
 */
export function readRecord(
  kind: RecordKind,
  source: SourceText,
  options: ReadOptions,
): RecordReading {
  const { value } = source
  const document = readDocument(source, options, (notes) => ({
    shape: kind.shape,
    read: () => {
      if (options.isAccepted !== true) checkRecord(kind, value, options.id, notes)
      return toRecordFields(kind, value, options.id)
    },
  }))
  if (!document.ok) return document
  const { content, getWarnings } = document
  return {
    ok: true,
    record: content,
    value,
    get canonical() {
      return canonicalText(value, kind.shape)
    },
    get warnings() {
      return getWarnings()
    },
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function checkRecord(
  { called, paths, shape, hasUuidIds = false }: RecordKind,
  value: Value,
  id: string,
  notes: Notes,
): void {
  const fields = isObject(value) ? value : NO_FIELDS
  checkId(asText(valueAt(fields, paths.id)), paths.id, id, notes)
  if (hasUuidIds && !UUID.test(id)) {
    notes.error(paths.id, `The id of a ${called} is a UUID, but the address has "${clip(id)}".`)
  }
  const advice = {
    name: `give the ${called} a name`,
    owner: `give the id of the team that owns the ${called}`,
  }
  for (const field of ['name', 'owner'] as const) {
    const path = paths[field]
    if (path !== undefined && isRequired(shape, path)) {
      agreedText(fields, [path], notes, advice[field])
    }
  }
  checkValues(fields, shape, [], notes)
}

// Reports what is only a warning in documents of a standard: missing fields and values that are not allowed.
function checkValues(value: Value, shape: Shape, path: Path, notes: Notes): void {
  if (shape.kind === 'list' && Array.isArray(value)) {
    value.forEach((item, at) => checkValues(item, shape.items, [...path, at], notes))
    if (shape.key !== undefined) checkKeys(value, shape.key, path, notes)
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const [name, field] of shape.fields) {
      const inner = getField(value, name) ?? null
      if (inner !== null) checkValues(inner, field, [...path, name], notes)
      else if (shape.required.includes(name)) noteMissing([...path, name], notes)
    }
  } else if (shape.kind === 'text' && shape.allowed !== undefined && typeof value === 'string') {
    if (shape.allowed.includes(value)) return
    const choices = shape.allowed.map((one) => `"${one}"`).join(', ')
    notes.error(path, `"${clip(value)}" is not allowed; use one of: ${choices}.`)
  }
}

function checkKeys(items: readonly Value[], key: string, path: Path, notes: Notes): void {
  const seen = new Set<Value>()
  items.forEach((item, at) => {
    const value = getField(item, key)
    if (typeof value !== 'string') return
    if (seen.has(value)) {
      notes.error([...path, at, key], `"${clip(value)}" is in the list twice; remove one of them.`)
    }
    seen.add(value)
  })
}

/** Returns whether a shape requires the field at a path, and every object on the way. */
export function isRequired(shape: Shape | undefined, [first, ...rest]: Path): boolean {
  if (first === undefined) return true
  if (shape?.kind !== 'object' || !shape.required.includes(String(first))) return false
  return isRequired(shape.fields.get(String(first)), rest)
}

// Name and owner have a message of their own.
function noteMissing(path: Path, notes: Notes): void {
  const field = formatPath(path)
  if (notes.errors.some((problem) => problem.field === field)) return
  notes.error(path, 'This field is missing; give it a value.')
}

/** Returns the fields of a record that was accepted before. */
export function toRecordFields({ paths }: RecordKind, value: Value, id: string): RecordFields {
  const at = (path: Path | undefined): Value | undefined =>
    path === undefined ? undefined : valueAt(value, path)
  const links = at(paths.links)
  const record: RecordFields = {
    id,
    name: nonBlankText(at(paths.name)) ?? id,
    tags: listTexts(at(paths.tags)),
    links: Object.entries(isObject(links) ? links : NO_FIELDS).flatMap(([name, url]) =>
      typeof url === 'string' ? [{ name, url }] : [],
    ),
  }
  put(record, 'ownerTeamId', nonBlankText(at(paths.owner)))
  put(record, 'description', nonBlankText(at(paths.description)))
  put(record, 'status', nonBlankText(at(paths.status)))
  const rank = at(paths.rank)
  if (typeof rank === 'number' && Number.isSafeInteger(rank)) record.rank = rank
  return record
}
