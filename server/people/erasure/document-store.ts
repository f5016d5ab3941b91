import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { DOCUMENTS_MAX, SEARCHED_ROWS_MAX, toPage, type DocumentWithAddress } from './erasure.ts'

/** A table with texts of clients, in which the address of a person may be. */
interface TextTable {
  table: string
  /** SQL of the kind and the id of a row. */
  kind: string
  id: string
  /** SQL of its text. */
  text: string
  /** Whether its rows are former versions. */
  isFormer?: boolean
}

const DOCUMENT = { id: 'external_id', text: 'document' }

/** An integration, whose source has logins with addresses as names. */
const SOURCE = {
  kind: `'integration'`,
  id: `(
        select external_id
        from integration
        where integration.organization_id = searched.organization_id
          and integration.id = searched.integration_id
      )`,
}

/** Every table with texts that clients sent or sources reported. Erasing changes none of them. */
export const TEXT_TABLES: readonly TextTable[] = [
  { table: 'team', kind: `'team'`, ...DOCUMENT },
  { table: 'data_product', kind: `'data-product'`, ...DOCUMENT },
  { table: 'data_contract', kind: `'data-contract'`, ...DOCUMENT },
  { table: 'asset', kind: `'asset'`, ...DOCUMENT },
  { table: 'asset_annotation', kind: `'asset'`, id: 'asset_id', text: `coalesce(description, '')` },
  { table: 'catalog_record', kind: 'kind', ...DOCUMENT },
  { table: 'plain_record', kind: 'kind', ...DOCUMENT },
  { table: 'organization_document', kind: 'kind', id: `''`, text: 'document' },
  {
    table: 'access_agreement',
    kind: `'access'`,
    id: 'external_id',
    text: `concat_ws(' ', document, purpose, decision_reason, end_reason, provisioning)`,
  },
  {
    table: 'integration',
    kind: `'integration'`,
    id: 'external_id',
    text: `concat_ws(' ', name, configuration)`,
  },
  { table: 'test_result', kind: `'test-result'`, ...DOCUMENT },
  { table: 'lineage_event', kind: `'lineage-event'`, id: 'id::text', text: 'document' },
  {
    table: 'usage_span',
    kind: `'usage'`,
    id: 'data_product_id',
    text: `concat_ws(' ', user_name, resource, scope, span)`,
  },
  { table: 'usage_day', kind: `'usage'`, id: 'data_product_id', text: 'user_name' },
  { table: 'usage_month', kind: `'usage'`, id: 'data_product_id', text: 'user_name' },
  {
    table: 'drift_finding',
    kind: `'data-contract'`,
    id: 'contract_id',
    text: `coalesce(accepted_reason, '')`,
  },
  { table: 'incident', kind: `'data-contract'`, id: 'contract_id', text: `coalesce(note, '')` },
  { table: 'asset_grant', ...SOURCE, text: 'grantee_name' },
  { table: 'grantee_identity', ...SOURCE, text: 'grantee_name' },
  { table: 'grantee_administrator', ...SOURCE, text: 'grantee_name' },
  { table: 'grantee_member', ...SOURCE, text: `concat_ws(' ', role, member)` },
  {
    table: 'grant_finding',
    ...SOURCE,
    text: `concat_ws(' ', grantee_name, facts, accepted_reason)`,
  },
  { table: 'revision', kind: 'kind', ...DOCUMENT, isFormer: true },
]

/** The documents that contain an address, and whether everything was searched. */
export interface AddressSearch {
  documents: (DocumentWithAddress & { organization: string })[]
  isComplete: boolean
}

/**
 * Lists the documents and reports of some organizations that contain an address, in any letter case of ASCII. With
 * `isLimited` it reads the first rows of each table, and lists the first documents.
 */
export async function listDocumentsWithAddress(
  db: Database,
  organizationIds: readonly string[],
  emailKey: string,
  { isLimited }: { isLimited: boolean },
): Promise<AddressSearch> {
  const found = TEXT_TABLES.map(
    (one) => sql`
      select organization_id, ${sql.raw(one.kind)} as kind, ${sql.raw(one.id)} as id,
        ${sql.lit(one.isFormer === true)} as is_former
      from ${selectRows(one, organizationIds, isLimited)} as searched
      where strpos(lower(${sql.raw(one.text)}), ${emailKey}) > 0`,
  )
  const { rows } = await sql<Omit<AddressSearch['documents'][number], 'page'>>`
    select organization.name as organization, found.kind, found.id,
      bool_and(found.is_former) as "isFormer"
    from (${sql.join(found, sql` union all `)}) as found
    join organization on organization.id = found.organization_id
    group by found.organization_id, organization.name, found.kind, found.id
    order by organization.name, bool_and(found.is_former), found.kind, found.id
    ${isLimited ? sql`limit ${DOCUMENTS_MAX + 1}` : sql``}
  `.execute(db)
  const documents = rows.slice(0, isLimited ? DOCUMENTS_MAX : rows.length)
  return {
    documents: documents.map((row) => ({ ...row, page: toPage(row.kind, row.id) })),
    isComplete:
      !isLimited || (rows.length <= DOCUMENTS_MAX && !(await hasMore(db, organizationIds))),
  }
}

function selectRows(
  { table }: TextTable,
  organizationIds: readonly string[],
  isLimited: boolean,
): RawBuilder<unknown> {
  return sql`(
        select *
        from ${sql.table(table)}
        where organization_id = any(${organizationIds}::uuid[])
        ${isLimited ? sql`limit ${SEARCHED_ROWS_MAX}` : sql``}
      )`
}

async function hasMore(db: Database, organizationIds: readonly string[]): Promise<boolean> {
  const beyond = TEXT_TABLES.map(
    ({ table }) => sql`exists (
      select
      from ${sql.table(table)}
      where organization_id = any(${organizationIds}::uuid[])
      offset ${SEARCHED_ROWS_MAX}
    )`,
  )
  const { rows } = await sql<{ hasMore: boolean }>`
    select ${sql.join(beyond, sql` or `)} as "hasMore"
  `.execute(db)
  return rows[0]?.hasMore === true
}
