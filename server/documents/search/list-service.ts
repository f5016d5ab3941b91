import type { Database } from '../../platform/tables.ts'
import { hasMatch } from './lookup-store.ts'
import { parseQuery } from './query.ts'
import { NO_MATCHES, relaxQuery } from './query-relaxation-service.ts'
import type { ListMatch } from './search.ts'

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
