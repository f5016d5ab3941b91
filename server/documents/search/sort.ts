import { sql, type RawBuilder } from 'kysely'
import type { IndexQuery } from './query.ts'
import type { Sort } from './search.ts'

/** A page of results. */
export interface ResultPage {
  offset: number
  limit: number
  sort: Sort
}

// Equal ones by name and id. Documents of two kinds may have the same id.
const BY_NAME = sql`name_key, external_id, kind`

const ORDERS: Readonly<Record<Exclude<Sort, 'relevance'>, RawBuilder<unknown>>> = {
  name: BY_NAME,
  changed: sql`updated_at desc, ${BY_NAME}`,
  readers: sql`readers desc, ${BY_NAME}`,
}

/**
 * SQL fragment: the order of results, which is the same on every page. By relevance, a match at the beginning of a name is
 * as good as one inside it: data products come first, then contracts. Of one kind, the beginning and shorter names do.
 */
export function orderBy(sort: Sort, query: IndexQuery | undefined): RawBuilder<unknown> {
  if (sort !== 'relevance') return ORDERS[sort]
  if (query === undefined) return sql`standing, name_key, external_id`
  return sql`case when tier = 2 then 1 else tier end, standing, tier,
        case when tier between 1 and 2 then length(name_key) else 0 end,
        name_key, external_id`
}
