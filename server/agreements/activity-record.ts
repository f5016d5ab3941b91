import { sql, type RawBuilder } from 'kysely'
import type { ListedEvent } from '../ledger/events/record.ts'

const REASON_CHARACTERS = 200

// The terms that decisions change. A statement does not see its own changes, so the table has the former ones.
function selectTerms(table: 'former' | 'written'): RawBuilder<unknown> {
  const row = sql.table(table)
  return sql`jsonb_build_object(
          'state', ${row}.state, 'startOn', ${row}.start_on, 'endOn', ${row}.end_on,
          'reassessOn', ${row}.reassess_on, 'roles', ${row}.roles
        )`
}

/**
 * The SQL expression for the details of an entry of an agreement: its state and consumer, the terms before and after, and
 * the reason of a decision or a cancellation. It reads the rows `written`, `former` (its columns are null = a new agreement) and `happened`.
 */
export const ENTRY_DETAILS = sql`jsonb_build_object(
        'state', written.state, 'consumerType', written.consumer_type,
        'consumer', coalesce(
          written.consumer_product, written.consumer_team, written.consumer_user::text
        ),
        'after', ${selectTerms('written')}
      ) || case
        when former.external_id is null then '{}'
        else jsonb_build_object('before', ${selectTerms('former')})
      end || case
        when happened.action in ('approved', 'rejected') and written.decision_reason <> ''
          then jsonb_build_object('reason', left(written.decision_reason, ${REASON_CHARACTERS}))
        when happened.action = 'canceled' and written.end_reason <> ''
          then jsonb_build_object('reason', left(written.end_reason, ${REASON_CHARACTERS}))
        else '{}'
      end`

/** Returns the action of an event: `AccessApprovedEvent` → `approved`, `AccessReassessmentDueEvent` → `reassessment-due`. */
export function toAction(name: ListedEvent['name']): string {
  const words = name.replace(/^Access/, '').replace(/Event$/, '')
  return words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}
