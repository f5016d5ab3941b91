import { sql, type RawBuilder } from 'kysely'
import { selectTeams } from '../../documents/team-filter.ts'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import { selectPage } from '../../requests/http/paging.ts'
import { matchesText } from '../../documents/search/record.ts'
import type { ListMatch } from '../../documents/search/search.ts'
import type { Database } from '../../platform/tables.ts'

/** The conditions of a list of assets: all of them must match. */
interface AssetFilter {
  /** The assets that match the text of the list. */
  match?: ListMatch | undefined
  /** The name or external id of the owning team, from the document, the annotation or the integration. */
  owner?: string | undefined
  source?: string | undefined
}

/** Lists a page of live assets and one more, sorted by creation. */
export async function listReferences(
  db: Database,
  organizationId: string,
  filter: AssetFilter,
  page: number,
): Promise<DocumentReference<string>[]> {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    sql`deleted_at is null`,
    ...toConditions(organizationId, filter),
  ]
  // Only the index is read to skip the assets of earlier pages.
  const { rows } = await sql<DocumentReference<string>>`
    with page as materialized (
      select external_id, created_at
      from asset
      where ${sql.join(conditions, sql` and `)}
      order by created_at, external_id
      ${selectPage(page)}
    )
    select page.external_id as key, sized.bytes
    from page
    cross join lateral (
      select octet_length(coalesce(document_json, document)) as bytes
      from asset
      where organization_id = ${organizationId}
        and external_id = page.external_id
      limit 1
    ) as sized
    order by page.created_at, page.external_id
  `.execute(db)
  return rows
}

/** Lists the live contents of a container by name: one more than `rowsMax` if there are more. */
export async function listContents(
  db: Database,
  organizationId: string,
  parentId: string,
  rowsMax: number,
): Promise<(DocumentReference<string> & { type: string })[]> {
  const { rows } = await sql<DocumentReference<string> & { type: string }>`
    select external_id as key, type, octet_length(coalesce(document_json, document)) as bytes
    from asset
    where organization_id = ${organizationId}
      and parent_id = ${parentId}
      and deleted_at is null
    order by name collate "C", external_id
    limit ${rowsMax + 1}
  `.execute(db)
  return rows
}

function toConditions(
  organizationId: string,
  { match, owner, source }: AssetFilter,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (match !== undefined) conditions.push(matchesText(organizationId, 'asset', match))
  if (source !== undefined) conditions.push(sql`source = ${source}`)
  if (owner !== undefined) conditions.push(ownedBy(organizationId, owner))
  return conditions
}

// The three sources of an owner, in their precedence. The subqueries do not refer to the row, so
// each is executed once and not per row.
function ownedBy(organizationId: string, owner: string): RawBuilder<unknown> {
  const teams = selectTeams(organizationId, owner, 'id')
  const annotated = (condition: RawBuilder<unknown>) => sql`(
    select asset_id
    from asset_annotation
    where organization_id = ${organizationId}
      and ${condition}
  )`
  return sql`(
    owner in ${selectTeams(organizationId, owner, 'external_id')}
    or external_id in ${annotated(sql`owner_team_id in ${teams}`)}
    or integration_id in (
      select id
      from integration
      where organization_id = ${organizationId}
        and owner_team_id in ${teams}
    )
    and external_id not in ${annotated(sql`owner_team_id is not null`)}
  )`
}

/** Returns those of the given ids that existing data contracts have. */
export async function listTakenContractIds(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from data_contract
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
  `.execute(db)
  return rows.map(({ id }) => id)
}
