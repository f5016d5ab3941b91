import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { appendIntegrations } from '../integrations/activity-record.ts'

/** The integration of an account. */
interface AccountKey {
  organizationId: string
  integrationId: string
}

/** The account for tests of an integration, without its password. */
export interface TestAccountRow {
  userName: string
  enabled: boolean
  isForAllTeams: boolean
  /** The fields of the configuration that decide where the password is sent. */
  destination: unknown
  updatedAt: Instant
  updatedBy: string
}

/** An account whose test is under way, with its sealed password. */
export interface ClaimedAccount extends TestAccountRow {
  sealed: Buffer
}

const COLUMNS = sql`user_name as "userName", enabled, is_for_all_teams as "isForAllTeams", destination,
      updated_at as "updatedAt", updated_by as "updatedBy"`

/** Finds the account for tests of an integration; undefined = it has none. */
export async function findAccount(
  db: Database,
  { organizationId, integrationId }: AccountKey,
): Promise<TestAccountRow | undefined> {
  const { rows } = await sql<TestAccountRow>`
    select ${COLUMNS}
    from test_account
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
  `.execute(db)
  return rows[0]
}

/** An account to store. */
interface AccountWrite extends ActivityActor, AccountKey {
  userName: string
  enabled: boolean
  isForAllTeams: boolean
  destination: object
  /** Undefined = the password stays. */
  secret: { sealed: Buffer; keyId: string } | undefined
}

/** Stores the account of an integration, or changes it; without a password, only one that exists. */
export async function upsertAccount(
  db: Database,
  clock: Clock,
  { integrationId, userName, enabled, isForAllTeams, destination, secret, ...actor }: AccountWrite,
): Promise<void> {
  const details = sql`jsonb_build_object('user', stored.user_name, 'enabled', stored.enabled,
      'allTeams', stored.is_for_all_teams, 'password', ${secret !== undefined}::boolean)`
  const entry = { action: 'test-account-set', details, at: sql`stored.updated_at` }
  const from = sql`from stored
    join integration on integration.organization_id = stored.organization_id
      and integration.id = stored.integration_id`
  const values = sql`${enabled}::boolean as enabled, ${isForAllTeams}::boolean as is_for_all_teams,
        ${userName}::text as user_name, ${JSON.stringify(destination)}::jsonb as destination,
        ${actor.principal}::text as updated_by, ${clock.now} as updated_at`
  const write =
    secret === undefined
      ? sql`
      update test_account
      set enabled = given.enabled, is_for_all_teams = given.is_for_all_teams, user_name = given.user_name,
        destination = given.destination, updated_by = given.updated_by, updated_at = given.updated_at
      from (select ${values}) as given
      where organization_id = ${actor.organizationId}
        and integration_id = ${integrationId}
      returning test_account.*`
      : sql`
      insert into test_account (
        organization_id, integration_id, enabled, is_for_all_teams, user_name, destination, updated_by, updated_at,
        sealed, key_id
      )
      select ${actor.organizationId}::uuid, ${integrationId}::uuid, given.*, ${secret.sealed}::bytea, ${secret.keyId}::text
      from (select ${values}) as given
      on conflict (organization_id, integration_id) do update
      set enabled = excluded.enabled, is_for_all_teams = excluded.is_for_all_teams, user_name = excluded.user_name,
        destination = excluded.destination, updated_by = excluded.updated_by, updated_at = excluded.updated_at,
        sealed = excluded.sealed, key_id = excluded.key_id
      returning *`
  await sql`
    with stored as (${write}
    )
    ${appendIntegrations(actor, entry, from)}
  `.execute(db)
}

/** Deletes the account of an integration. Returns whether there was one. */
export async function deleteAccount(
  db: Database,
  clock: Clock,
  { integrationId, ...actor }: ActivityActor & AccountKey,
): Promise<boolean> {
  const entry = { action: 'test-account-deleted', at: clock.now }
  const from = sql`from removed
    join integration on integration.organization_id = removed.organization_id
      and integration.id = removed.integration_id`
  const { rows } = await sql`
    with removed as (
      delete from test_account
      where organization_id = ${actor.organizationId}
        and integration_id = ${integrationId}
      returning *
    ),
    recorded as (${appendIntegrations(actor, entry, from)}
    )
    select from removed
  `.execute(db)
  return rows.length > 0
}

/** A test that is about to begin. */
interface TestClaim extends ActivityActor, AccountKey {
  testId: string
  contractId: string
  server: string
  /** The time after which another test may begin, if this one never ends. */
  seconds: number
}

/**
 * Reserves the account of an integration for a test and records who tests what, in one statement: of two tests at once, one gets
 * no row. A test whose process was lost ends at its time.
 */
export async function claimAccount(
  db: Database,
  clock: Clock,
  { integrationId, testId, contractId, server, seconds, ...actor }: TestClaim,
): Promise<ClaimedAccount | undefined> {
  const details = sql`jsonb_build_object('contract', ${contractId}::text, 'server', ${server}::text)`
  const entry = { action: 'contract-tested', details, at: clock.now }
  const from = sql`from claimed
    join integration on integration.organization_id = claimed.organization_id
      and integration.id = claimed.integration_id`
  const { rows } = await sql<ClaimedAccount>`
    with claimed as (
      update test_account
      set test_id = ${testId}, test_until = ${clock.now} + make_interval(secs => ${seconds})
      where organization_id = ${actor.organizationId}
        and integration_id = ${integrationId}
        and enabled
        and coalesce(test_until <= ${clock.now}, true)
      returning *
    ),
    recorded as (${appendIntegrations(actor, entry, from)}
    )
    select ${COLUMNS}, sealed
    from claimed
  `.execute(db)
  return rows[0]
}

/** Ends the reservation of a test; one that another test has taken over stays. */
export async function releaseAccount(
  db: Database,
  { organizationId, integrationId, testId }: Pick<TestClaim, 'testId' | keyof AccountKey>,
): Promise<void> {
  await sql`
    update test_account
    set test_id = null, test_until = null
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and test_id = ${testId}
  `.execute(db)
}
