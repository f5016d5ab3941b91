/** Promises of freshness that are linked with tables of a scripted source, and their judgements. */

import { sql } from 'kysely'
import type { Database } from '../server/platform/tables.ts'
import type { IngestionWorld } from './ingestion.ts'
import type { ScriptedTable } from './scripted-connector.ts'
import { uniqueId } from './world.ts'

/** A promise of data that are at most a day old. */
export const DAILY = { property: 'freshness', text: '24 h', origin: '', seconds: 86_400 }

interface StoredRow {
  evidence: string | null
  late_at: string | null
  is_confirmed: boolean
  unknown_because: string | null
}

/** Puts a table into the source of the world. */
export function putTable(
  world: IngestionWorld,
  name: string,
  statistic: ScriptedTable['statistic'],
  more: Partial<ScriptedTable> = {},
): void {
  world.source.put(['shop', 'sales', name], { ...(statistic && { statistic }), ...more })
}

/** Reads the source of the world. */
export async function runOnce(world: IngestionWorld): Promise<void> {
  const { status, message } = await world.run()
  if (status !== 'SUCCESS') throw new Error(message ?? status)
}

/**
 * Puts a table into the source of the world, reads it, and links a promise with it by hand. Returns the name of the table, which is
 * the id of the contract, and the id of the asset.
 */
export async function linkPromise(
  db: Database,
  world: IngestionWorld,
  statistic: ScriptedTable['statistic'],
  { table = {}, promise = DAILY }: { table?: Partial<ScriptedTable>; promise?: object | null } = {},
): Promise<{ name: string; assetId: string }> {
  const { organizationId } = world
  const name = `table_${uniqueId().replaceAll('-', '_')}`
  const path = JSON.stringify(['shop', 'sales', name])
  putTable(world, name, statistic, table)
  await runOnce(world)
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from asset
    where organization_id = ${organizationId}
      and path = ${path}
  `.execute(db)
  const assetId = rows[0]?.id ?? ''
  await sql`
    insert into data_contract (
      organization_id, external_id, document, media_type, format, version, digest, name, created_at, updated_at,
      updated_by, tags
    )
    values (${organizationId}, ${name}, '{}', 'application/json', 'odcs', 1, 'digest', ${name}, now(), now(), 'test', '{}')
  `.execute(db)
  await sql`
    insert into contract_promise (
      organization_id, contract_id, server, model, platform, is_production, path, promise, digest,
      contract_version, freshness
    )
    values (${organizationId}, ${name}, 'prod', 'orders', 'postgres', true, ${path}, '{"key": [], "fields": []}',
      'digest', 1, ${promise === null ? null : JSON.stringify(promise)}::jsonb)
  `.execute(db)
  await sql`
    insert into asset_link_choice (organization_id, contract_id, server, model, asset_id, reason, chosen_by)
    values (${organizationId}, ${name}, 'prod', 'orders', ${assetId}, 'test', 'test')
  `.execute(db)
  await sql`
    insert into asset_link (organization_id, contract_id, server, model, state, asset_id, origin, linked_at)
    values (${organizationId}, ${name}, 'prod', 'orders', 'linked', ${assetId}, 'hand', now())
    on conflict (organization_id, contract_id, server, model) do update
    set state = excluded.state, asset_id = excluded.asset_id
  `.execute(db)
  return { name, assetId }
}

/** Returns the judgements of a contract: `[evidence, late at, is confirmed]`, or the reason why it is unknown. */
export async function readJudgements(
  db: Database,
  { organizationId }: IngestionWorld,
  name: string,
): Promise<unknown[]> {
  const { rows } = await sql<StoredRow>`
    select evidence, late_at, is_confirmed, unknown_because
    from promise_freshness
    where organization_id = ${organizationId}
      and contract_id = ${name}
  `.execute(db)
  return rows.map(({ evidence, late_at, is_confirmed, unknown_because }) =>
    unknown_because === null
      ? [evidence, late_at === null ? null : new Date(late_at).toISOString(), is_confirmed]
      : unknown_because,
  )
}
