import { sql, type RawBuilder } from 'kysely'
import type { DocumentReference } from '../http/document-list.ts'
import { PAGE_ELEMENTS_MAX } from '../http/paging.ts'
import { matchesText } from '../search/record.ts'
import type { ListMatch } from '../search/search.ts'
import type { Database } from '../tables.ts'

/** Which assets a list shows: every condition that is given must hold. */
export interface AssetFilter {
  /** The assets that match the text of the list. */
  match?: ListMatch | undefined
  /** External id of the team that owns them, by document, people or integration. */
  owner?: string | undefined
  source?: string | undefined
}

/** Lists a page of live assets and one more, in the order of their creation. */
export async function listReferences(
  db: Database,
  organizationId: string,
  filter: AssetFilter,
  page: number,
): Promise<DocumentReference<string>[]> {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    sql`deleted_at is null`,
    ...conditionsOf(organizationId, filter),
  ]
  // The assets of the pages before are passed over in the index alone.
  const { rows } = await sql<DocumentReference<string>>`
    with page as materialized (
      select external_id, created_at
      from asset
      where ${sql.join(conditions, sql` and `)}
      order by created_at, external_id
      offset ${page * PAGE_ELEMENTS_MAX}
      limit ${PAGE_ELEMENTS_MAX + 1}
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

/** Lists what a container holds, live, by name: one more than `rowsMax` tells that there is more. */
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

function conditionsOf(
  organizationId: string,
  { match, owner, source }: AssetFilter,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (match !== undefined) conditions.push(matchesText(organizationId, 'asset', match))
  if (source !== undefined) conditions.push(sql`source = ${source}`)
  if (owner !== undefined) conditions.push(ownedBy(organizationId, owner))
  return conditions
}

// Three ways to own, the nearer before the farther. None of the questions names the row's columns, so
// each is asked once and not for each row.
function ownedBy(organizationId: string, owner: string): RawBuilder<unknown> {
  const team = sql`(
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = ${owner}
  )`
  const annotated = (condition: RawBuilder<unknown>) => sql`(
    select asset_id
    from asset_annotation
    where organization_id = ${organizationId}
      and ${condition}
  )`
  return sql`(
    owner = ${owner}
    or external_id in ${annotated(sql`owner_team_id = ${team}`)}
    or integration_id in (
      select id
      from integration
      where organization_id = ${organizationId}
        and owner_team_id = ${team}
    )
    and external_id not in ${annotated(sql`owner_team_id is not null`)}
  )`
}

/** Lists those of the given ids that data contracts have. */
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
