/**
 * Fills an organization with rows in every table that grows, so that `verify` finds nothing. Texts, digests, columns,
 * seals and search entries come from the product's own functions; equal sizes give equal documents.
 */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { insertSeal, insertSealings } from '../../server/ledger/activity/seal-store.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
import { addMember, createOrganization } from '../../server/people/organizations/service.ts'
import { ensureIndex } from '../../server/documents/search/rebuild-service.ts'
import type { Store } from '../../server/store.ts'
import { eventually } from '../eventually.ts'
import { copyRows } from './copy.ts'
import {
  listAgreements,
  listAssets,
  listDocuments,
  listPlainRecords,
  listTeams,
  type Filled,
  type Range,
} from './documents.ts'
import { AGREEMENT_HISTORY, ENTRIES, HISTORY, REPORTS } from './reports.ts'

/** The number of rows of an organization. */
export interface StoreSize {
  /** Data products, data contracts and records. */
  documents: number
  assets: number
  /** Entries of the activity. */
  entries: number
  /** Of everything else: agreements, plain records, events of lineage, results of tests, spans, deliveries. */
  others: number
}

const EMPTY: StoreSize = { documents: 0, assets: 0, entries: 0, others: 0 }

// Settled transactions only are sealed; those of other databases of the server delay it.
const SEALED_MS_MAX = 120_000

/** Creates an organization with a person and an integration. */
export async function createFilled({ db }: Pick<Store, 'db'>): Promise<Filled> {
  const organizationId = await createOrganization(db, 'Large')
  const email = `${organizationId}@velmora.example`
  await addMember(db, organizationId, { email, passwordHash: 'none', role: 'Owner' })
  const integrationId = randomUUID()
  await sql`
    insert into integration (
      organization_id, id, external_id, name, source, configuration, schedule_time_zone, enabled,
      version, created_at, updated_at, updated_by
    )
    values (
      ${organizationId}, ${integrationId}, 'warehouse', 'Warehouse', 'postgres', '{}', 'UTC', false, 1,
      now(), now(), 'system'
    )
  `.execute(db)
  await sql`
    insert into encryption_key (id, sealed) values ('00000001', '') on conflict do nothing
  `.execute(db)
  return { organizationId, integrationId }
}

/**
 * Adds rows to an organization until it has `to`, if it has `from`. `db` must allow long statements. `sealedAtOnce` is
 * the number of entries of a seal.
 */
export async function fillLargeStore(
  { db, connection }: Pick<Store, 'db' | 'connection'>,
  filled: Filled,
  to: StoreSize,
  { from = EMPTY, sealedAtOnce = 1000 }: { from?: StoreSize; sealedAtOnce?: number } = {},
): Promise<void> {
  const client = new Client(connection)
  await client.connect()
  try {
    const documents: Range = [from.documents, to.documents]
    const others: Range = [from.others, to.others]
    const run = async (statement: string, [first, end]: Range = [0, 0]): Promise<void> => {
      const values = [filled.organizationId, String(first), String(end)]
      const used = values.filter((_, at) => statement.includes(`$${at + 1}`))
      await client.query(statement, used)
    }
    await copyRows(client, 'team', listTeams(filled, documents))
    for (const table of ['data_contract', 'data_product', 'catalog_record'] as const) {
      await copyRows(client, table, listDocuments(filled, documents, table))
    }
    await copyRows(client, 'asset', listAssets(filled, [from.assets, to.assets]))
    await copyRows(client, 'plain_record', listPlainRecords(filled, others))
    // Nothing is analyzed while it is filled.
    await client.query('set enable_nestloop = off; set enable_mergejoin = off; set jit = off')
    for (const statement of HISTORY) await run(statement)
    await fillAgreements(client, filled, others)
    for (const statement of AGREEMENT_HISTORY) await run(statement)
    for (const statement of REPORTS) await run(statement, others)
    await run(ENTRIES, [from.entries, to.entries])
  } finally {
    await client.end()
  }
  await sealAll(db, filled, sealedAtOnce)
  await sql`delete from search_build`.execute(db)
  await ensureIndex(db)
}

async function fillAgreements(client: Client, filled: Filled, range: Range): Promise<void> {
  const agreements = [...listAgreements(filled, range)]
  await client.query('drop table if exists presented')
  await client.query('create temporary table presented (id text primary key, text text)')
  await copyRows(
    client,
    'access_agreement',
    agreements.map(({ row }) => row),
  )
  await copyRows(
    client,
    'presented',
    agreements.map(({ row, text }) => ({ id: row['external_id'], text })),
  )
}

async function sealAll(
  db: Store['db'],
  { organizationId }: Filled,
  sealedAtOnce: number,
): Promise<void> {
  await insertSealings(db)
  await eventually(
    SEALED_MS_MAX,
    async () => {
      while ((await insertSeal(db, storeClock, organizationId, sealedAtOnce)) !== undefined);
      const { rows } = await sql`
        select
        from activity_entry as entry
        join activity_sealing as sealing on sealing.organization_id = entry.organization_id
        where entry.organization_id = ${organizationId}
          and (entry.epoch, entry.transaction_id, entry.position)
            > (sealing.epoch, sealing.transaction_id, sealing.position)
        limit 1
      `.execute(db)
      return rows.length === 0
    },
    'all entries are sealed',
  )
}
