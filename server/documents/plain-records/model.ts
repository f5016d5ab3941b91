import type { PlainRecordKind } from '../../../formats/record/plain-kind.ts'
import type { PlainDocument } from '../../../formats/record/read-plain.ts'
import type { Violation } from '../../platform/errors.ts'
import type { Body } from '../../requests/http/body.ts'
import type { Conditions } from '../../requests/http/conditional.ts'
import type { DocumentReference } from '../../requests/http/document-list.ts'

/**
 * A plain record is a small JSON document without versions, events and search. Each kind is declared in
 * `formats/record/plain-kinds/`; this module stores and serves all of them. A write is one update of one row, because
 * connectors write their state after every event.
 */

/** The key of a plain record. */
export interface PlainRecordKey {
  organizationId: string
  kind: PlainRecordKind['kind']
  /** The external id of the team for kinds whose ids are unique within a team; otherwise empty. */
  scope: string
  id: string
}

/** The resource that a plain record belongs to. */
export interface PlainRecordOwner {
  /** Internal id of the team that the record belongs to; null = it belongs to a data product or to the organization. */
  teamId: string | null
  /** External id of the team whose permission decides; null = only organization owners may write. */
  team: string | null
}

/** A stored plain record, without its key. */
export interface StoredPlainRecord {
  /** JSON text. */
  document: string
  /** The digest of the text, which is the entity tag. */
  digest: string
  /** External id of the data product that it belongs to; null = none. */
  productId: string | null
}

/** A stored plain record and its owner. */
export type OwnedPlainRecord = StoredPlainRecord &
  PlainRecordOwner & {
    /** The whole document, sealed, if the stored one has a masked secret; otherwise null. */
    sealed: Buffer | null
  }

/** A document as it is stored if its kind has a secret: sealed, beside the document with the masked secret. */
export interface SealedDocument {
  sealed: Buffer
  keyId: string
}

/** A plain record as a reader gets it. */
export interface SeenPlainRecord extends StoredPlainRecord {
  /** External id of the team whose permission decides; null = only organization owners may write. */
  team: string | null
}

/** A plain record ready to be written. */
export type PlainRecordRow = StoredPlainRecord & Pick<PlainDocument, 'filterValues'>

/** A plain record as it is written: its secret is masked in the document and sealed beside it. */
export interface ProtectedPlainRecord {
  row: PlainRecordRow
  secret: SealedDocument | undefined
}

/** A document that was read, or all reasons why it cannot be stored. */
export type PlainRecordDraft =
  | { ok: true; row: PlainRecordRow }
  | { ok: false; problems: readonly Violation[] }

/** A PUT or POST of a plain record. */
export interface PlainRecordPut {
  scope: string
  id: string
  body: Body
  conditions: Conditions
  requestId: string
}

/** The filter of a list. */
export interface PlainRecordFilter {
  scope: string
  /** Undefined = of all data products. */
  productId: string | undefined
  /** The texts that the fields must have. */
  values: Readonly<Record<string, string>>
  /** Whether a page after the first is requested, which has all records. */
  isPastEnd?: boolean
}

/** A plain record of a list: its id and its size. */
export type PlainRecordReference = DocumentReference<string> & Pick<PlainDocument, 'filterValues'>

/** Example data of an output port, without the data. */
export interface PortExample {
  id: string
  outputPortId: string | null
  dataContractId: string | null
  bytes: number
}
