import { sql, type RawBuilder } from 'kysely'
import type { ContractPromise } from '../../../formats/reality/promise.ts'
import { appendPromises, deletePromises } from '../../ledger/promises/record.ts'
import type { Database } from '../../platform/tables.ts'

/** The documents whose promises, named assets or paths are filled. */
export type FilledTable = 'data_contract' | 'data_product' | 'asset'

/** A document whose derived columns are of another version, or of other rules. */
export interface UnfilledDocument {
  organizationId: string
  id: string
  version: number
  document: string
  mediaType: string
}

/** Returns the rules by which the documents were filled last; undefined = they never were. */
export async function findRules(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ rules: number }>`
    select rules
    from reality_build
  `.execute(db)
  return rows[0]?.rules
}

/** Notes new rules, in the transaction that prepares to fill all documents again. */
export async function updateRules(db: Database, rules: number): Promise<void> {
  await sql`
    insert into reality_build (rules)
    values (${rules})
    on conflict (only_row) do update
    set rules = excluded.rules
  `.execute(db)
}

/** Makes every document of a table one to be filled. */
export async function resetVersions(db: Database, table: FilledTable): Promise<void> {
  await sql`
    update ${sql.table(table)}
    set reality_version = null
    where reality_version is not null
  `.execute(db)
}

const BYTES_MAX = 8 * 1024 * 1024

/** Lists the next documents to fill, at most 100, fewer if they are large. */
export async function listUnfilled(db: Database, table: FilledTable): Promise<UnfilledDocument[]> {
  const isRegistered = table === 'asset' ? sql`and integration_id is null` : sql``
  const { rows } = await sql<UnfilledDocument>`
    with page as (
      select organization_id, external_id, octet_length(document) as bytes
      from ${sql.table(table)}
      where reality_version is distinct from version
        ${isRegistered}
      order by organization_id, external_id
      limit 100
    ),
    sized as (
      select organization_id, external_id, row_number() over place as ordinal, sum(bytes) over place as bytes
      from page
      window place as (order by organization_id, external_id)
    )
    select stored.organization_id as "organizationId", stored.external_id as id, stored.version,
      coalesce(stored.document_json, stored.document) as document,
      case when stored.document_json is null then stored.media_type else 'application/json' end as "mediaType"
    from sized
    join ${sql.table(table)} as stored using (organization_id, external_id)
    where sized.bytes <= ${BYTES_MAX} or sized.ordinal = 1
    order by organization_id, external_id
  `.execute(db)
  return rows
}

/**
 * Fills the columns of a document, with the promises of a contract, in one statement. Returns false if it has another version
 * now.
 */
export async function fillDocument(
  db: Database,
  table: FilledTable,
  { organizationId, id, version }: UnfilledDocument,
  filled: { column?: RawBuilder<unknown>; promises?: readonly ContractPromise[] },
): Promise<boolean> {
  const { column, promises } = filled
  const { rows } = await sql`
    with written as (
      update ${sql.table(table)}
      set reality_version = version ${column === undefined ? sql`` : sql`, ${column}`}
      where organization_id = ${organizationId}
        and external_id = ${id}
        and version = ${version}
      returning external_id, version
    )
    ${
      promises === undefined
        ? sql``
        : sql`, promised as (${appendPromises(organizationId, promises)}
    ),
    unpromised as (${deletePromises(organizationId, promises)}
    )`
    }
    select external_id from written
  `.execute(db)
  return rows.length > 0
}

/** Lists the integrations with their configurations. */
export async function listIntegrations(
  db: Database,
): Promise<{ organizationId: string; id: string; source: string; configuration: unknown }[]> {
  const { rows } = await sql<{
    organizationId: string
    id: string
    source: string
    configuration: unknown
  }>`
    select organization_id as "organizationId", id, source, configuration
    from integration
    order by organization_id, id
  `.execute(db)
  return rows
}

/** Lists the organizations with a missing table whose source was not read for longer than it proves anything. */
export async function listOutdated(
  db: Database,
): Promise<{ organizationId: string; integrationId: string }[]> {
  const { rows } = await sql<{ organizationId: string; integrationId: string }>`
    select distinct on (link.organization_id) link.organization_id as "organizationId",
      integration.id as "integrationId"
    from asset_link as link
    join integration on integration.organization_id = link.organization_id
    where link.state = 'not_found'
  `.execute(db)
  return rows
}
