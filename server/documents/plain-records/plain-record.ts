import { hash } from 'node:crypto'
import type { PlainRecordKind } from '../../../formats/record/plain-record-kind.ts'
import { readPlainRecord, type PlainDocument } from '../../../formats/record/read-plain.ts'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'
import type { Violation } from '../../platform/errors.ts'
import type { Body } from '../../requests/http/body.ts'
import { readDocument } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/**
 * A plain record is a small JSON document without versions, events and search. Each kind is declared in
 * `formats/record/plain-kinds/`; this module stores and serves all of them. A write is one update of one row, because
 * connectors write their state after every event.
 */

/** The address of a plain record within its organization and kind. */
export interface PlainRecordAddress {
  /** The external id of the team for kinds whose ids are unique within a team; otherwise empty. */
  scope: string
  id: string
}

/** The key of a plain record. */
export interface PlainRecordKey extends PlainRecordAddress {
  organizationId: string
  kind: PlainRecordKind['kind']
}

/** The resource that a plain record belongs to. */
export interface PlainRecordOwner {
  /** Internal id of the team that the record belongs to; null = it belongs to a data product or to the organization. */
  teamId: string | null
  /** External id of the team whose permission decides; null = only organization owners may write. */
  team: string | null
}

/** A plain record ready to be written; its digest is that of the text, and its entity tag. */
export type PlainRecordRow = PlainDocument & { digest: string }

/** A stored plain record and its owner. */
export type StoredPlainRecord = Omit<PlainRecordRow, 'filterValues'> &
  PlainRecordOwner & {
    /** The whole document, sealed, if the stored one has a masked secret; otherwise null. */
    sealed: Buffer | null
  }

/** A plain record as a reader gets it. */
export type SeenPlainRecord = Omit<StoredPlainRecord, 'teamId' | 'sealed'>

/** A plain record that was just written, with its team. */
export type WrittenPlainRecord = PlainRecordRow & Pick<PlainRecordOwner, 'team'>

/** A document as it is stored if its kind has a secret: sealed, beside the document with the masked secret. */
export interface SealedDocument {
  sealed: Buffer
  keyId: string
}

/** A document that was read, or all reasons why it cannot be stored. */
export type PlainRecordDraft =
  | { ok: true; row: PlainRecordRow }
  | { ok: false; problems: readonly Violation[] }

/** Creates the task that reads the documents of a kind, under the id of a request. Errors: those of `readDocument`. */
export function newPlainRecordTask(
  kind: PlainRecordKind,
): Task<Body & { id: string }, PlainRecordDraft> {
  return {
    name: `${kind.kind}/read`,
    run({ id, ...body }) {
      const reading = readPlainRecord(kind, readDocument(body, { nodesMax: NODES_MAX }), id)
      if (!reading.ok) return reading
      const { record } = reading
      return { ok: true, row: { ...record, digest: hash('sha256', record.document) } }
    },
  }
}
