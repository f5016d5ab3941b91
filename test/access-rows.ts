/** Grants, agreements and output ports as rows, for comparisons without a source. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { GRANT_EFFECTS } from '../server/connectors/grant.ts'
import { fixedClock } from '../server/platform/kit/clock.ts'
import { compareIntegration } from '../server/reality/grants/compare-service.ts'
import type { IntegrationKey } from '../server/reality/grants/grants.ts'
import type { Store } from '../server/store.ts'
import { addIntegration } from './integrations.ts'
import { newProduct, newWorld, odps, putOne, uniqueId, type World } from './world.ts'

/** The time of all comparisons, and of the last reading unless a test gives another. */
export const NOW = '2031-03-15T12:00:00Z'

/** The clock of all comparisons. */
export const CLOCK = fixedClock(NOW)

/** Returns the instant some hours before the comparison, or before another time. */
export function hoursAgo(hours: number, now = NOW): string {
  return Temporal.Instant.from(now)
    .subtract({ seconds: Math.round(hours * 3600) })
    .toString()
}

/** Returns the path of a table of the schema `sales`. */
export function toTable(name: string, schema = 'sales'): string[] {
  return ['db', schema, name]
}

/** Creates an organization whose product has the clock of comparisons. */
export async function newAccessWorld(
  store: Store,
  more: Parameters<typeof newProduct>[1] = {},
): Promise<World> {
  return await newWorld(newProduct(store, { clock: CLOCK, ...more }))
}

/** Adds an integration whose grants were read completely. */
export async function addReading(
  world: World,
  more: { delayHours?: number; gates?: number[]; pattern?: string; readAt?: string } = {},
): Promise<IntegrationKey> {
  const { organizationId, services } = world
  const externalId = await addIntegration(world, 'a')
  const { rows } = await sql<{ id: string }>`
    select id
    from integration
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `.execute(services.db)
  const integrationId = rows[0]?.id ?? ''
  const { delayHours = 0, gates = [], pattern = null, readAt = NOW } = more
  await sql`
    insert into grant_reading (
      organization_id, integration_id, enabled, pattern, read_at, attempted_at, members_read_at, gates,
      delay_hours, updated_by
    )
    values (
      ${organizationId}, ${integrationId}, true, ${pattern}, ${readAt}, ${readAt}, ${readAt}, ${gates}::integer[],
      ${delayHours}, 'test'
    )
  `.execute(services.db)
  const key = { organizationId, integrationId }
  await saveScope(world, key, { readAt })
  return key
}

/** Saves when the whole database was read, and why it is not complete. */
export async function saveScope(
  { services: { db } }: Pick<World, 'services'>,
  { organizationId, integrationId }: IntegrationKey,
  { readAt = NOW, because = null as string | null, path = ['db'] } = {},
): Promise<void> {
  await sql`
    insert into grant_scope (organization_id, integration_id, path, read_at, incomplete_because)
    values (${organizationId}, ${integrationId}, ${JSON.stringify(path)}, ${readAt}, ${because})
    on conflict (organization_id, integration_id, path) do update
    set read_at = excluded.read_at, incomplete_because = excluded.incomplete_because
  `.execute(db)
}

/** Adds tables as assets of an integration; returns their ids, in the order of the paths. */
export async function addTables(
  { services: { db } }: Pick<World, 'services'>,
  { organizationId, integrationId }: IntegrationKey,
  paths: readonly (readonly string[])[],
  ids: readonly string[] = paths.map(() => uniqueId()),
): Promise<string[]> {
  await sql`
    insert into asset (
      organization_id, external_id, integration_id, path, kind, document, media_type, version, digest, name, type,
      source, created_at, updated_at, updated_by
    )
    select ${organizationId}, given.id, ${integrationId}, given.path, 'table', '{}', 'application/json', 1, '', given.id,
      'postgres_table', 'postgres', ${NOW}, ${NOW}, 'test'
    from unnest(${[...ids]}::text[], ${paths.map((path) => JSON.stringify(path))}::text[]) as given (id, path)
  `.execute(db)
  return [...ids]
}

/** Creates a data product with a port for each list of assets: `port_0`, `port_1` and so on. */
export async function addPorts(
  world: World,
  assets: readonly (readonly string[])[],
  { id = uniqueId(), team = 'a', contracts = [] as readonly string[] } = {},
): Promise<string> {
  const outputPorts = assets.map((value, at) => ({
    name: `port_${at}`,
    version: '1',
    ...(contracts[at] !== undefined && { contractId: contracts[at] }),
    ...(value.length > 0 && { customProperties: [{ property: 'assets', value }] }),
  }))
  await putOne(world, 'dataproducts', odps(id, { team: { name: team }, outputPorts }))
  return id
}

/** A grant as the catalog stores it. */
export interface GrantRow {
  name: string
  path: readonly string[]
  kind?: string
  effect?: (typeof GRANT_EFFECTS)[number]
  privilege?: string
  columns?: readonly string[] | null
  withGrant?: boolean
}

/** Adds grants of an integration. */
export async function addGrants(
  { services: { db } }: Pick<World, 'services'>,
  { organizationId, integrationId }: IntegrationKey,
  grants: readonly GrantRow[],
): Promise<void> {
  const rows = grants.map(({ name, path, kind = 'role', effect = 'read', ...more }) => ({
    id: randomUUID(),
    name,
    path: JSON.stringify(path),
    kind,
    effect,
    privilege: more.privilege ?? (effect === 'write' ? 'INSERT' : 'SELECT'),
    columns: more.columns ?? null,
    with_grant: more.withGrant ?? false,
  }))
  await sql`
    insert into asset_grant (
      organization_id, integration_id, id, path, grantee_kind, grantee_name, privilege, effect, columns, with_grant
    )
    select ${organizationId}, ${integrationId}, id, path, kind, name, privilege, effect, columns, with_grant
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      id uuid, path text, kind text, name text, privilege text, effect text, columns text[], with_grant boolean
    )
  `.execute(db)
}

/** A membership of a role or user in a role. */
export interface MemberRow {
  role: string
  member: string
  kind?: string
  isInherited?: boolean
  isSettable?: boolean
}

/** Adds memberships in roles. */
export async function addMembers(
  { services: { db } }: Pick<World, 'services'>,
  { organizationId, integrationId }: IntegrationKey,
  members: readonly MemberRow[],
): Promise<void> {
  for (const { role, member, kind = 'role', isInherited = true, isSettable = true } of members) {
    await sql`
      insert into grantee_member (
        organization_id, integration_id, role_kind, role, member_kind, member, is_inherited, is_settable
      )
      values (
        ${organizationId}, ${integrationId}, 'role', ${role}, ${kind}, ${member}, ${isInherited}, ${isSettable}
      )
      on conflict do nothing
    `.execute(db)
  }
}

/** Maps a name by hand, without a comparison. */
export async function addIdentity(
  { services: { db } }: Pick<World, 'services'>,
  { organizationId, integrationId }: IntegrationKey,
  name: string,
  subject: { kind: string; id: string | null },
  granteeKind = 'role',
): Promise<void> {
  await sql`
    insert into grantee_identity (
      organization_id, integration_id, grantee_kind, grantee_name, subject_kind, subject_id, origin, mapped_by
    )
    values (
      ${organizationId}, ${integrationId}, ${granteeKind}, ${name}, ${subject.kind}, ${subject.id}, 'hand', 'test'
    )
  `.execute(db)
}

/** An agreement as a test writes it. */
export interface AgreementRow {
  product: string
  port?: string
  id?: string
  consumer?: { team: string } | { user: string } | { product: string; team: string }
  /** Hours since it began. */
  began?: number
  /** Hours since it was canceled; absent = active. */
  ended?: number
  /** Hours since a connector reported success. */
  provisioned?: number
  status?: 'approved' | 'rejected' | 'requested'
  reference?: string
  properties?: readonly { property: string; value: unknown }[]
  /** The time from which hours are counted; absent = that of comparisons. */
  now?: string
}

/** Adds an agreement; returns its id. */
export async function addAccess(
  { organizationId, services: { db } }: Pick<World, 'organizationId' | 'services'>,
  { product, port = 'port_0', id = uniqueId(), consumer = { team: 'b' }, ...more }: AgreementRow,
): Promise<string> {
  const { began = 100, ended, provisioned, status = 'approved', reference, properties, now } = more
  const before = (hours: number): string => hoursAgo(hours, now)
  const isReported =
    provisioned !== undefined || reference !== undefined || properties !== undefined
  const provisioning = {
    ...(provisioned !== undefined && { provisionedAt: before(provisioned) }),
    ...(reference !== undefined && { reference }),
    ...(properties !== undefined && { customProperties: properties }),
  }
  const updatedAt = before(ended ?? began)
  await db
    .insertInto('access_agreement')
    .values({
      organization_id: organizationId,
      external_id: id,
      document: '{}',
      media_type: 'application/json',
      version: 1,
      digest: '',
      provider_product: product,
      output_port: port,
      provider_team: 'a',
      consumer_type: 'user' in consumer ? 'user' : 'product' in consumer ? 'dataproduct' : 'team',
      consumer_team: 'team' in consumer ? consumer.team : null,
      consumer_user: 'user' in consumer ? consumer.user : null,
      consumer_product: 'product' in consumer ? consumer.product : null,
      purpose: 'Reports',
      roles: [],
      end_on: ended === undefined || status !== 'approved' ? null : updatedAt.slice(0, 10),
      status,
      state: status !== 'approved' ? status : ended === undefined ? 'active' : 'canceled',
      requested_at: before(began),
      requested_by: 'test',
      decided_at:
        status === 'requested' ? null : before(status === 'rejected' ? (ended ?? 0) : began),
      created_at: before(began),
      updated_at: updatedAt,
      updated_by: 'test',
      provisioning: isReported ? JSON.stringify(provisioning) : null,
      provisioning_status: provisioned === undefined ? null : 'provisioned',
    })
    .execute()
  return id
}

/** Compares the grants of an integration, as a run does. */
export async function compare(
  { services: { db } }: Pick<World, 'services'>,
  key: IntegrationKey,
  cause: 'run' | 'agreement' | 'identity' = 'run',
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const request = { ...key, cause, principal: 'system', requestId: '' }
    await compareIntegration(transaction, CLOCK, request)
  })
}

/** A finding as tests compare it. */
export interface FindingRow {
  kind: string
  product: string
  port: string
  grantee: string
  agreement: string | null
  facts: Record<string, unknown>
  isRead: boolean
  resolvedBecause: string | null
}

/** Lists the findings of an organization, also resolved ones. */
export async function listFindings(
  { services: { db } }: Pick<World, 'services'>,
  { organizationId, integrationId }: IntegrationKey,
): Promise<FindingRow[]> {
  const { rows } = await sql<FindingRow>`
    select kind, data_product_id as product, output_port as port, grantee_name as grantee,
      agreement_id as agreement, facts, not_read_since is null as "isRead", resolved_because as "resolvedBecause"
    from grant_finding
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
    order by kind, data_product_id, output_port, grantee_name, agreement_id
  `.execute(db)
  return rows
}

/** Lists the kinds of the open findings of an integration, in order. */
export async function listKinds(
  world: Pick<World, 'services'>,
  key: IntegrationKey,
): Promise<string[]> {
  const rows = await listFindings(world, key)
  return rows.filter(({ resolvedBecause }) => resolvedBecause === null).map(({ kind }) => kind)
}
