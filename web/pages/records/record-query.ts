import { useQuery } from '@tanstack/react-query'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { toRecordFields, type RecordFields } from '../../../formats/record/read.ts'
import { readJson } from '../../../formats/text/json-read.ts'
import type { Value } from '../../../formats/text/value.ts'
import { storedQuery, type StoredText } from '../../documents/stored-document.ts'

/** A record as its page shows it. */
export interface LoadedRecord {
  stored: StoredText
  record: RecordFields
  /** The whole document. */
  value: Value
}

/** Loads a record for its page. Errors: Problem, 404 if it does not exist. */
export function useRecord(kind: DeclaredKind, id: string) {
  return useQuery({
    ...storedQuery({ api: kind.collection }, id),
    select: (stored) => toLoadedRecord(kind, id, stored),
  })
}

function toLoadedRecord(kind: DeclaredKind, id: string, stored: StoredText): LoadedRecord {
  const bounds = { top: 'object', nodesMax: Number.POSITIVE_INFINITY, isAccepted: true } as const
  const reading = readJson(stored.json, bounds)
  if (!reading.ok) {
    throw new Error('The document could not be read. The API still returns its source.')
  }
  const { value } = reading
  return { stored, value, record: toRecordFields(kind, value, id) }
}
