// A plain record is a small JSON document without versions, events and search: the state of a connector, the cost of a
// data product. A kind of plain record is declared as data, like a kind of record (`record-kind.ts`).

import type { ObjectShape } from '../shape/shape.ts'

/**
 * The resource that a plain record belongs to, and the permission on its team that writing requires.
 * - `key`: the team of the API key that created the record; organization owners otherwise
 * - `product`: the data product that the record names in `dataProductId`; the record is deleted with it
 * - `team`: the team in the address; the record is deleted with it
 */
type PlainRecordHolder =
  | { by: 'key'; permission: 'INGESTION_EDIT' }
  | { by: 'product'; permission: 'DATAPRODUCT_EDIT' }
  | { by: 'team'; permission: 'TEAM_EDIT' }

/** The declaration of a kind of plain record. */
export interface PlainRecordKind {
  /** The kind as it is stored: `connector`. */
  kind: string
  /** The last part of the address of its list, below `/api` or below a team: `connectors`. */
  collection: string
  /** The kind in messages: `connector`. */
  called: string
  /** Several of them, in messages: `connectors`. */
  calledMany: string
  /** The name of its schema and of its operations: `Connector`. */
  schemaName: string
  /** The same for lists: `Connectors`. */
  listName: string
  holder: PlainRecordHolder
  /** Whether clients choose the id and PUT the record under it, or POST the record and the server creates a UUID. */
  id: 'of the client' | 'of the server'
  /** The maximum size of a record. */
  bytesMax: number
  /** The maximum number of records of the data product or the team, otherwise of the organization. */
  countMax: number
  /** Fields with text by which lists are filtered, in addition to the data product. */
  filters: readonly string[]
  /** Whether a list needs the filter `dataProductId`. */
  needsProduct?: boolean
  /** A field with an address that only callers with the permission may read; others see its origin. */
  secretAddress?: string
  /** The fields of the document. Unknown fields are allowed and kept. */
  shape: ObjectShape
}

/** The field that names the data product of a plain record. */
export const PRODUCT_FIELD = 'dataProductId'
