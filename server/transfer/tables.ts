// What moves between stores, in an order in which every reference finds what it names.

/** A table as an export writes it. */
export interface MovedTable {
  name: string
  /** Columns in the order in which rows are written; it fixes the order of events too. */
  order: string
  /** Columns that the store makes itself. */
  generated: readonly string[]
}

/**
 * Every table that moves; set-up links belong to an empty store, sessions to a browser, invitations to
 * the address that their link names, reset links to a day, counts of guesses to the moment, staged
 * assets to a worker, the epoch of the feed to a PostgreSQL server.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'organization', order: 'id', generated: [] },
  { name: 'user_account', order: 'id', generated: [] },
  { name: 'organization_member', order: 'organization_id, user_id', generated: [] },
  { name: 'encryption_key', order: 'id', generated: [] },
  { name: 'team', order: 'organization_id, created_at, id', generated: [] },
  { name: 'api_key', order: 'organization_id, created_at, id', generated: [] },
  { name: 'data_product', order: 'organization_id, created_at, external_id', generated: [] },
  { name: 'data_contract', order: 'organization_id, created_at, external_id', generated: [] },
  { name: 'integration', order: 'organization_id, created_at, id', generated: [] },
  { name: 'credential', order: 'organization_id, integration_id, field', generated: [] },
  { name: 'ingestion_run', order: 'organization_id, started_at, id', generated: [] },
  { name: 'ingestion_scope', order: 'organization_id, run_id, scope', generated: [] },
  { name: 'missing_scope', order: 'organization_id, integration_id, scope', generated: [] },
  { name: 'ingestion_log_line', order: 'organization_id, run_id, line', generated: ['line'] },
  { name: 'asset', order: 'organization_id, created_at, external_id', generated: [] },
  { name: 'asset_annotation', order: 'organization_id, asset_id', generated: [] },
  { name: 'asset_statistic', order: 'organization_id, asset_id', generated: [] },
  { name: 'asset_change', order: 'organization_id, run_id, asset_id', generated: [] },
  { name: 'revision', order: 'organization_id, kind, external_id, version', generated: [] },
  // The place of an event belongs to a store: the store that reads it gives it a new one.
  {
    name: 'event',
    order: 'epoch, transaction_id, position',
    generated: ['epoch', 'transaction_id', 'position'],
  },
]

/** The first line of an export. */
export interface ExportHeader {
  portbook: string
  /** The migrations of the store that it comes from, by name. */
  migrations: string[]
}

/** The last line of an export: an export without it was cut. */
export interface ExportFooter {
  rows: Record<string, number>
}

/** The file cannot be imported; the message is one line for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}
