import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { LinkState } from '../../reality/links/link.ts'

/** The link of a model on a server, and its table if it has one that an integration maintains. */
export interface LinkedModel {
  model: string
  state: LinkState
  assetId: string | null
  /** The external id of the integration. */
  integration: string | null
  /** The native path as a JSON list. */
  path: string | null
}

/** Lists the links of the models of a contract on a server. */
export async function listLinkedModels(
  db: Database,
  {
    organizationId,
    contractId,
    server,
  }: { organizationId: string; contractId: string; server: string },
): Promise<LinkedModel[]> {
  const { rows } = await sql<LinkedModel>`
    select promise.model, coalesce(link.state, 'no_source') as state, link.asset_id as "assetId",
      integration.external_id as integration, asset.path
    from contract_promise as promise
    left join asset_link as link on link.organization_id = promise.organization_id
      and link.contract_id = promise.contract_id
      and link.server = promise.server
      and link.model = promise.model
    left join asset on asset.organization_id = link.organization_id
      and asset.external_id = link.asset_id
      and asset.deleted_at is null
      and link.state = 'linked'
    left join integration on integration.organization_id = asset.organization_id
      and integration.id = asset.integration_id
    where promise.organization_id = ${organizationId}
      and promise.contract_id = ${contractId}
      and promise.server = ${server}
    order by promise.model
  `.execute(db)
  return rows
}

/** Lists the documents of assets as JSON, by their ids. */
export async function listDocuments(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; document: string }[]> {
  const { rows } = await sql<{ id: string; document: string }>`
    select external_id as id, coalesce(document_json, document) as document
    from asset
    where organization_id = ${organizationId}
      and external_id = any(${ids}::text[])
  `.execute(db)
  return rows
}

/** Finds the team that owns a contract; null = no team. */
export async function findOwner(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<string | null> {
  const { rows } = await sql<{ team: string }>`
    select team.external_id as team
    from data_contract as contract
    join team on team.organization_id = contract.organization_id
      and team.id = contract.owner_team_id
    where contract.organization_id = ${organizationId}
      and contract.external_id = ${contractId}
  `.execute(db)
  return rows[0]?.team ?? null
}
