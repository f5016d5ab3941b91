import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { ListMatch } from './search.ts'
import { isAllowed, type DocumentKey, type IndexSearch } from './store.ts'

/** A document with its name. */
export interface NamedDocument extends DocumentKey {
  name: string
}

/** Lists the documents among the given ones that match a query and pass the filters, by name. */
export async function listMatchesAmong(
  db: Database,
  search: IndexSearch,
  match: ListMatch | 'everything',
  keys: readonly DocumentKey[],
): Promise<NamedDocument[]> {
  const matches =
    match === 'everything'
      ? sql`true`
      : sql`(
        ts_match_vq(document.words, ${match.query}::tsquery)
        or document.kind = 'data-product' and document.external_id = any(${match.products}::text[])
      )`
  const { rows } = await sql<NamedDocument>`
    select document.kind, document.external_id as id, document.name
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ id }) => id)}::text[])
      as given (kind, external_id)
    cross join lateral (
      select *
      from search_document
      where organization_id = ${search.organizationId}
        and kind = given.kind
        and external_id = given.external_id
      limit 1
    ) as document
    where ${matches}
      and ${isAllowed(search)}
    order by document.name, document.kind, document.external_id
  `.execute(db)
  return rows
}
