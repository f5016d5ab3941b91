/** Promises of contracts, their links and findings, as rows. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Sent } from './permissions/requests.ts'
import { odcs, putOne, uniqueId, type World } from './world.ts'

/** A finding; absent members are those of a missing column. */
export interface FindingRow {
  server?: string
  model?: string
  field?: string
  aspect?: string
  level?: 'breaking' | 'additive'
  promised?: string | null
  actual?: string | null
  isProduction?: boolean
  assetId?: string | null
  firstSeenAt?: string
  acceptedUntil?: string
  resolvedAt?: string
}

/** A field of a promise. */
interface PromisedField {
  name: string
  type: string
  required?: true
}

/** A column of a table. */
export interface TableColumn {
  name: string
  type: string
  required?: boolean
}

const DIGEST = 'digest'

type Place = Pick<World, 'services' | 'organizationId'>

/** Writes the next version of a table, as a client or a run stores it, without what follows from it. */
export async function writeTable(
  { services: { db }, organizationId }: Place,
  id: string,
  columns: readonly TableColumn[],
  { runId = null as string | null, digest = JSON.stringify(columns) } = {},
): Promise<void> {
  const info = { name: 'orders', source: 'postgres', type: 'postgres_table' }
  const document = JSON.stringify({ id, info, columns })
  await sql`
    insert into asset (
      organization_id, external_id, document, media_type, version, digest, name, type, source, run_id, created_at,
      updated_at, updated_by
    )
    values (
      ${organizationId}, ${id}, ${document}, 'application/json', 1, ${digest}, 'orders', 'postgres_table', 'postgres',
      ${runId}, now(), now(), 'test'
    )
    on conflict (organization_id, external_id) do update
    set document = excluded.document, digest = excluded.digest, run_id = excluded.run_id, version = asset.version + 1
  `.execute(db)
}

/**
 * Adds a promise of a contract with its link, as it is after a comparison; with `fields` it is still to be compared. A link is one by
 * hand, so that later changes keep it.
 */
export async function addPromise(
  place: Place,
  contractId: string,
  {
    server = 'production',
    model = 'orders',
    state = 'linked',
    assetId: given = null as string | null,
    isProduction = true,
    fields = undefined as PromisedField[] | undefined,
  } = {},
): Promise<void> {
  const { organizationId } = place
  const { db } = place.services
  const isLinked = state === 'linked'
  const assetId = given ?? (isLinked ? contractId : null)
  if (given === null && isLinked) await writeTable(place, contractId, [])
  const promise = JSON.stringify({
    kind: 'table',
    types: 'postgresql',
    key: [],
    fields: fields ?? [],
  })
  const compared = fields === undefined ? `${DIGEST} ${assetId}` : null
  const key = sql`${organizationId}, ${contractId}, ${server}, ${model}`
  await sql`
    insert into contract_promise (
      organization_id, contract_id, server, model, platform, is_production, path, promise, digest, contract_version
    )
    values (${key}, 'postgres', ${isProduction}, '["db", "public", "orders"]', ${promise}::jsonb, ${DIGEST}, 1)
  `.execute(db)
  await sql`
    insert into asset_link (
      organization_id, contract_id, server, model, state, asset_id, origin, linked_at, promise_digest, asset_version,
      compared_at
    )
    values (${key}, ${state}, ${assetId}, ${isLinked ? 'hand' : null}, now(), ${compared}, 1, now())
  `.execute(db)
  if (!isLinked) return
  await sql`
    insert into asset_link_choice (organization_id, contract_id, server, model, asset_id, reason, chosen_by)
    values (${key}, ${assetId}, 'Chosen', 'test')
  `.execute(db)
}

/** Adds a finding of a contract, and returns its id. */
export async function addFinding(
  { services: { db }, organizationId }: Place,
  contractId: string,
  finding: FindingRow = {},
): Promise<string> {
  const id = randomUUID()
  const seenAt = finding.firstSeenAt ?? '2026-01-01T00:00:00Z'
  const isAccepted = finding.acceptedUntil !== undefined
  await sql`
    insert into drift_finding (
      organization_id, id, contract_id, server, model, field, aspect, level, promised, actual, asset_id, is_production,
      first_seen_at, changed_at, accepted_until, accepted_reason, accepted_by, accepted_at, resolved_at, resolved_because
    )
    values (
      ${organizationId}, ${id}, ${contractId}, ${finding.server ?? 'production'}, ${finding.model ?? 'orders'},
      ${finding.field ?? 'id'}, ${finding.aspect ?? 'column.missing'}, ${finding.level ?? 'breaking'},
      ${finding.promised ?? 'integer'}, ${finding.actual ?? null}, ${finding.assetId ?? null},
      ${finding.isProduction ?? true}, ${seenAt}, ${seenAt}, ${finding.acceptedUntil ?? null},
      ${isAccepted ? 'Planned' : null}, ${isAccepted ? 'system' : null}, ${isAccepted ? seenAt : null},
      ${finding.resolvedAt ?? null}, ${finding.resolvedAt === undefined ? null : 'run'}
    )
  `.execute(db)
  return id
}

/** Adds a promise of a contract and a finding about an asset of the same id; `actual` is a canary. Returns the id of the finding. */
export async function addForeignDrift(place: Place, id: string, actual: string): Promise<string> {
  await addPromise(place, id)
  return await addFinding(place, id, { actual, assetId: id })
}

/** Lists the requests that name findings of another organization; undefined for other routes. */
export function listDriftProbes(
  method: string,
  route: string,
): ((names: { id: string; keyId: string }) => Sent)[] | undefined {
  if (route.includes('/links/')) {
    const body = method === 'PUT' ? { body: { assetId: null, reason: 'Other' } } : {}
    return [({ id }) => ({ path: `/api/datacontracts/${id}/links/production/orders`, ...body })]
  }
  if (!route.startsWith('/api/drift')) return undefined
  if (route === '/api/drift') {
    const parameters = ['dataContractId', 'assetId', 'teamId', 'integration']
    return parameters.map((parameter) => ({ id }) => ({ path: `${route}?${parameter}=${id}` }))
  }
  const body = method === 'PUT' ? { body: { reason: 'Planned' } } : {}
  return [({ keyId }) => ({ path: route.replace('{id}', keyId), ...body })]
}

const COLUMNS = [
  { name: 'id', logicalType: 'integer', physicalType: 'bigint', required: true, primaryKey: true },
  { name: 'total', logicalType: 'number', physicalType: 'numeric(10,2)', required: true },
  { name: 'note', logicalType: 'string', physicalType: 'varchar(20)' },
]

/**
 * Registers a contract whose table has a column of another type, and none of the name `note`. Returns the id of the contract,
 * whose model `orders` on the server `production` has the findings.
 */
export async function addDifferingTable(
  world: World,
  { source = 'postgres', table = 'orders', owner = 'a' } = {},
): Promise<string> {
  const [contractId, assetId] = [uniqueId(), uniqueId()]
  const schema = [
    { name: 'orders', physicalName: table, logicalType: 'object', properties: COLUMNS },
  ]
  const team = { name: owner }
  await putOne(world, 'datacontracts', odcs(contractId, { servers: [], schema, team }))
  await putOne(world, 'assets', {
    id: assetId,
    info: { name: table, source, type: `${source}_table` },
    columns: [
      { name: 'id', type: 'bigint', required: true },
      { name: 'total', type: 'text', required: false },
    ],
    custom: { primaryKey: ['id'] },
  })
  await addPromise(world, contractId, { assetId })
  await addFinding(world, contractId, { field: 'total', aspect: 'type' })
  await addFinding(world, contractId, { field: 'total', aspect: 'nullable' })
  await addFinding(world, contractId, { field: 'note', aspect: 'column.missing' })
  return contractId
}
