import { sql, type RawBuilder } from 'kysely'
import { CHUNK_BYTES_MAX, type DocumentReference } from '../requests/http/document-list.ts'
import { selectPage } from '../requests/http/paging.ts'
import { getRows, type DocumentKind } from '../platform/kinds.ts'
import type { CustomFilter } from './search/custom-field.ts'
import { hasCustomFields, matchesText } from './search/record.ts'
import { selectTeams } from './team-filter.ts'
import { NO_TEAM, type ListMatch } from './search/search.ts'
import type { Database } from '../platform/tables.ts'
import type { Order } from './query.ts'

/** The filters of a list; a document must match all of them. */
export interface DocumentFilter {
  /** Only documents that match the text of the list. */
  match?: ListMatch | undefined
  /** The words of that text, for former versions: each must begin a term. */
  words?: readonly string[] | undefined
  teamIds?: readonly string[] | undefined
  domainIds?: readonly string[] | undefined
  /** The name or external id of the owning team, in any letter case. */
  owner?: string | undefined
  /** The name or id of the domain, in any letter case. */
  domain?: string | undefined
  status?: string | undefined
  tag?: string | undefined
  /** The required custom fields, which only current data products have in the index. */
  custom?: readonly CustomFilter[]
  /** The required values of columns that only this kind of document has, by column. */
  own?: Readonly<Record<string, string | undefined>> | undefined
}

type Condition = RawBuilder<unknown>

/** A page of a list of documents. */
interface ListPage {
  organizationId: string
  kind: DocumentKind
  filter: DocumentFilter
  sort: Order
  page: number
  /** Absent = 1000. */
  elementsMax?: number
}

/** A document of a page. */
interface ListedReference extends DocumentReference<string> {
  format: string
  /** The document as JSON; null after the first chunk of the page. */
  document: string | null
}

/**
 * Lists a page of documents, and one more if there is a next page. The documents of its first chunk, which most pages do
 * not exceed, are loaded by the same statement. The ids of earlier pages are skipped in the index: reading their rows
 * would make the last page of a long list ten times as slow as the first.
 */
export async function listReferences(
  db: Database,
  { organizationId, kind, filter, sort, page, elementsMax }: ListPage,
): Promise<ListedReference[]> {
  const rows = sql.raw(getRows(kind))
  const conditions = currentConditions(organizationId, kind, filter)
  const result = await sql<ListedReference>`
    with page as materialized (
      select external_id, row_number() over () as position
      from (
        select external_id
        from ${rows} as stored
        where ${sql.join([sql`organization_id = ${organizationId}`, ...conditions], sql` and `)}
        order by ${currentOrder(sort)}, external_id
        ${selectPage(page, elementsMax)}
      ) as sorted
    ),
    listed as (
      select position, stored.*, octet_length(document) as bytes
      from page
      cross join lateral (
        select external_id as key, format, coalesce(document_json, document) as document
        from ${rows} as candidate
        where organization_id = ${organizationId}
          and external_id = page.external_id
        limit 1
      ) as stored
    )
    select key, format, bytes,
      case when sum(bytes) over (order by position) <= ${CHUNK_BYTES_MAX} then document end as document
    from listed
    order by position
  `.execute(db)
  return result.rows
}

/** A document of a list as JSON. */
interface ListedDocument {
  id: string
  document: string
}

/** Loads documents by id, in the given order, without those that were deleted in the meantime. */
export async function loadDocuments(
  db: Database,
  kind: DocumentKind,
  organizationId: string,
  externalIds: readonly string[],
): Promise<ListedDocument[]> {
  const { rows } = await sql<ListedDocument>`
    select stored.external_id as id, coalesce(stored.document_json, stored.document) as document
    from unnest(${externalIds}::text[]) with ordinality as requested (external_id, ordinal)
    join ${sql.raw(getRows(kind))} as stored on stored.organization_id = ${organizationId}
      and stored.external_id = requested.external_id
    order by requested.ordinal
  `.execute(db)
  return rows
}

function currentConditions(
  organizationId: string,
  kind: DocumentKind,
  filter: DocumentFilter,
): Condition[] {
  const { match, teamIds, domainIds, owner, domain, status, tag, custom = [], own = {} } = filter
  return [
    match && matchesText(organizationId, kind, match),
    teamIds &&
      sql`(owner_team_id in (
        select id
        from team
        where organization_id = ${organizationId}
          and external_id = any(${teamIds}::text[])
      )${teamIds.includes(NO_TEAM) ? sql` or owner_team_id is null` : sql``})`,
    domainIds && sql`domain = any(${domainIds}::text[])`,
    owner !== undefined && sql`owner_team_id in ${selectTeams(organizationId, owner, 'id')}`,
    domain !== undefined && isDomain(organizationId, sql`domain`, domain),
    status !== undefined && sql`status = ${status}`,
    tag !== undefined && sql`${tag} = any(tags)`,
    custom.length > 0 && hasCustomFields(organizationId, kind, custom),
    ...ownConditions(own, (name) => sql.ref(name)),
  ].filter((condition) => typeof condition === 'object')
}

/** The same conditions on the facts of former versions. */
export function formerConditions(organizationId: string, filter: DocumentFilter): Condition[] {
  const { words, teamIds, domainIds, owner, domain, status, tag, own = {} } = filter
  return [
    words &&
      sql`array_to_tsvector(array(select jsonb_array_elements_text(facts->'words')))
        @@ ${prefixQuery(words)}::tsquery`,
    teamIds && sql`coalesce(facts->>'ownerId', ${NO_TEAM}) = any(${teamIds}::text[])`,
    domainIds && sql`facts->>'domain' = any(${domainIds}::text[])`,
    owner !== undefined &&
      sql`facts->>'ownerId' in ${selectTeams(organizationId, owner, 'external_id')}`,
    domain !== undefined && isDomain(organizationId, sql`facts->>'domain'`, domain),
    status !== undefined && sql`facts->>'status' = ${status}`,
    tag !== undefined && sql`facts->'tags' ? ${tag}::text`,
    ...ownConditions(own, (name) => sql`facts->>${sql.lit(name)}`),
  ].filter((condition) => typeof condition === 'object')
}

// A document names its domain by any text, or by the name or the id of a team.
function isDomain(organizationId: string, value: Condition, text: string): Condition {
  const ids = selectTeams(organizationId, text, 'external_id')
  const names = selectTeams(organizationId, text, 'name')
  return sql`(lower(${value}) = lower(${text}) or ${value} in ${ids} or ${value} in ${names})`
}

function ownConditions(
  own: NonNullable<DocumentFilter['own']>,
  getColumn: (name: string) => Condition,
): Condition[] {
  return Object.entries(own).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${getColumn(name)} = ${value}`],
  )
}

/** The same orders on the facts of former versions. */
export function formerOrder(sort: Order): RawBuilder<unknown> {
  return orderBy(sort, {
    name: sql`facts->>'name'`,
    createdAt: sql`created_at`,
    updatedAt: sql`valid_from`,
    id: sql`external_id`,
    rank: sql`facts->>'rank'`,
  })
}

function currentOrder(sort: Order): RawBuilder<unknown> {
  return orderBy(sort, {
    name: sql`name`,
    createdAt: sql`created_at`,
    updatedAt: sql`updated_at`,
    id: sql`external_id`,
    rank: sql`rank`,
  })
}

// Names and ids are compared by bytes, so the order does not depend on the locale of the database.
function orderBy(
  sort: Order,
  by: Readonly<Record<'name' | 'createdAt' | 'updatedAt' | 'id' | 'rank', RawBuilder<unknown>>>,
): RawBuilder<unknown> {
  switch (sort) {
    case 'name':
      return sql`${by.name} collate "C"`
    case '-name':
      return sql`${by.name} collate "C" desc`
    case 'createdAt':
      return by.createdAt
    case '-createdAt':
      return sql`${by.createdAt} desc`
    case 'updatedAt':
      return by.updatedAt
    case '-updatedAt':
      return sql`${by.updatedAt} desc`
    case 'id':
      return by.id
    case 'rank':
      return sql`(${by.rank})::numeric nulls last`
  }
}

// Words only have letters and digits, so they contain no operators.
function prefixQuery(words: readonly string[]): string {
  return words.map((word) => `'${word}':*`).join(' & ')
}
