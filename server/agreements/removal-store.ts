import { sql, type RawBuilder } from 'kysely'
import { recordActivity, type NewEntry } from '../ledger/activity/record.ts'
import { recordListedEvents, type ListedEvent } from '../ledger/events/record.ts'
import { nextUpdatedAt, recordDeletion } from '../ledger/history/record.ts'
import type { Clock } from '../platform/kit/clock.ts'
import { AUDIENCE, recordNotifications } from '../notices/notifications/record.ts'
import type { Database } from '../platform/tables.ts'
import { toAction } from './activity-record.ts'
import { AGREEMENT_KIND, type Agreement } from './agreement.ts'
import { listSides } from './record.ts'
import type { AgreementChange } from './store.ts'

// An entry for each event: access in force ends before the agreement is deleted.
const ENTRY: NewEntry = {
  kind: AGREEMENT_KIND,
  action: sql`happened.action`,
  at: sql`removed.removed_at`,
  subject: sql`removed.external_id`,
  name: sql`removed.name`,
  team: sql`removed.team`,
  versionBefore: sql`removed.version`,
}

/**
 * Deletes a version of an agreement, ends its history, and records the events, in one statement. Both
 * sides of a request or of access in force are notified here, since later its parties are no longer known. Returns false if the
 * version is no longer current.
 */
export async function deleteAgreement(
  db: Database,
  clock: Clock,
  { organizationId, id, version }: Agreement,
  { principal, requestId, events }: AgreementChange & { events: readonly ListedEvent['name'][] },
): Promise<boolean> {
  const listed = events.map((name) => ({ organizationId, subject: id, name }))
  const happened = sql`
    from removed
    cross join unnest(${events.map(toAction)}::text[]) with ordinality as happened (action, ordinal)
    order by happened.ordinal`
  const target = {
    result: 'removed',
    timeColumn: 'removed_at',
    owners: listSides('changed'),
  } as const
  const { rows } = await sql`
    with removed as (
      delete from access_agreement
      where organization_id = ${organizationId}
        and external_id = ${id}
        and version = ${version}
      returning organization_id, external_id, version, provider_product || ' / ' || output_port as name, provider_team as team,
        provider_product, provider_team, consumer_team, consumer_user, requested_by_user, state,
        ${nextUpdatedAt(clock.now)} as removed_at
    ),
    marked as (${recordDeletion(organizationId, AGREEMENT_KIND, principal)}
    ),
    announced as (${recordListedEvents({ kind: AGREEMENT_KIND, principal }, listed, target)}
    ),
    recorded as (${recordActivity({ organizationId, principal, requestId }, ENTRY, happened)}
    ),
    occasion as (${selectOccasion(principal)}
    ),
    notified as (${recordNotifications(sql`${organizationId}::uuid`)}
    )
    select from removed
  `.execute(db)
  return rows.length > 0
}

// The notification of the deletion of a request, or of access in force.
function selectOccasion(principal: string): RawBuilder<unknown> {
  return sql`
      select 'access_decided' as kind,
        'access/' || removed.external_id || '/' || removed.version || '/deleted' as occasion,
        'access' as subject_kind, removed.external_id as subject_id,
        coalesce(product.name, removed.provider_product) as subject_name,
        ${principal}::text as principal,
        jsonb_build_object(
          'decision', case removed.state when 'requested' then 'deleted' else 'ended' end,
          'isDeleted', true,
          'consumer', coalesce(team.name, account.name, removed.consumer_team)
        ) as data,
        jsonb_build_array(
          ${AUDIENCE.user(sql`removed.requested_by_user`, 'requester')},
          ${AUDIENCE.user(sql`removed.consumer_user`, 'requester')},
          ${AUDIENCE.team(sql`removed.consumer_team`, 'consumer')},
          ${AUDIENCE.approvers(sql`removed.provider_team`)}
        ) as audience,
        null::text[] as visible_to, removed.removed_at as occurred_at
      from removed
      left join data_product as product on product.organization_id = removed.organization_id
        and product.external_id = removed.provider_product
      left join team on team.organization_id = removed.organization_id
        and team.external_id = removed.consumer_team
      left join user_account as account on account.id = removed.consumer_user
      where removed.state in ('requested', 'upcoming', 'active')`
}
