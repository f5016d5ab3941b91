/** Output ports whose tables are in a real source, and what a run finds about grants on them. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { changeSettings, mapName } from '../server/reality/grants/settings-service.ts'
import type { Store } from '../server/store.ts'
import { addProvider } from './agreements.ts'
import { addIntegration } from './integrations.ts'
import { newIngestionWorld, type IngestionWorld, type RealSource } from './ingestion.ts'
import { newProduct, newWorld, odps, putOne, uniqueId, type World } from './world.ts'

/** A finding as tests compare it. */
export interface FoundDeviation {
  kind: string
  product: string
  port: string
  grantee: string
  consumer: string | null
  agreement: string | null
  facts: Record<string, unknown>
  isRead: boolean
}

/** An organization with an integration that reads grants. */
export interface GrantWorld {
  world: World
  ingestion: IngestionWorld
  key: { organizationId: string; integrationId: string }
  change: { organizationId: string; integrationId: string; principal: string; requestId: string }
  /** Creates a data product of team a with a port for each table or list of tables, in this order; returns its id. */
  addPorts(tables: readonly (string | readonly string[])[]): Promise<string>
  map(name: string, subject: { kind: string; id: string | null }, kind?: string): Promise<void>
  listOpen(): Promise<FoundDeviation[]>
}

/** Creates an organization with an integration, whose grants are read from its first run on. */
export async function newGrantWorld(
  store: Store,
  real: RealSource,
  { granteeKind = 'role', pattern = null as string | null } = {},
): Promise<GrantWorld> {
  const world = await newWorld(newProduct(store))
  const { organizationId } = world
  const ingestion = await newIngestionWorld(store, { real, organizationId })
  const { integrationId } = ingestion
  const key = { organizationId, integrationId }
  const change = { ...key, principal: 'test', requestId: '' }
  await changeSettings(world.services, change, { enabled: true, pattern })
  return {
    world,
    ingestion,
    key,
    change,
    async addPorts(tables) {
      const assets = await ingestion.assets()
      const id = uniqueId()
      const outputPorts = tables.map((table, at) => ({
        name: `port_${at}`,
        version: '1',
        customProperties: [
          { property: 'assets', value: [table].flat().map((one) => assets.get(one)?.id) },
        ],
      }))
      await putOne(world, 'dataproducts', odps(id, { outputPorts }))
      return id
    },
    async map(granteeName, subject, kind = granteeKind) {
      await mapName(world.services, change, { granteeKind: kind, granteeName, subject })
    },
    async listOpen() {
      const { rows } = await sql<FoundDeviation>`
        select kind, data_product_id as product, output_port as port, grantee_name as grantee,
          consumer_id as consumer, agreement_id as agreement, facts, not_read_since is null as "isRead"
        from grant_finding
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
          and resolved_at is null
        order by kind, data_product_id, output_port, grantee_name, agreement_id
      `.execute(store.db)
      return rows
    },
  }
}

/** Adds a finding about a new data product of a team and a new integration of it; returns its id. */
export async function addAccessFinding(world: World, owner: string): Promise<string> {
  const { organizationId, services } = world
  const product = await addProvider(world, owner)
  const integration = await addIntegration(world, owner)
  const id = randomUUID()
  await sql`
    insert into grant_finding (
      organization_id, id, kind, data_product_id, output_port, integration_id, grantee_kind,
      grantee_name, consumer_kind, consumer_id, facts, first_seen_at, changed_at
    )
    select ${organizationId}, ${id}, 'granted_without_agreement', ${product}, 'out', id, 'role',
      'reader', 'team', 'b', '{"tableCount": 1, "via": "top"}', now(), now()
    from integration
    where organization_id = ${organizationId}
      and external_id = ${integration}
  `.execute(services.db)
  return id
}
