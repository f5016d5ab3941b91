import type { Database } from '../../platform/tables.ts'
import { hasMatch } from './lookup-store.ts'
import { parseQuery } from './query.ts'
import { NO_MATCHES, relaxQuery } from './query-relaxation-service.ts'
import type { ListMatch, FacetFilters } from './search.ts'
import { ALL_KINDS } from '../../platform/kinds.ts'
import { listMatchesAmong, type NamedDocument } from './arrival-store.ts'
import type { CustomFilter } from './custom-field.ts'
import type { DocumentKey } from './store.ts'

/**
 * Returns the documents that search finds for a text, for lists that filter by it. Lists are not ranked,
 * so the strictest variant that finds anything counts. `everything` if the text is empty; undefined if
 * nothing can match it.
 */
export async function matchText(
  db: Database,
  organizationId: string,
  text: string,
): Promise<ListMatch | 'everything' | undefined> {
  for await (const { index } of relaxQuery(
    db,
    organizationId,
    parseQuery(text),
    () => NO_MATCHES,
  )) {
    if (index === undefined) return 'everything'
    if (await hasMatch(db, organizationId, index)) {
      return { query: index.all, products: index.products }
    }
  }
  return undefined
}

/** A search for new documents. */
interface ArrivalSearch {
  text: string
  filters: FacetFilters
  custom: readonly CustomFilter[]
}

/**
 * Lists the documents among the given ones that a search finds, by name. The query is not widened: documents that only
 * resemble it cause no notification.
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
