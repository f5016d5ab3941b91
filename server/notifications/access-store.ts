import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../tables.ts'
import { AUDIENCE, recordNotifications } from './record.ts'

const PURPOSE_CHARACTERS_MAX = 500
const MESSAGE_CHARACTERS_MAX = 500

const FAILURES = sql`'AccessProvisioningFailedEvent', 'AccessDeprovisioningFailedEvent'`
const FAILURE_ID = sql`(case when event.type in (${FAILURES}) then event.id end)`

/**
 * Inserts the notifications of events of access agreements: approvers are notified of requests, the consumer's side of
 * decisions, and both sides of what ends or fails. One change notifies once, although it has several events.
 */
export async function insertAccessNotifications(
  db: Database,
  organizationId: string,
  eventIds: readonly string[],
): Promise<void> {
  const approvers = AUDIENCE.approvers(sql`provider_team`)
  const consumers = sql`${AUDIENCE.user(sql`requested_by_user`, 'requester')},
            ${AUDIENCE.user(sql`consumer_user`, 'requester')},
            ${AUDIENCE.team(sql`consumer_team`, 'consumer')}`
  await sql`
    with ${selectAccessChanges(organizationId, eventIds)},
    occasion as (
      select notification_kind as kind,
        -- Failures do not raise the version, and an agreement can expire and be due for review at the same one.
        'access/' || external_id || '/' || version || case
          when notification_kind in ('provisioning_failed', 'access_expiring') then '/' || event_id
          else ''
        end as occasion,
        'access' as subject_kind, external_id as subject_id, product_name as subject_name, principal,
        jsonb_build_object(
          'consumer', consumer_name, 'purpose', left(purpose, ${PURPOSE_CHARACTERS_MAX}),
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
    ${recordNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

/** Inserts the notifications of teams that the purpose of a request or the reason of a decision mentions. */
export async function insertAccessMentions(
  db: Database,
  organizationId: string,
  eventIds: readonly string[],
): Promise<void> {
  await sql`
    with ${selectAccessChanges(organizationId, eventIds)},
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
      join team on team.organization_id = ${organizationId}
        and team.external_id = rtrim(match.groups[1], '.-')
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
    ${recordNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

/** SQL fragment: a function in a from clause that returns the mentions of teams in a text, as the first group. */
export function matchMentions(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`regexp_matches(${text}, '(?:^|[^[:alnum:]_@./-])@([[:alnum:]][[:alnum:]_.-]*)', 'g')`
}

// The agreements behind events, one row for each version and kind of notification. A request that was approved by the
// time of its event needs no decision.
function selectAccessChanges(
  organizationId: string,
  eventIds: readonly string[],
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
          when event.type = 'AccessRequestedEvent' and agreement.state = 'requested'
            then 'access_requested'
          when event.type in ('AccessApprovedEvent', 'AccessRejectedEvent', 'AccessCanceledEvent')
            then 'access_decided'
          when event.type = 'AccessDeactivatedEvent' and agreement.state = 'expired'
            then 'access_decided'
          when event.type in ('AccessExpiringEvent', 'AccessReassessmentDueEvent')
            then 'access_expiring'
          when event.type in ('AccessProvisioningFailedEvent', 'AccessDeprovisioningFailedEvent')
            then 'provisioning_failed'
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
        case when event.type in (${FAILURES}) then
          left(agreement.provisioning::json->>'diagnostics', ${MESSAGE_CHARACTERS_MAX})
        end as message
      from event
      join access_agreement as agreement on agreement.organization_id = event.organization_id
        and agreement.external_id = event.subject
      left join data_product as product on product.organization_id = event.organization_id
        and product.external_id = agreement.provider_product
      left join data_product as consumer_product
        on consumer_product.organization_id = event.organization_id
        and consumer_product.external_id = agreement.consumer_product
      left join team as consumer_team on consumer_team.organization_id = event.organization_id
        and consumer_team.external_id = agreement.consumer_team
      left join user_account as consumer_user on consumer_user.id = agreement.consumer_user
      where event.organization_id = ${organizationId}
        and event.id = any(${eventIds}::uuid[])
      order by event.subject, event.version, event.type, ${FAILURE_ID}, event.id
    )`
}
