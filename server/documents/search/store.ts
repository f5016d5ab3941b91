import { sql, type RawBuilder } from 'kysely'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import { listKindsWith } from '../../platform/kinds.ts'
import type { Database } from '../../platform/tables.ts'
import type { IndexQuery } from './query.ts'
import { listPairs, type CustomFilter } from './custom-field.ts'
import { DRIFT_VALUES, NO_TEAM, TRUST_VALUES, type FacetFilters } from './search.ts'

/** The organization and the filters of a search. */
export interface IndexSearch {
  organizationId: string
  /** Filters of resource types contain kinds of documents. */
  filters: FacetFilters
  custom: readonly CustomFilter[]
  /** The custom fields whose values are counted. */
  customFields: readonly string[]
  /** The tags that are counted even if others are more frequent. */
  countedTags: readonly string[]
}

/** A document of the index. */
export interface DocumentKey {
  kind: DocumentKind
  id: string
}

/** A matching row of the index, with its owner. */
export interface FoundRow {
  kind: DocumentKind
  id: string
  name: string
  ownerId: string | null
  ownerName: string | null
  status: string | null
  domain: string | null
  tags: string[]
  source: string | null
  type: string | null
  description: string | null
  /** A line each. */
  columns: string
  ports: string
  /** A line each: the synonym, and after a tab the path of its part. */
  synonyms: string
  classifications: string[]
  /** The contracts of its output ports. */
  contracts: string[]
  integrationName: string | null
  updatedAt: Instant
  /** Null = documents of the kind have no readers. */
  readers: number | null
}

// The part of a column list that is read to explain a result.
const COLUMN_CHARACTERS_READ_MAX = 200_000
const SYNONYM_CHARACTERS_READ_MAX = 100_000

/** Loads documents of the index in a given order, except those that were deleted. */
export async function loadFound(
  db: Database,
  organizationId: string,
  keys: readonly DocumentKey[],
): Promise<FoundRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<FoundRow>`
    with page as materialized (
      select kind, external_id, ordinal
      from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ id }) => id)}::text[])
        with ordinality as given (kind, external_id, ordinal)
    )
    ${selectFound(organizationId)}
  `.execute(db)
  return rows
}

/** SQL fragment: the rows of the result named `page` (kind, external_id, ordinal). */
export function selectFound(organizationId: string): RawBuilder<unknown> {
  return sql`
    select found.kind, found.external_id as id, found.name, owner.external_id as "ownerId",
      owner.name as "ownerName", found.status, found.domain, found.tags, found.source, found.type,
      found.description, left(found.columns, ${COLUMN_CHARACTERS_READ_MAX}) as columns,
      found.ports, left(found.synonyms, ${SYNONYM_CHARACTERS_READ_MAX}) as synonyms, found.classifications, coalesce(product.output_contracts, '{}') as contracts,
      integration.name as "integrationName", found.updated_at as "updatedAt",
      case when found.kind in (${WITH_FORMATS}) then found.readers end as readers
    from page
    join search_document as found on found.organization_id = ${organizationId}
      and found.kind = page.kind
      and found.external_id = page.external_id
    left join integration on integration.organization_id = found.organization_id
      and integration.id = found.integration_id
    left join team as owner on owner.organization_id = found.organization_id
      and owner.id = coalesce(found.owner_team_id, integration.owner_team_id)
    left join data_product as product on found.kind = 'data-product'
      and product.organization_id = found.organization_id
      and product.external_id = found.external_id
    order by page.ordinal`
}

// Written out, because the indexes are partial.
const WITH_FORMATS = sql.join(listKindsWith('isStandardized').map((kind) => sql.lit(kind)))

/** The kinds whose documents need no owner, as an SQL list. */
export const MAYBE_UNOWNED = sql.join(listKindsWith('mayBeUnowned').map((kind) => sql.lit(kind)))

/** The format of a data product or contract, which the index stores as its type; null for others. */
export const FORMAT = sql`case when kind in (${WITH_FORMATS}) then type end`

// Only these have signals.
const TRUSTED_KINDS = sql.join(
  (['data-product', 'data-contract', 'asset'] satisfies DocumentKind[]).map((kind) =>
    sql.lit(kind),
  ),
)

/** SQL expression: the value of the facet `trust` of a row by its alias; null = it has no signals. */
export function selectTrust(alias: string): RawBuilder<unknown> {
  return selectSignal(alias, 'trust', TRUST_VALUES)
}

/** SQL expression: the value of the facet `drift` of a row by its alias; null = it has no signals. */
export function selectDrift(alias: string): RawBuilder<unknown> {
  return selectSignal(alias, 'drift', DRIFT_VALUES)
}

function selectSignal(
  alias: string,
  column: 'trust' | 'drift',
  values: readonly (readonly [string, string])[],
): RawBuilder<unknown> {
  const names = sql.join(values.map(([value]) => sql.lit(value)))
  return sql`case when ${sql.ref(`${alias}.kind`)} in (${TRUSTED_KINDS})
    then (array[${names}])[${sql.ref(`${alias}.${column}`)} + 1] end`
}

/** The columns that filters compare. */
export const FACETED = sql`owner_team_id, integration_id, domain, status, tags, source, type,
  classifications, custom, trust, drift`

/** The kind of document that has custom fields. */
export const CUSTOMIZED_KIND = sql.lit('data-product' satisfies DocumentKind)

/**
 * SQL expression: the values in a row that the custom filters and counts of a search distinguish. Other values
 * are left out, because they would split the groups of documents that are counted together.
 */
export function getCountedPairs({ custom, customFields }: IndexSearch): RawBuilder<unknown> {
  const fields = new Set([...customFields, ...custom.map(({ field }) => field)])
  if (fields.size === 0) return sql`'{}'::text[]`
  return sql`array(
    select pair
    from unnest(custom) as pair
    where split_part(pair, '=', 1) = any(${[...fields]}::text[])
  )`
}

/** Returns whether a search has filters. */
export function isNarrowed({ filters, custom }: IndexSearch): boolean {
  return custom.length > 0 || Object.values(filters).some((values) => values !== undefined)
}

/** SQL condition: a row of the index matches a query. */
export function matching({
  all,
  prefilter,
}: Pick<IndexQuery, 'all' | 'prefilter'>): RawBuilder<unknown> {
  const matches = sql`words @@ ${prefilter}::tsquery`
  // As a function, it is not searched in the index.
  return all === prefilter ? matches : sql`(${matches} and ts_match_vq(words, ${all}::tsquery))`
}

/** SQL condition: the row named `document` passes the filters. */
export function isAllowed(search: IndexSearch): RawBuilder<unknown> {
  const pairs = search.custom.map((filter) => sql`document.custom && ${listPairs(filter)}::text[]`)
  return sql.join([isAllowedByKey(search), ...pairs], sql` and `)
}

/** SQL condition: rows with the same key as the row named `document` can pass the filters. */
export function isAllowedByKey({
  organizationId,
  filters,
  custom,
}: IndexSearch): RawBuilder<unknown> {
  const { resourceType, team, domain, status, tag, source, format, classification } = filters
  const { trust, drift } = filters
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (custom.length > 0) conditions.push(sql`document.kind = ${CUSTOMIZED_KIND}`)
  if (resourceType) conditions.push(sql`document.kind = any(${resourceType}::text[])`)
  if (domain) conditions.push(sql`document.domain = any(${domain}::text[])`)
  if (status) conditions.push(sql`document.status = any(${status}::text[])`)
  if (source) conditions.push(sql`document.source = any(${source}::text[])`)
  if (classification) conditions.push(sql`document.classifications && ${classification}::text[]`)
  if (format) {
    const hasFormat = sql`document.kind in (${WITH_FORMATS})`
    conditions.push(sql`${hasFormat} and document.type = any(${format}::text[])`)
  }
  if (trust) conditions.push(sql`${selectTrust('document')} = any(${trust}::text[])`)
  if (drift) conditions.push(sql`${selectDrift('document')} = any(${drift}::text[])`)
  if (tag) conditions.push(sql`document.tags && ${tag}::text[]`)
  if (team) conditions.push(ownedBy(organizationId, team))
  return sql.join(conditions, sql` and `)
}

function ownedBy(organizationId: string, teams: readonly string[]): RawBuilder<unknown> {
  const ids = sql`
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = any(${teams}::text[])`
  const unowned = teams.includes(NO_TEAM)
    ? sql`or ${isUnowned(organizationId, sql`document`)}`
    : sql``
  return sql`(
    document.owner_team_id in (${ids})
    or document.owner_team_id is null
      and document.integration_id in (
        select id
        from integration
        where organization_id = ${organizationId}
          and owner_team_id in (${ids})
      )
    ${unowned}
  )`
}

// Whether a row of the index can have an owner but has none.
function isUnowned(organizationId: string, row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    ${row}.kind in (${MAYBE_UNOWNED})
    and ${row}.owner_team_id is null
    and not exists (
      select from integration as reporting
      where reporting.organization_id = ${organizationId}
        and reporting.id = ${row}.integration_id
        and reporting.owner_team_id is not null
    )
  )`
}
