import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { untilSettled } from '../../../test/feed.ts'
import { notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { newRandom } from '../../../test/random.ts'
import { walkRandomly } from '../../../test/transitions.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { startFollowers } from '../events/follow-service.ts'
import { newWebhookFollower } from '../../notices/webhooks/fan-out-service.ts'

const SEEDS = [1, 2, 3]
const STEPS = 400

/** The actions of entries that differ from the ends of the names of their events. */
const OTHER_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['provisioning-started', 'provisioning'],
  ['deprovisioning-started', 'deprovisioning'],
])

/** Events without an entry: pipelines report results all the time. */
const EVENTS_ONLY = ['TestResultsCreatedEvent']

/** The actions of entries that come without an event: the document does not contain its assigned tags. */
const WITHOUT_EVENT = ['tag-assigned', 'tag-removed']

/** The kinds of entries of what has no events, by the action with which it ends. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['example-data', 'deleted'],
  ['cost', 'deleted'],
  ['notification-channel', 'deleted'],
  ['webhook', 'deleted'],
  ['api-key', 'deleted'],
  ['invitation', 'withdrawn'],
])

/** The foreign keys that delete rows, each with the source of the entries of these rows, or the reason for having none. */
const CASCADES: ReadonlyMap<string, string> = new Map([
  ['access_provisioning_report_agreement', 'part of the agreement'],
  ['asset_annotation_asset', 'part of the asset'],
  ['asset_change_run', 'part of the run'],
  ['asset_grant_organization_id_integration_id_fkey', 'part of the reading of grants'],
  ['asset_link_choice_organization_id_contract_id_fkey', 'part of the contract'],
  ['asset_link_organization_id_contract_id_server_model_fkey', 'part of the contract'],
  ['asset_source_version_asset', 'part of the asset'],
  ['asset_statistic_asset', 'part of the asset'],
  ['asset_statistic_day_organization_id_asset_id_fkey', 'part of the asset'],
  ['asset_tag_asset', 'part of the asset'],
  ['asset_tag_tag', 'appendDependents'],
  ['contract_promise_organization_id_contract_id_fkey', 'part of the contract'],
  ['credential_integration', 'part of the integration'],
  ['delivery_attempt_delivery', 'a separate ledger'],
  ['demo_person_member', 'a list of the sign-in page'],
  ['directory_group_member_organization_id_group_id_fkey', 'part of the group'],
  ['directory_group_member_organization_id_user_id_fkey', 'part of the member'],
  ['directory_user_organization_id_user_id_fkey', 'part of the member'],
  ['feed_cursor_follower', 'internal'],
  ['follow_member', 'not recorded'],
  ['freshness_check_organization_id_result_id_fkey', 'part of the test result'],
  ['grant_reading_organization_id_integration_id_fkey', 'part of the integration'],
  ['grant_scope_organization_id_integration_id_fkey', 'part of the reading of grants'],
  ['grantee_administrator_organization_id_integration_id_fkey', 'part of the reading of grants'],
  ['grantee_identity_organization_id_integration_id_fkey', 'part of the integration'],
  ['grantee_member_organization_id_integration_id_fkey', 'part of the reading of grants'],
  ['identity_provider_secret_organization_id_provider_id_fkey', 'part of the provider'],
  ['ingestion_log_line_run', 'part of the run'],
  ['ingestion_run_integration', 'part of the integration'],
  ['ingestion_scope_run', 'part of the run'],
  ['integration_address_organization_id_integration_id_fkey', 'part of the integration'],
  ['invitation_inviter', 'deleteInvitationsBy'],
  ['mail_digest_member', 'internal'],
  ['missing_scope_integration', 'internal'],
  ['notification_channel_recipient_notification', 'internal'],
  ['notification_channel_setting_channel', 'not recorded'],
  ['notification_recipient_member', 'internal'],
  ['notification_recipient_notification', 'internal'],
  ['notification_setting_member', 'not recorded'],
  ['password_reset_agreement_member', 'internal'],
  ['password_reset_agreement_owner', 'internal'],
  ['password_reset_creator', 'its end is not recorded'],
  ['password_reset_user_id_fkey', 'its end is not recorded'],
  ['plain_record_product', 'appendDependents'],
  ['plain_record_secret_record', 'part of the record'],
  ['plain_record_team', 'appendDependents'],
  ['promise_freshness_organization_id_contract_id_server_model_fkey', 'part of the contract'],
  ['provider_failure_organization_id_provider_id_fkey', 'part of the provider'],
  ['provider_identity_organization_id_provider_id_fkey', 'part of the provider'],
  ['provider_identity_organization_id_user_id_fkey', 'part of the member'],
  ['session_id_token_session_id_fkey', 'part of the session'],
  ['session_provider', 'part of the provider'],
  ['session_user_id_fkey', 'the account is deleted, too'],
  ['sign_in_transaction_organization_id_provider_id_fkey', 'internal'],
  ['sign_in_transaction_user_id_fkey', 'internal'],
  ['test_account_organization_id_integration_id_fkey', 'part of the integration'],
  ['webhook_endpoint_team', 'deleteWebhooksOfTeam'],
  ['webhook_secret_endpoint', 'part of the webhook'],
])

type Histories = Record<string, string[]>

function toHistories(rows: readonly { key: string; action: string }[]): Histories {
  const histories = new Map<string, string[]>()
  for (const { key, action } of rows) {
    histories.set(key, [...(histories.get(key) ?? []), action])
  }
  return Object.fromEntries([...histories].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

interface StoredEvent {
  id: string
  key: string
  type: string
}

async function listEvents({ services, organizationId }: World): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select id, kind || ' ' || subject as key, type
    from event
    where organization_id = ${organizationId}
      and output_port_id is null
    order by epoch, transaction_id, position
  `.execute(services.db)
  return rows
}

async function listEntries(
  { services, organizationId }: World,
  kinds: readonly string[],
): Promise<{ key: string; action: string }[]> {
  const { rows } = await sql<{ key: string; action: string }>`
    select kind || ' ' || subject as key,
      -- The id of a tag that is renamed ends.
      case when kind = 'tag' and action = 'renamed' then 'deleted' else action end as action
    from activity_entry
    where organization_id = ${organizationId}
      and kind = any (${kinds}::text[])
      and not (action = any (${WITHOUT_EVENT}::text[]))
    order by epoch, transaction_id, position
  `.execute(services.db)
  return rows
}

// `AccessProvisioningStartedEvent` → `provisioning`, `SourceSystemCreatedEvent` → `created`.
function toAction({ key, type }: StoredEvent): string {
  if (!key.startsWith('access ')) return /(Created|Updated|Deleted)Event$/.exec(type)?.[1] ?? type
  const name = type.replace(/^Access(.*)Event$/, '$1')
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
}

// Everything was deleted in the end, or something that it belonged to.
async function assertEnded(world: World): Promise<void> {
  const histories = toHistories(await listEntries(world, [...ENDS.keys()]))
  for (const [key, actions] of Object.entries(histories)) {
    const end = ENDS.get(key.split(' ')[0] ?? '')
    const isLeft = await isStored(world, key)
    assert.equal(actions.at(-1) === end, !isLeft, `${key}: ${actions.join(' ')}`)
  }
}

// The last entry of each tag on an asset: it is assigned as long as the asset exists.
async function assertAssigned({ services, organizationId }: World): Promise<void> {
  const { rows } = await sql`
    select subject, tag
    from (
      select distinct on (subject, details->>'tag') subject, details->>'tag' as tag, action
      from activity_entry
      where organization_id = ${organizationId}
        and action in ('tag-assigned', 'tag-removed')
      order by subject, details->>'tag', epoch desc, transaction_id desc, position desc
    ) as last
    join asset on asset.organization_id = ${organizationId}
      and asset.external_id = last.subject
    where (last.action = 'tag-assigned') <> exists (
      select
      from asset_tag
      where asset_tag.organization_id = ${organizationId}
        and asset_tag.asset_id = last.subject
        and asset_tag.tag_id = last.tag
    )
  `.execute(services.db)
  assert.deepEqual(rows, [])
}

async function isStored({ services, organizationId }: World, key: string): Promise<boolean> {
  const [kind = '', id = ''] = key.split(' ')
  const { rows } = await sql`
    select from plain_record
    where organization_id = ${organizationId} and kind = ${kind} and external_id = ${id}
    union all
    select from webhook_endpoint where organization_id = ${organizationId} and id::text = ${id}
    union all
    select from api_key where organization_id = ${organizationId} and id::text = ${id}
    union all
    select from invitation where organization_id = ${organizationId} and id::text = ${id}
  `.execute(services.db)
  return rows.length > 0
}

async function followWebhooks({ services }: World): Promise<void> {
  const { db, log } = services
  const follower = newWebhookFollower(services)
  const followers = startFollowers({ db, log, isPaused: () => false }, [follower], 3_600_000)
  await untilSettled(db)
  await followers.follow()
  await followers.stop()
}

async function assertDelivered(
  { services, organizationId }: World,
  endpointId: string,
  earlier: readonly StoredEvent[],
): Promise<void> {
  const { db } = services
  const { rows: missing } = await sql`
    select event.type, event.subject
    from event
    where event.organization_id = ${organizationId}
      and not (event.id = any (${earlier.map(({ id }) => id)}::uuid[]))
      and not exists (
        select
        from delivery
        where delivery.organization_id = event.organization_id
          and delivery.target = ${endpointId}
          and delivery.event_id = event.id
      )
  `.execute(db)
  assert.deepEqual(missing, [])
  const { rows: unordered } = await sql`
    select subject
    from (
      select delivery.subject, event.id,
        row_number() over (partition by delivery.subject order by delivery.sequence) as sent,
        row_number() over (
          partition by delivery.subject order by event.epoch, event.transaction_id, event.position
        ) as happened
      from delivery
      join event on event.organization_id = delivery.organization_id
        and event.id = delivery.event_id
      where delivery.organization_id = ${organizationId}
        and delivery.target = ${endpointId}
    ) as numbered
    where sent <> happened
  `.execute(db)
  assert.deepEqual(unordered, [])
}

async function assertNotified(world: World, events: readonly StoredEvent[]): Promise<void> {
  await notifyAll(world)
  const { services, organizationId } = world
  const { rows } = await sql<{ key: string; kind: string }>`
    select 'access ' || subject_id as key, kind
    from notification
    where organization_id = ${organizationId}
      and subject_kind = 'access'
  `.execute(services.db)
  const notified = new Set(rows.map(({ key, kind }) => `${kind} ${key}`))
  const decided = ['AccessApprovedEvent', 'AccessRejectedEvent', 'AccessCanceledEvent']
  const deleted = new Set(
    events.filter(({ type }) => type === 'AccessDeletedEvent').map(({ key }) => key),
  )
  for (const { key, type } of events) {
    // The follower came after the walk, and finds no parties of what was deleted.
    if (decided.includes(type) && !deleted.has(key)) {
      assert.ok(notified.has(`access_decided ${key}`), `${type} of ${key}`)
    }
  }
  const subjects = new Set(events.map(({ key }) => key))
  for (const { key } of rows) assert.ok(subjects.has(key), `no event of ${key}`)
}

onStore((store) => {
  for (const seed of SEEDS) {
    test(`a random walk (seed ${seed}) › events, entries, deliveries and notifications agree in subject, action and order`, async () => {
      const world = await newWorld(newProduct(store()))
      const endpoint = await addWebhook(world, { url: 'https://192.0.2.1/hook' })
      // A follower begins with the events after its start.
      await followWebhooks(world)
      const earlier = await listEvents(world)
      await walkRandomly(world, newRandom(seed), STEPS)
      const events = await listEvents(world)
      const kinds = [...new Set(events.map(({ key }) => key.split(' ')[0] ?? ''))]
      const expected = toHistories(
        events.flatMap((event) => {
          if (EVENTS_ONLY.includes(event.type)) return []
          const action = toAction(event).toLowerCase()
          return [{ key: event.key, action: OTHER_ACTIONS.get(action) ?? action }]
        }),
      )
      assert.deepEqual(toHistories(await listEntries(world, kinds)), expected)
      await assertEnded(world)
      await assertAssigned(world)
      await followWebhooks(world)
      await assertDelivered(world, endpoint.id, earlier)
      await assertNotified(world, events)
    })
  }

  test('what a foreign key deletes has its entries, or needs none', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name
      from pg_constraint
      where contype = 'f'
        and confdeltype <> 'a'
        and connamespace = current_schema()::regnamespace
      order by conname collate "C"
    `.execute(store().db)
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...CASCADES.keys()],
    )
  })

  test('docs/guides/activity.md lists every action', async () => {
    const guide = readFileSync('docs/guides/activity.md', 'utf8')
    const { rows } = await sql<{ kind: string; action: string }>`
      select distinct kind, action
      from activity_entry
      order by kind, action
    `.execute(store().db)
    assert.ok(rows.length > 30)
    const missing = rows.filter(({ action }) => !guide.includes(`\`${action}\``))
    assert.deepEqual(missing, [])
  })
})
