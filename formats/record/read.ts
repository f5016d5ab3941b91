// Reading the document of a record of any kind.

import { agreedText, checkId, listTexts, nonBlankText } from '../data-product/fields.ts'
import { canonicalText } from '../shape/canonical.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { readDocument } from '../shape/read-document.ts'
import type { Notes, Problem } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { asText, isObject, put, valueAt, type ObjectValue, type Value } from '../text/value.ts'
import type { RecordKind } from './record-kind.ts'

/** The fields of a record that the catalog reads. */
export interface RecordFields {
  id: string
  name: string
  /** External id of the owning team. */
  ownerTeamId?: string
  description?: string
  tags: readonly string[]
  /** The addresses that it links to, each with the name of the link. */
  links: readonly { name: string; url: string }[]
}

/** A record that was read, or all its problems, sorted by field. */
export type RecordReading =
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

function checkRecord({ called, paths }: RecordKind, value: Value, id: string, notes: Notes): void {
  const fields = isObject(value) ? value : NO_FIELDS
  checkId(asText(valueAt(fields, paths.id)), paths.id, id, notes)
  agreedText(fields, [paths.name], notes, `give the ${called} a name`)
  agreedText(fields, [paths.owner], notes, `give the id of the team that owns the ${called}`)
}

/** Returns the fields of a record that was accepted before. */
export function toRecordFields({ paths }: RecordKind, value: Value, id: string): RecordFields {
  const links = valueAt(value, paths.links)
  const record: RecordFields = {
    id,
    name: nonBlankText(valueAt(value, paths.name)) ?? id,
    tags: listTexts(valueAt(value, paths.tags)),
    links: Object.entries(isObject(links) ? links : NO_FIELDS).flatMap(([name, url]) =>
      typeof url === 'string' ? [{ name, url }] : [],
    ),
  }
  put(record, 'ownerTeamId', nonBlankText(valueAt(value, paths.owner)))
  put(record, 'description', nonBlankText(valueAt(value, paths.description)))
  return record
}
