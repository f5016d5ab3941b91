import { diffFields } from '../../../formats/diff/document-fields.ts'
import type { RecordFields } from '../../../formats/record/read.ts'
import { readRecord } from '../../../formats/record/read.ts'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'
import {
  newDocumentReading,
  type DocumentReader,
  type ReadDocument,
} from '../../documents/document.ts'
import { recordEntry } from '../../documents/search/entry.ts'

/**
 * A record is a document of a kind that is declared in `formats/record/kinds/`. This module turns a declaration into
 * what the other kinds of documents implement in code.
 */

/** A record as it was read from its document. */
interface ReadRecord extends ReadDocument {
  record: RecordFields
}

/** Creates the reader of a kind of record. */
export function newRecordReader(declared: DeclaredKind): DocumentReader<ReadRecord, null> {
  const { kind, called, shape, paths } = declared
  const { owner = [] } = paths
  return {
    kind,
    nodesMax: NODES_MAX,
    read(source, options) {
      const reading = readRecord(declared, source, options)
      if (!reading.ok) return reading
      const { record } = reading
      return newDocumentReading({ record }, { ...record, format: kind }, reading)
    },
    ownerPath: () => owner,
    buildColumns: ({ record }) => ({
      rank: record.rank === undefined ? null : String(record.rank),
      id_key: declared.ignoresIdCase === true ? toIdKey(record.id) : null,
    }),
    getEntry: ({ record }) => recordEntry(kind, record),
    diff(before, after) {
      const isMoved = before.record.ownerTeamId !== after.record.ownerTeamId
      const decidesPermissions = (field: string): boolean => isMoved && field === owner[0]
      return diffFields(before.value, after.value, { shape, called, decidesPermissions })
    },
    getPlanData: () => null,
  }
}

/** Returns the key of an id that is equal for ids that differ only in their letter case. */
export function toIdKey(id: string): string {
  // Some letters have two capitals: ß and SS.
  return id.toUpperCase().toLowerCase()
}
