/**
 * Contracts and tables in numbers: each contract promises ten tables of its schema, and every second one a column that a
 * table lacks. Half of the contracts belong to an output port.
 */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { ensureIndex } from '../../server/documents/search/rebuild-service.ts'
import type { Database } from '../../server/platform/tables.ts'
import type { Store } from '../../server/store.ts'
import { copyRows, type CopiedRow } from './copy.ts'
import {
  COLUMNS,
  createAssetRow,
  deriveRow,
  GROUP,
  listTeams,
  toUuid,
  type Filled,
} from './documents.ts'
import { createFilled } from './fill.ts'
import { odcs, odps } from '../world.ts'

/** The models of a contract; each is one promise. */
export const MODELS_COUNT = 10

const DRIFT_EVERY = 20
const HOST = 'warehouse.velmora.example'
const TEAMS_COUNT = 10

/** The size of a world of promises and tables. */
export interface RealitySize {
  promisesCount: number
  assetsCount: number
}

/**
 * Fills an organization with promises that nothing has read yet, and the tables of a source that was read. Only `searchable`
 * fills the search index with the tables that no contract promises, too: an opened store would add them.
 */
export async function fillReality(
  { db, connection }: Pick<Store, 'db' | 'connection'>,
  { promisesCount, assetsCount }: RealitySize,
  searchable: 'all' | 'promised' = 'all',
): Promise<Filled> {
  const filled = await createFilled({ db })
  const contractsCount = promisesCount / MODELS_COUNT
  if (contractsCount * GROUP > assetsCount) throw new Error('a contract needs a schema of tables')
  const client = new Client(connection)
  await client.connect()
  try {
    await copyRows(client, 'team', listTeams(filled, [0, GROUP * TEAMS_COUNT]))
    await copyRows(client, 'data_contract', listContracts(filled, contractsCount))
    await copyRows(client, 'data_product', listProducts(filled, contractsCount))
    const isFirst = (number: number): boolean =>
      searchable === 'all' || (number < contractsCount * GROUP && number % GROUP <= MODELS_COUNT)
    const numbers = Array.from({ length: assetsCount }, (_, number) => number)
    const toRows = (some: number[]): Iterable<CopiedRow> =>
      some.values().map((number) => createAssetRow(filled, number))
    await copyRows(client, 'asset', toRows(numbers.filter((number) => isFirst(number))))
    await sql`delete from search_build`.execute(db)
    await ensureIndex(db)
    await copyRows(client, 'asset', toRows(numbers.filter((number) => !isFirst(number))))
  } finally {
    await client.end()
  }
  await insertReading(db, filled)
  await sql`analyze`.execute(db)
  return filled
}

/** Returns the text of a contract; a change modifies its description. More models than a schema has tables are in the next ones. */
export function createContract(
  number: number,
  { hasTables = true, change = 0, modelsCount = MODELS_COUNT } = {},
): string {
  // The first of each group is a schema.
  const tables = Array.from(
    { length: modelsCount },
    (_, at) => number * GROUP + at + 1 + Math.floor(at / (GROUP - 1)),
  )
  return JSON.stringify(
    odcs(toId(number), {
      description: { purpose: `What schema ${number} has, change ${change}` },
      team: { name: toTeam(number) },
      servers: [
        {
          server: 'production',
          type: 'postgres',
          environment: 'prod',
          host: HOST,
          port: 5432,
          database: hasTables ? 'warehouse' : 'elsewhere',
          schema: `schema_${number}`,
        },
      ],
      slaProperties: [{ property: 'freshness', value: 24, unit: 'h' }],
      schema: tables.map((table) => ({
        name: `table_${table}`,
        physicalName: `schema_${Math.floor(table / GROUP)}.table_${table}`,
        properties: listProperties(table),
      })),
    }),
  )
}

function listProperties(table: number): object[] {
  const properties = Array.from({ length: COLUMNS }, (_, at) => ({
    name: `column_${at}`,
    ...(at % 2 === 0
      ? { logicalType: 'integer', physicalType: 'integer' }
      : { logicalType: 'string', physicalType: 'text' }),
    ...(at === 0 && { required: true }),
  }))
  const missing = { name: 'column_missing', logicalType: 'string', physicalType: 'text' }
  return table % DRIFT_EVERY === 1 ? [...properties, missing] : properties
}

const toTeam = (number: number): string => `team-${number % TEAMS_COUNT}`

/** Returns the id of a contract. */
export function toId(number: number): string {
  return `promised-${number}`
}

function* listContracts(filled: Filled, count: number): Generator<CopiedRow> {
  for (let number = 0; number < count; number += 1) {
    const document = createContract(number)
    yield toRow(filled, { kind: 'data-contract', id: toId(number), document })
  }
}

function* listProducts(filled: Filled, contractsCount: number): Generator<CopiedRow> {
  for (let number = 0; number < contractsCount; number += 2) {
    const id = `promising-${number}`
    const more = {
      team: { name: toTeam(number) },
      outputPorts: [{ name: 'out', version: '1', contractId: toId(number) }],
    }
    yield toRow(filled, { kind: 'data-product', id, document: JSON.stringify(odps(id, more)) })
  }
}

function toRow(
  filled: Filled,
  one: { kind: 'data-contract' | 'data-product'; id: string; document: string },
): CopiedRow {
  const { owner, ...columns } = deriveRow(one, filled)
  return { ...columns, media_type: 'application/json', owner_team_id: toUuid(String(owner)) }
}

// The last run read every schema; the tables changed an hour before.
async function insertReading(
  db: Database,
  { organizationId, integrationId }: Filled,
): Promise<void> {
  const runId = randomUUID()
  await sql`
    insert into integration_address (organization_id, integration_id, address, origin, added_by)
    values (${organizationId}, ${integrationId}, ${`${HOST}:5432`}, 'hand', 'system')
  `.execute(db)
  await sql`
    insert into ingestion_run (organization_id, id, integration_id, kind, status, phase, principal, forced,
      started_at, completed_at, progressed_at)
    values (${organizationId}, ${runId}, ${integrationId}, 'ingest', 'SUCCESS', 'publishing', 'system', false,
      now(), now(), now())
  `.execute(db)
  await sql`
    insert into ingestion_scope (organization_id, run_id, scope, kind, state)
    select distinct organization_id, ${runId}::uuid, scope, 'schema', 'complete'
    from asset
    where organization_id = ${organizationId}
  `.execute(db)
  await sql`
    insert into asset_statistic (organization_id, asset_id, row_count, size_bytes, measured_at, changed_at,
      changed_means)
    select organization_id, external_id, 1000, 8192, now(), now() - interval '1 hour', 'data'
    from asset
    where organization_id = ${organizationId}
      and kind = 'table'
  `.execute(db)
}
