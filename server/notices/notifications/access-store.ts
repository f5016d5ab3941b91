import { sql, type RawBuilder } from 'kysely'
import { unnestEvents, type FollowedEvent } from '../../ledger/events/feed-follower.ts'
import type { Database } from '../../platform/tables.ts'
import { NOTIFICATION_KINDS } from './kinds.ts'
import { AUDIENCE, appendNotifications } from './record.ts'

const PURPOSE_CHARACTERS_MAX = 500
const MESSAGE_CHARACTERS_MAX = 500

const FAILURE_ID = sql`(case when ${isOccasion('provisioning_failed')} then event.id end)`

/**
 * Inserts the notifications of events of access agreements: approvers are notified of requests, the consumer's side of
 * decisions, and both sides of what ends or fails. One change notifies once, although it has several events.
 */
export async function insertAccessNotifications(
  db: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  const approvers = AUDIENCE.approvers(sql`provider_team`)
  const consumers = sql`${AUDIENCE.user(sql`requested_by_user`, 'requester')},
            ${AUDIENCE.user(sql`consumer_user`, 'requester')},
            ${AUDIENCE.team(sql`consumer_team`, 'consumer')}`
  await sql`
    with ${selectAccessChanges(organizationId, events)},
    occasion as (
      select notification_kind as kind,
        -- Failures do not raise the version, and an agreement can expire and be due for review at the same one.
        'access/' || external_id || '/' || version || case
          when notification_kind in ('provisioning_failed', 'access_expiring') then '/' || event_id
          else ''
        end as occasion,
        'access' as subject_kind, external_id as subject_id, product_name as subject_name, principal,
        jsonb_build_object(
          'consumer', consumer_name, 'consumerUser', consumer_user, 'purpose', left(purpose, ${PURPOSE_CHARACTERS_MAX}),
          'decision', decision, 'reason', left(decision_reason, ${PURPOSE_CHARACTERS_MAX}),
          'endReason', left(end_reason, ${PURPOSE_CHARACTERS_MAX}),
          'endsOn', end_on, 'port', output_port, 'message', message
        ) as data,
        case notification_kind
          when 'access_requested' then jsonb_build_array(${approvers}, ${AUDIENCE.organizationOwners})
          when 'access_decided' then jsonb_build_array(
            ${consumers}
          ) || case
            when decision in ('ended', 'withdrawn') then jsonb_build_array(${approvers})
            else '[]'
          end
          else jsonb_build_array(${consumers}, ${approvers})
        end as audience,
        null::text[] as visible_to, time as occurred_at
      from change
      where notification_kind is not null
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

/** Inserts the notifications of teams that the purpose of a request or the reason of a decision mentions. */
export async function insertAccessMentions(
  db: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  const selectNamed = newLookup(organizationId)
  await sql`
    with ${selectAccessChanges(organizationId, events)},
    quoted as (
      select change.*,
        left(
          case when type in ('AccessApprovedEvent', 'AccessRejectedEvent') then decision_reason else purpose end,
          ${PURPOSE_CHARACTERS_MAX}
        ) as quote
      from change
      where type in (
        'AccessCreatedEvent', 'AccessUpdatedEvent', 'AccessApprovedEvent', 'AccessRejectedEvent'
      )
    ),
    mentioned as (
      select distinct on (quoted.external_id, team.external_id) quoted.*, team.external_id as team
      from quoted
      cross join lateral ${matchMentions(sql`quoted.quote`)} as match (groups)
      cross join lateral (${selectNamed('team', sql`rtrim(match.groups[1], '.-')`)}) as team
      order by quoted.external_id, team.external_id, quoted.version
    ),
    -- Without the version: a change of the terms does not mention the team again.
    occasion as (
      select 'mention' as kind,
        'access/' || external_id || '/@' || team || '/' || md5(quote) as occasion,
        'access' as subject_kind, external_id as subject_id, product_name as subject_name, principal,
        jsonb_build_object('teams', jsonb_build_array(team), 'quote', quote) as data,
        jsonb_build_array(${AUDIENCE.team(sql`team`, 'mentioned')}) as audience,
        null::text[] as visible_to, time as occurred_at
      from mentioned
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

/** SQL fragment: a function in a from clause that returns the mentions of teams in a text, as the first group. */
export function matchMentions(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`regexp_matches(${text}, '(?:^|[^[:alnum:]_@./-])@([[:alnum:]][[:alnum:]_.-]*)', 'g')`
}

type AccessKind = 'access_requested' | 'access_decided' | 'access_expiring' | 'provisioning_failed'

// Whether an event has a type that is an occasion of a kind of notification.
function isOccasion(kind: AccessKind): RawBuilder<unknown> {
  const types = NOTIFICATION_KINDS[kind].events.map((name) => sql.lit(name))
  return sql`event.type in (${sql.join(types)})`
}

// The agreements behind events, one row for each version and kind of notification. A request that was approved by the
// time of its event needs no decision.
function selectAccessChanges(
  organizationId: string,
  events: readonly FollowedEvent[],
): RawBuilder<unknown> {
  return sql`
    change as materialized (
      select distinct on (event.subject, event.version, event.type, ${FAILURE_ID})
        event.id as event_id, event.type, event.principal, event.time, event.version,
        agreement.external_id, agreement.provider_team, agreement.consumer_team, agreement.consumer_user,
        agreement.requested_by_user, agreement.purpose, agreement.end_on,
        agreement.decision_reason, agreement.end_reason, agreement.output_port,
        coalesce(product.name, agreement.provider_product) as product_name,
        coalesce(
          consumer_product.name, consumer_team.name, consumer_user.name, agreement.consumer_team
        ) as consumer_name,
        case
          when ${isOccasion('access_requested')} and agreement.state = 'requested'
            then 'access_requested'
          when ${isOccasion('access_decided')}
            and (event.type <> 'AccessDeactivatedEvent' or agreement.state = 'expired')
            then 'access_decided'
          when ${isOccasion('access_expiring')} then 'access_expiring'
          when ${isOccasion('provisioning_failed')} then 'provisioning_failed'
        end as notification_kind,
        case event.type
          when 'AccessApprovedEvent' then 'approved'
          when 'AccessRejectedEvent' then 'rejected'
          when 'AccessReassessmentDueEvent' then 'reassess'
          when 'AccessDeprovisioningFailedEvent' then 'revoke'
          when 'AccessCanceledEvent' then case
            when agreement.status = 'requested' then 'withdrawn'
            else 'ended'
          end
          else 'ended'
        end as decision,
        case when ${isOccasion('provisioning_failed')} then
          left(agreement.provisioning::json->>'diagnostics', ${MESSAGE_CHARACTERS_MAX})
        end as message
      ${fromAgreements(organizationId, events)}
      order by event.subject, event.version, event.type, ${FAILURE_ID}, event.id
    )`
}

// The events with their agreements, and what these name.
function fromAgreements(
  organizationId: string,
  events: readonly FollowedEvent[],
): RawBuilder<unknown> {
  const selectNamed = newLookup(organizationId)
  return sql`from (${unnestEvents(events)}) as event
      cross join lateral (${selectNamed('access_agreement', sql`event.subject`)}) as agreement
      left join lateral (${selectNamed('data_product', sql`agreement.provider_product`)}) as product on true
      left join lateral (${selectNamed('data_product', sql`agreement.consumer_product`)})
        as consumer_product on true
      left join lateral (${selectNamed('team', sql`agreement.consumer_team`)}) as consumer_team on true
      left join lateral (
        select name from user_account where id = agreement.consumer_user limit 1
      ) as consumer_user on true`
}

// Finds one row of an organization by its external id.
function newLookup(organizationId: string) {
  return (table: string, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
        select *
        from ${sql.table(table)} as named
        where named.organization_id = ${organizationId}
          and named.external_id = ${id}
        limit 1`
}
