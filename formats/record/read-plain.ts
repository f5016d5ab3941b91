// Reading the document of a plain record of any kind.

import { checkId, nonBlankText } from '../data-product/fields.ts'
import { withoutNulls } from '../shape/nulls.ts'
import { readDocument } from '../shape/read-document.ts'
import type { Notes, Problem } from '../text/problem.ts'
import { convertToJson, type SourceText } from '../text/text.ts'
import { asText, getField, isObject, jsonText, type Value } from '../text/value.ts'
import { PRODUCT_FIELD, type PlainRecordKind } from './plain-record-kind.ts'

/** The document of a plain record as it is stored. */
export interface PlainDocument {
  /** JSON text. */
  document: string
  /** The id of the data product that it names; null = none. */
  productId: string | null
  /** The texts of the fields by which lists are filtered. */
  filterValues: Readonly<Record<string, string>>
}

/** A plain record that was read, or all its problems, sorted by field. */
export type PlainReading =
  | { ok: true; record: PlainDocument }
  | { ok: false; problems: readonly Problem[] }

/**
 * Reads a plain record. `id` is the id under which it is stored: a document with another id is rejected, unless the
 * server chose the id. It is written into a document without an id, because clients rely on it. Null in a known field counts as absent; all other
 * deviations from the shape are errors, because no version of the record can be restored. Never throws.
 */
export function readPlainRecord(
  kind: PlainRecordKind,
  source: SourceText,
  id: string,
): PlainReading {
  const { shape } = kind
  const isOwnId = kind.id === 'of the client'
  const value = withoutNulls(source.value, shape)
  const options = { id, strict: true }
  const document = readDocument({ ...source, value }, options, (notes) => ({
    shape,
    read: () => {
      if (isOwnId) checkId(asText(getField(value, 'id')), ['id'], id, notes)
      checkRequired(kind, value, notes)
      return readPlainFields(kind, value)
    },
  }))
  if (!document.ok) return document
  const hasId = getField(source.value, 'id') === id
  const text = hasId ? convertToJson(source) : withId(source.spelled(), id)
  return { ok: true, record: { document: text, ...document.content } }
}

/** Reads the fields of a plain record that are stored in columns, too. */
export function readPlainFields(
  { filters }: PlainRecordKind,
  value: Value,
): Omit<PlainDocument, 'document'> {
  const texts = filters.flatMap((name) => {
    const text = nonBlankText(getField(value, name))
    return text === undefined ? [] : [[name, text] as const]
  })
  return {
    productId: nonBlankText(getField(value, PRODUCT_FIELD)) ?? null,
    filterValues: Object.fromEntries(texts),
  }
}

function checkRequired({ called, shape }: PlainRecordKind, value: Value, notes: Notes): void {
  for (const name of shape.required) {
    const field = getField(value, name) ?? null
    if (field === null) notes.error([name], `This field is missing; a ${called} needs it.`)
    else if (typeof field === 'string' && field.trim() === '') {
      notes.error([name], `This field is blank; a ${called} needs it.`)
    }
  }
}

function withId(value: Value, id: string): string {
  if (!isObject(value)) throw new Error('a document is an object')
  const others = Object.entries(value).filter(([name]) => name !== 'id')
  return jsonText(Object.fromEntries([['id', id], ...others]))
}
