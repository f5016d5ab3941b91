// Fields of an asset that the catalog adds when the asset is read. Clients send them back, and copy them to other
// installations.

import { editText } from '../text/edit/text-edit.ts'
import type { Problem } from '../text/problem.ts'
import { readAcceptedText, toFileText, type SourceText } from '../text/text.ts'
import { getField } from '../text/value.ts'

/** The fields that are never stored: the owner of an ingested asset's data, and assigned tags. */
export const UNSTORED_FIELDS = ['ingestion', 'assignedTags'] as const

/** The fields that do not count when an ingested asset is sent back: also what the source measured. */
export const ADDED_FIELDS = [...UNSTORED_FIELDS, 'statistic'] as const

/** A document without the fields, or the problems of those that cannot be removed from its text. */
type WithoutFields = { ok: true; source: SourceText } | { ok: false; problems: Problem[] }

/** Removes top-level fields from the text of a valid document; everything else keeps its bytes. */
export function removeFields(source: SourceText, names: readonly string[]): WithoutFields {
  const present = names.filter((name) => getField(source.value, name) !== undefined)
  if (present.length === 0) return { ok: true, source }
  const { text, mediaType } = source
  const edits = present.map((name) => ({ kind: 'remove', path: [name] }) as const)
  const edited = editText(text, mediaType, edits)
  const result = edited.ok
    ? readAcceptedText(toFileText({ ...source, text: edited.text }), mediaType)
    : undefined
  if (result?.ok) return { ok: true, source: result }
  return {
    ok: false,
    problems: present.map((name) => ({
      field: name,
      message: 'The catalog sets this field. Remove it.',
      ...source.locate([name]),
    })),
  }
}
