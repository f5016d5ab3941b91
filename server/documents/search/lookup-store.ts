import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { restrictToKind, type CommonEntries, type IndexQuery } from './query.ts'
import { matching } from './store.ts'
import { CONTRACT_KEY_LENGTH } from './terms.ts'

/** A team that a term names, or an integration whose assets it owns. */
interface OwnerReference {
  /** The number of the term, from 1. */
  ordinal: number
  kind: 'team' | 'fallback'
  /** Internal. */
  id: string
}

// Of more, only the first ones by id match.
const TEAMS_MAX = 50
const INTEGRATIONS_MAX = 200
// The best ones of these are used.
const CONTRACTS_READ_MAX = 1000
const CONTRACTS_MAX = 100
const PRODUCTS_MAX = 500

/**
 * Finds what terms refer to, each given as an index query: teams by name, and the integrations whose assets
 * they own by default.
 */
export async function listOwnerReferences(
  db: Database,
  organizationId: string,
  queries: readonly string[],
): Promise<OwnerReference[]> {
  const { rows } = await sql<OwnerReference>`
    with teams as materialized (
      select requested.ordinal, team.id
      from unnest(${queries}::text[]::tsquery[]) with ordinality as requested (query, ordinal)
      cross join lateral (
        select external_id
        from search_document
        where organization_id = ${organizationId}
          and kind = 'team'
          and words @@ requested.query
        order by external_id
        limit ${TEAMS_MAX}
      ) as named
      join team on team.organization_id = ${organizationId}
        and team.external_id = named.external_id
    )
    select ordinal::int, 'team' as kind, id::text
    from teams
    union all
    (
      select teams.ordinal::int, 'fallback', integration.id::text
      from teams
      join integration on integration.organization_id = ${organizationId}
        and integration.owner_team_id = teams.id
      order by integration.id
      limit ${INTEGRATIONS_MAX}
    )
  `.execute(db)
  return rows
}

/** Loads the common entries of the index from the statistics of the planner; none before the first analysis. */
export async function loadCommonEntries(db: Database): Promise<CommonEntries> {
  const { rows } = await sql<{ entries: string; counts: string }>`
    select array_to_string(most_common_elems::text::text[], ' ') as entries,
      array_to_string(
        array(
          select round(frequency * greatest(reltuples, 0))
          from unnest(most_common_elem_freqs) with ordinality as common (frequency, ordinal)
          order by ordinal
        ),
        ' '
      ) as counts
    from pg_stats
    join pg_class on oid = 'search_document'::regclass
    where schemaname = current_schema()
      and tablename = 'search_document'
      and attname = 'words'
      and most_common_elems is not null
  `.execute(db)
  const { entries = '', counts = '' } = rows[0] ?? {}
  const numbers = counts.split(' ')
  return new Map(entries.split(' ').map((entry, at) => [entry, Number(numbers[at] ?? 0)]))
}

/** Returns for each index query whether any document matches it. */
export async function checkMatches(
  db: Database,
  organizationId: string,
  queries: readonly string[],
): Promise<boolean[]> {
  const matches = (kind: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
        select from search_document
        where organization_id = ${organizationId}
          and ${kind}
          and words @@ requested.query
      )`
  const { rows } = await sql<{ isMatched: boolean }>`
    select ${matches(sql`kind <> 'asset'`)} or ${matches(sql`kind = 'asset'`)} as "isMatched"
    from unnest(${queries}::text[]::tsquery[]) with ordinality as requested (query, ordinal)
    order by requested.ordinal
  `.execute(db)
  return rows.map(({ isMatched }) => isMatched)
}

/** A contract that matches, or a product with a matching contract on an output port. */
interface ContractMatch {
  kind: 'data-contract' | 'data-product'
  id: string
  /** It has the facts themselves, not only facts that begin with them. */
  isExact: boolean
}

/**
 * Finds the contracts that match an index query by their facts, and the products whose output ports provide
 * them.
 */
export async function listContractMatches(
  db: Database,
  organizationId: string,
  { facts, exact, prefilter }: IndexQuery,
): Promise<ContractMatch[]> {
  const { rows } = await sql<ContractMatch>`
    with contract as materialized (
      select external_id, is_exact, ${contractReference(sql`external_id`)} as reference
      from (
        select external_id, words @@ ${exact}::tsquery as is_exact
        from search_document
        where organization_id = ${organizationId}
          and kind <> 'asset'
          and ${matching({
            all: facts,
            prefilter: restrictToKind('data-contract', prefilter),
          })}
        limit ${CONTRACTS_READ_MAX}
      ) as document
      order by is_exact desc, external_id
      limit ${CONTRACTS_MAX}
    ),
    -- Each query is built once, not for each row.
    product as (
      select external_id,
        coalesce(
          words @@ (select string_agg(reference, ' | ')::tsquery from contract where is_exact),
          false
        ) as is_exact
      from search_document
      where organization_id = ${organizationId}
        and kind <> 'asset'
        and words @@ (select string_agg(reference, ' | ')::tsquery from contract)
      order by is_exact desc, external_id
      limit ${PRODUCTS_MAX}
    )
    select 'data-contract' as kind, external_id as id, is_exact as "isExact"
    from contract
    union all
    select 'data-product', external_id, is_exact
    from product
  `.execute(db)
  return rows
}

// The same as `toReferenceTerm` for a contract id.
function contractReference(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql`'k' || left(encode(sha256(convert_to(${id}, 'UTF8')), 'hex'), ${CONTRACT_KEY_LENGTH})`
}

/** Lists the integrations of an organization by name, up to the number that search considers. */
export async function listIntegrations(
  db: Database,
  organizationId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id::text, name
    from integration
    where organization_id = ${organizationId}
    order by external_id
    limit ${INTEGRATIONS_MAX}
  `.execute(db)
  return rows
}

/** Finds words that share the first or the last half of a word, one of which has no typing error. */
export async function listSimilar(
  db: Database,
  organizationId: string,
  { beginning, end }: { beginning: string; end: string },
  charactersMin: number,
  charactersMax: number,
): Promise<string[]> {
  const reversed = Array.from(end).toReversed().join('')
  const { rows } = await sql<{ word: string }>`
    (
      select distinct word
      from search_word
      where organization_id = ${organizationId}
        and word >= ${beginning}
        and word < ${after(beginning)}
        and length(word) between ${charactersMin} and ${charactersMax}
      limit ${SIMILAR_MAX}
    )
    union
    (
      select distinct word
      from search_word
      where organization_id = ${organizationId}
        and reverse(word) collate "C" >= ${reversed}
        and reverse(word) collate "C" < ${after(reversed)}
        and length(word) between ${charactersMin} and ${charactersMax}
      limit ${SIMILAR_MAX}
    )
  `.execute(db)
  return rows.map(({ word }) => word)
}

// More words than a language has that begin with two letters and are so long.
const SIMILAR_MAX = 5000

// The highest character sorts after every continuation.
function after(beginning: string): string {
  return `${beginning}\u{10ffff}`
}

/** Returns the columns of contracts, one per line. */
export async function listColumns(
  db: Database,
  organizationId: string,
  contractIds: readonly string[],
): Promise<Map<string, { columns: string; synonyms: string }>> {
  const { rows } = await sql<{ id: string; columns: string; synonyms: string }>`
    select external_id as id, left(columns, 200000) as columns, left(synonyms, 100000) as synonyms
    from search_document
    where organization_id = ${organizationId}
      and kind = 'data-contract'
      and external_id = any(${contractIds}::text[])
  `.execute(db)
  return new Map(rows.map(({ id, ...texts }) => [id, texts]))
}

/** Returns whether any document matches a query. */
export async function hasMatch(
  db: Database,
  organizationId: string,
  query: IndexQuery,
): Promise<boolean> {
  const { rows } = await sql<{ isMatched: boolean }>`
    select exists (
      select from search_document
      where organization_id = ${organizationId} and kind <> 'asset' and ${matching(query)}
    )
    or exists (
      select from search_document
      where organization_id = ${organizationId} and kind = 'asset' and ${matching(query)}
    )
    or exists (
      select from search_document
      where organization_id = ${organizationId}
        and kind = 'data-product'
        and external_id = any(${query.products}::text[])
    ) as "isMatched"
  `.execute(db)
  return rows[0]?.isMatched ?? false
}
