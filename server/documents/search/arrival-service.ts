import { ALL_KINDS } from '../../platform/kinds.ts'
import type { Database } from '../../platform/tables.ts'
import { listMatchesAmong, type NamedDocument } from './arrival-store.ts'
import type { CustomFilter } from './custom-field.ts'
import { parseQuery } from './query.ts'
import { NO_MATCHES, relaxQuery } from './query-relaxation-service.ts'
import type { FacetFilters, ListMatch } from './search.ts'
import type { DocumentKey } from './store.ts'

/** A search for new documents. */
export interface ArrivalSearch {
  text: string
  filters: FacetFilters
  custom: readonly CustomFilter[]
}

/**
 * Lists the documents among the given ones that a search finds, by name. The query is not widened: what only resembles
 * it is no news.
 */
export async function findAmong(
  db: Database,
  organizationId: string,
  { text, filters, custom }: ArrivalSearch,
  keys: readonly DocumentKey[],
): Promise<NamedDocument[]> {
  const match = await compileStrictly(db, organizationId, text)
  if (match === undefined || keys.length === 0) return []
  const { resourceType: types } = filters
  const kinds = ALL_KINDS.filter(({ resourceType }) => types?.includes(resourceType))
  const restricted = { ...filters, resourceType: types && kinds.map(({ kind }) => kind) }
  const search = { organizationId, filters: restricted, custom, customFields: [], countedTags: [] }
  return await listMatchesAmong(db, search, match, keys)
}

async function compileStrictly(
  db: Database,
  organizationId: string,
  text: string,
): Promise<ListMatch | 'everything' | undefined> {
  const variants = relaxQuery(db, organizationId, parseQuery(text), () => NO_MATCHES)
  for await (const { index } of variants) {
    return index === undefined ? 'everything' : { query: index.all, products: index.products }
  }
  return undefined
}
