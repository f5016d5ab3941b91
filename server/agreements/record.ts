import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../ledger/activity/entry.ts'
import { appendActivity, type NewEntry } from '../ledger/activity/record.ts'
import type { AccessEventName } from '../ledger/events/event.ts'
import { appendListedEvents, type ListedEvent } from '../ledger/events/record.ts'
import { AGREEMENT_KIND, type AgreementKey } from './agreement.ts'

/**
 * SQL fragment, `update access_agreement …`, for the statement that writes a data product: its agreements, and those of
 * which it is the consumer, belong to the team that owns it from then on. It reads the result named `written`.
 */
export function moveAgreements(
  organizationId: string,
  productId: string,
  owner: string,
): RawBuilder<unknown> {
  return sql`
    update access_agreement as agreement
    set provider_team = case
        when agreement.provider_product = ${productId} then ${owner} else agreement.provider_team
      end,
      consumer_team = case
        when agreement.consumer_product = ${productId} then ${owner} else agreement.consumer_team
      end
    from written
    where agreement.organization_id = ${organizationId}
      and (
        agreement.provider_product = ${productId} and agreement.provider_team <> ${owner}
        or agreement.consumer_product = ${productId}
          and agreement.consumer_team is distinct from ${owner}
      )`
}

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

/** The events of an agreement that a statement changes, in order, and the actions of its entries. */
interface AgreementEvents extends AgreementKey {
  events: readonly ListedEvent[]
  actions: readonly string[]
}

/** Lists events of an agreement, each with an entry, such as its approval and its activation. */
export function listChanges(
  { organizationId, id }: AgreementKey,
  names: readonly AccessEventName[],
): AgreementEvents {
  const events = names.map((name) => ({ organizationId, subject: id, name }))
  return { organizationId, id, events, actions: names.map(toAction) }
}

// `AccessApprovedEvent` → `approved`, `AccessReassessmentDueEvent` → `reassessment-due`.
function toAction(name: AccessEventName): string {
  const words = name.replace(/^Access/, '').replace(/Event$/, '')
  return words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}

/**
 * SQL fragment, `announced as (…), recorded as (…)`: the events of changed agreements and the entries of the activity.
 * It reads the named result with the columns of the key, of the version, of the output port and of the teams, and with
 * the time of the change. `entry` has further members, which may use the rows of `joins`.
 */
export function appendEvents(
  changes: readonly AgreementEvents[],
  { principal, requestId }: ActivityActor,
  {
    result,
    entry,
    joins = sql``,
  }: {
    result: 'written' | 'removed'
    entry: Partial<NewEntry>
    joins?: RawBuilder<unknown>
  },
): RawBuilder<unknown> {
  const timeColumn = result === 'written' ? 'updated_at' : 'removed_at'
  const row = sql.table(result)
  const origin = { organizationId: sql`${row}.organization_id`, principal, requestId }
  const actions = changes.flatMap(({ organizationId, id, actions: names }) =>
    names.map((action) => ({ organization_id: organizationId, external_id: id, action })),
  )
  const whole: NewEntry = {
    kind: AGREEMENT_KIND,
    action: sql`happened.action`,
    at: sql.ref(`${result}.${timeColumn}`),
    subject: sql`${row}.external_id`,
    name: sql`${row}.provider_product || ' / ' || ${row}.output_port`,
    team: sql`${row}.provider_team`,
    ...entry,
  }
  const happened = sql`
    from ${row}
    join rows from (
      json_to_recordset(${JSON.stringify(actions)}::json) as (
        organization_id uuid, external_id text, action text
      )
    ) with ordinality as happened (organization_id, external_id, action, ordinal)
      on happened.organization_id = ${row}.organization_id
      and happened.external_id = ${row}.external_id
    ${joins}
    order by happened.ordinal`
  const owners = sql`array_remove(array[changed.provider_team, changed.consumer_team], null)`
  const events = changes.flatMap((change) => change.events)
  return sql`announced as (${appendListedEvents({ kind: AGREEMENT_KIND, principal }, events, { result, timeColumn, owners })}
    ),
    recorded as (${appendActivity(origin, whole, happened)}
    )`
}

// Changes of data products and contracts set some columns of agreements without a new version of the agreement. A
// statement that replaces an agreement by one that was read before keeps them.

/** The members of an agreement that change with the owner of a data product. */
export const MOVED_WITH_PRODUCTS: ReadonlySet<string> = new Set(['providerTeam', 'consumerTeam'])

// An agreement that stays with its data products keeps its teams.
function keepTeam(side: 'provider' | 'consumer'): RawBuilder<unknown> {
  const [product, team] = [sql.ref(`${side}_product`), sql.ref(`${side}_team`)]
  return sql`${team} = case
          when agreement.${product} = given.${product} then agreement.${team}
          else given.${team}
        end`
}

// A new approval is one of the contract as it is now; every other change keeps the mark of a changed contract.
function keepUnlessApproved(name: string): RawBuilder<unknown> {
  const column = sql.ref(name)
  return sql`${column} = case
          when given.status = 'approved' and given.decided_at is distinct from agreement.decided_at
            then null
          else agreement.${column}
        end`
}

/** SQL fragment, assignments of `update access_agreement as agreement … from given`. */
export const keepFollowed: RawBuilder<unknown> = sql.join([
  keepTeam('provider'),
  keepTeam('consumer'),
  keepUnlessApproved('contract_changed_at'),
  keepUnlessApproved('contract_changed_level'),
])
