import { diffFields } from '../../formats/diff/fields.ts'
import type { RecordFields } from '../../formats/record/read.ts'
import { readRecord } from '../../formats/record/read.ts'
import type { DeclaredKind } from '../../formats/record/kinds.ts'
import { NODES_MAX } from '../../formats/text/json-scan.ts'
import {
  newDocumentReading,
  type DocumentReader,
  type ReadDocument,
} from '../documents/document.ts'
import { recordEntry } from '../search/entry.ts'

/**
 * A record is a document of a kind that is declared in `formats/record/kinds/`. This module turns a declaration into
 * what the other kinds of documents implement in code.
 */

/** A record as it was read from its document. */
export interface ReadRecord extends ReadDocument {
  record: RecordFields
}

/** Creates the reader of a kind of record. */
export function newRecordReader(declared: DeclaredKind): DocumentReader<ReadRecord, null> {
  const { kind, called, shape, paths } = declared
  const { owner = [] } = paths
  const [ownerField] = owner
  const decidesPermissions = (field: string): boolean => field === ownerField
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
    buildColumns: () => ({}),
    getEntry: ({ record }) => recordEntry(kind, record),
    diff: (before, after) =>
      diffFields(before.value, after.value, { shape, called, decidesPermissions }),
    getOutlook: () => null,
  }
}
