/** Rows in every table that compares contracts with assets. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SecretBox } from '../server/platform/kit/secret-box.ts'
import { toSealContext } from '../server/platform/sealed-secrets.ts'
import type { Database } from '../server/platform/tables.ts'

/** The owners of the rows. */
interface RealityOwner {
  organizationId: string
  integration: string
  contractId: string
  assetId: string
  productId: string
}

const SERVER = 'größe'
const MODEL = 'wagons'
const FRESHNESS = {
  property: 'freshness',
  text: '24 h',
  origin: '/slaProperties/0',
  seconds: 86_400,
}

/** Adds a row to every table of promises, links, findings, checks, incidents, freshness, trust and grants. */
export async function addRealityRows(
  db: Database,
  box: SecretBox,
  { organizationId, integration, contractId, assetId, productId }: RealityOwner,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id
    from integration
    where organization_id = ${organizationId}
      and external_id = ${integration}
  `.execute(db)
  const integrationId = rows[0]?.id ?? ''
  const { keyId } = box
  const place = toSealContext('test_account', [organizationId, integrationId])
  const sealed = box.seal('password', place)
  const promise = sql`${organizationId}, ${contractId}, ${SERVER}, ${MODEL}`
  const grantee = sql`${organizationId}, ${integrationId}`
  const statements = [
    sql`insert into contract_promise (organization_id, contract_id, server, model, platform, is_production, path, address,
        promise, digest, contract_version)
      values (${promise}, 'postgres', true, '["db", "public", "wagons"]', 'db.velmora.example:5432',
        '{"kind": "topic", "key": [], "fields": []}', 'digest', 1)`,
    sql`insert into asset_link (organization_id, contract_id, server, model, state, asset_id, origin, linked_at,
        promise_digest, asset_version, compared_at)
      select ${promise}, 'linked', external_id, 'location', now(), 'digest ' || external_id, version, now()
      from asset
      where organization_id = ${organizationId}
        and external_id = ${assetId}`,
    // The contract itself has no such model, so that its promises count as not filled yet.
    sql`update data_contract set reality_version = null where organization_id = ${organizationId} and external_id = ${contractId}`,
    sql`insert into asset_link_choice (organization_id, contract_id, server, model, asset_id, reason, chosen_by)
      values (${promise}, ${assetId}, 'Größe', 'system')`,
    sql`insert into integration_address (organization_id, integration_id, address, origin, added_by)
      values (${grantee}, 'db.velmora.example:5432', 'hand', 'system')`,
    sql`insert into staged_drift (organization_id, run_id, fence, contract_id, server, model, asset_id, promise_digest,
        asset_digest, findings, omitted_count, unverifiable)
      values (${organizationId}, ${randomUUID()}, 1, ${contractId}, ${SERVER}, ${MODEL}, ${assetId}, 'a', 'b', '[]', 0, '[]')`,
    sql`insert into drift_finding (organization_id, id, contract_id, server, model, field, aspect, level, promised, actual,
        asset_id, is_production, first_seen_at, changed_at)
      values (${organizationId}, ${randomUUID()}, ${contractId}, ${SERVER}, ${MODEL}, '', 'kind', 'breaking', 'topic', 'table',
        ${assetId}, true, now(), now())`,
    sql`insert into test_check (organization_id, contract_id, server, port, check_key, outcome, tested_at, outcomes, times,
        values)
      values (${organizationId}, ${contractId}, ${SERVER}, '', 'key', 'passed', now(), 'p', array[now()], '{1}')`,
    sql`insert into incident (organization_id, id, kind, contract_id, server, facts, severity, opened_at, opened_by)
      values (${organizationId}, ${randomUUID()}, 'late', ${contractId}, ${SERVER}, '{}', 'error', now(), 'system')`,
    sql`insert into asset_statistic_day (organization_id, asset_id, day, row_count)
      values (${organizationId}, ${assetId}, current_date, 1)`,
    sql`insert into asset_write (organization_id, asset_id, completed_at)
      values (${organizationId}, ${assetId}, now())`,
    sql`insert into freshness_check (organization_id, contract_id, server, model, latest_at, tested_at, result_id)
      select organization_id, ${contractId}, ${SERVER}, ${MODEL}, now(), now(), external_id
      from test_result
      where organization_id = ${organizationId}
      limit 1`,
    sql`insert into promise_freshness (organization_id, contract_id, server, model, promised, unknown_because, judged_at)
      values (${promise}, ${JSON.stringify(FRESHNESS)}, 'no_evidence', now())`,
    sql`insert into grant_reading (organization_id, integration_id, enabled, pattern, read_at, updated_by)
      values (${grantee}, true, 'dp_{product}_reader', now(), 'system')`,
    sql`insert into asset_grant (organization_id, integration_id, id, path, grantee_kind, grantee_name, privilege, effect,
        with_grant)
      values (${grantee}, ${randomUUID()}, '["db","public","wagons"]', 'role', 'größe', 'SELECT', 'read', false)`,
    sql`insert into grant_scope (organization_id, integration_id, path, read_at)
      values (${grantee}, '["db","public"]', now())`,
    sql`insert into grantee_member (organization_id, integration_id, role_kind, role, member_kind, member, is_inherited,
        is_settable)
      values (${grantee}, 'role', 'größe', 'user', 'jo', true, true)`,
    sql`insert into grantee_administrator (organization_id, integration_id, grantee_kind, grantee_name)
      values (${grantee}, 'user', 'root')`,
    sql`insert into staged_grant (organization_id, run_id, fence, kind, id, content)
      values (${organizationId}, ${randomUUID()}, 1, 'member', ${randomUUID()}, '{}')`,
    sql`insert into grantee_identity (organization_id, integration_id, grantee_kind, grantee_name, subject_kind, subject_id,
        origin, mapped_by)
      values (${grantee}, 'role', 'größe', 'team', 'a', 'hand', 'system')`,
    sql`insert into grant_finding (organization_id, id, kind, data_product_id, output_port, integration_id, grantee_kind,
        grantee_name, facts, first_seen_at, changed_at)
      values (${organizationId}, ${randomUUID()}, 'granted_without_agreement', ${productId}, 'out', ${integrationId}, 'role',
        'größe', '{"tableCount": 1}', now(), now())`,
    sql`insert into test_account (organization_id, integration_id, enabled, is_for_all_teams, user_name, destination, sealed,
        key_id, updated_by)
      values (${grantee}, true, true, 'reader', '{}', ${sealed}, ${keyId}, 'system')`,
    // Its signals do not follow from these rows yet.
    sql`update trust_state set next_due_at = now()
      where organization_id = ${organizationId} and kind = 'data-contract' and subject = ${contractId}`,
  ]
  for (const statement of statements) await statement.execute(db)
}
