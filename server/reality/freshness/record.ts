import { sql, type RawBuilder } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { FreshnessState } from './freshness.ts'

// SQL fragments about rows of `promise_freshness`, for the stores of other folders.

/** SQL fragment: the state of a row, by its alias, at an instant. It equals `getFreshnessState`. */
export function selectFreshnessState(
  alias: string,
  now: RawBuilder<Instant>,
): RawBuilder<FreshnessState> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`)
  return sql<FreshnessState>`case
      when ${column('unknown_because')} is not null then 'unknown'
      when ${column('late_at')} is null or ${now} < ${column('late_at')} then 'fresh'
      when ${column('is_confirmed')} or ${column('evidence')} = 'lineage' then 'late'
      else 'unknown'
    end`
}
