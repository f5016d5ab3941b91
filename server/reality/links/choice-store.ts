import { sql, type RawBuilder } from 'kysely'
import { appendActivity, selectTeam } from '../../ledger/activity/record.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Link } from './link.ts'

/** A contract with a promise, as far as a choice depends on it. */
interface PromisingContract {
  /** The external id of the owning team; null = no team owns it. */
  ownerId: string | null
  /** Whether the contract has the model on the server, or a choice for it. */
  hasPromise: boolean
}

/** Finds the contract of a choice. */
export async function findContract(
  db: Database,
  organizationId: string,
  { contractId, server, model }: PromiseKey,
): Promise<PromisingContract | undefined> {
  const { rows } = await sql<PromisingContract>`
    select team.external_id as "ownerId",
      exists (
        select
        from contract_promise
        where organization_id = ${organizationId}
          and contract_id = ${contractId}
          and server = ${server}
          and model = ${model}
      )
      or exists (
        select
        from asset_link_choice
        where organization_id = ${organizationId}
          and contract_id = ${contractId}
          and server = ${server}
          and model = ${model}
      ) as "hasPromise"
    from data_contract as contract
    left join team on team.organization_id = contract.organization_id
      and team.id = contract.owner_team_id
    where contract.organization_id = ${organizationId}
      and contract.external_id = ${contractId}
  `.execute(db)
  return rows[0]
}

/** Returns the type of a live asset; undefined if it does not exist. */
export async function findAssetType(
  db: Database,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ type: string }>`
    select type
    from asset
    where organization_id = ${organizationId}
      and external_id = ${id}
      and deleted_at is null
  `.execute(db)
  return rows[0]?.type
}

/** Stores the choice of an asset, or of none, with its entry in one statement. An equal choice leaves no entry. */
export async function upsertChoice(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  { contractId, server, model }: PromiseKey,
  { assetId, reason }: { assetId: string | null; reason: string },
): Promise<void> {
  const { organizationId, principal } = metadata
  await sql`
    with changed as (
      insert into asset_link_choice as choice (
        organization_id, contract_id, server, model, asset_id, reason, chosen_at, chosen_by
      )
      values (
        ${organizationId}, ${contractId}, ${server}, ${model}, ${assetId}, ${reason}, ${clock.now}, ${principal}
      )
      on conflict (organization_id, contract_id, server, model) do update
      set asset_id = excluded.asset_id, reason = excluded.reason, chosen_at = excluded.chosen_at,
        chosen_by = excluded.chosen_by
      where (choice.asset_id, choice.reason) is distinct from (excluded.asset_id, excluded.reason)
      returning *
    )
    ${appendEntry(metadata, 'asset-chosen', clock)}
  `.execute(db)
}

/** Deletes a choice, with its entry in one statement. Nothing happens without one. */
export async function deleteChoice(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  { contractId, server, model }: PromiseKey,
): Promise<void> {
  await sql`
    with changed as (
      delete from asset_link_choice
      where organization_id = ${metadata.organizationId}
        and contract_id = ${contractId}
        and server = ${server}
        and model = ${model}
      returning *
    )
    ${appendEntry(metadata, 'choice-ended', clock)}
  `.execute(db)
}

// Reads the result `changed`.
function appendEntry(metadata: ChangeMetadata, action: string, clock: Clock): RawBuilder<unknown> {
  const { organizationId } = metadata
  const entry = {
    kind: 'data-contract',
    action,
    at: clock.now,
    subject: sql`changed.contract_id`,
    name: sql`contract.name`,
    team: selectTeam(organizationId, sql`contract.owner_team_id`),
    details: sql`jsonb_build_object(
      'server', changed.server, 'model', changed.model, 'asset', changed.asset_id, 'reason', changed.reason
    )`,
  } as const
  return appendActivity(
    metadata,
    entry,
    sql`from changed
    join data_contract as contract on contract.organization_id = changed.organization_id
      and contract.external_id = changed.contract_id`,
  )
}

/** Finds the link of a promise; undefined if it has none. */
export async function findLink(
  db: Database,
  organizationId: string,
  { contractId, server, model }: PromiseKey,
): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select state, asset_id as "assetId", origin, explanation, candidates
    from asset_link
    where organization_id = ${organizationId}
      and contract_id = ${contractId}
      and server = ${server}
      and model = ${model}
  `.execute(db)
  return rows[0]
}
