import { sql, type RawBuilder } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { AcceptanceColumns, FINDING_STATUSES } from '../acceptance.ts'
import type { DriftFinding } from './drift.ts'

/** A finding as it is read, without the name of the person who accepted it. */
export type FindingRow = Omit<DriftFinding, 'acceptance'> & AcceptanceColumns

/** The findings of a list; undefined = all. */
export interface FindingFilter {
  teamIds?: readonly string[] | undefined
  dataContractId?: string | undefined
  assetId?: string | undefined
  /** The external id of an integration. */
  integration?: string | undefined
  level?: DriftFinding['level'] | undefined
  /** Undefined = those that are not resolved. */
  status?: (typeof FINDING_STATUSES)[number] | undefined
}

/** Lists findings, newest first, and one more than a page has if there is a next page. */
export async function listFindings(
  db: Database,
  clock: Clock,
  organizationId: string,
  filter: FindingFilter,
  page: number,
): Promise<FindingRow[]> {
  // The rows of the page are chosen from an index, before they and their names are read.
  const { rows } = await sql<FindingRow>`
    with chosen as materialized (
      select finding.id
      from drift_finding as finding
      where finding.organization_id = ${organizationId}
        and ${sql.join(listConditions(clock, organizationId, filter), sql` and `)}
      order by finding.first_seen_at desc, finding.id
      ${selectPage(page)}
    ),
    finding as materialized (
      select one.*
      from chosen
      cross join lateral (
        select *
        from drift_finding
        where organization_id = ${organizationId}
          and id = chosen.id
        limit 1
      ) as one
    )
    ${selectFindings(organizationId)}
    order by finding.first_seen_at desc, finding.id
  `.execute(db)
  return rows
}

function listConditions(
  { now }: Clock,
  organizationId: string,
  { teamIds, dataContractId, assetId, integration, level, status }: FindingFilter,
): RawBuilder<unknown>[] {
  const isOpen = isUnaccepted(sql`(select ${now})`)
  return [
    status === 'resolved' ? sql`finding.resolved_at is not null` : sql`finding.resolved_at is null`,
    // The indexes of lists ask for it.
    sql`finding.first_seen_at > '-infinity'`,
    ...(status === 'open' ? [isOpen] : []),
    ...(status === 'accepted' ? [sql`not ${isOpen}`] : []),
    ...(level === undefined ? [] : [sql`finding.level = ${level}`]),
    ...(dataContractId === undefined ? [] : [sql`finding.contract_id = ${dataContractId}`]),
    ...(assetId === undefined ? [] : [sql`finding.asset_id = ${assetId}`]),
    ...(teamIds === undefined
      ? []
      : [
          sql`finding.contract_id in (
          select contract.external_id
          from data_contract as contract
          join team as owner on owner.organization_id = contract.organization_id
            and owner.id = contract.owner_team_id
          where contract.organization_id = ${organizationId}
            and owner.external_id = any(${teamIds}::text[])
        )`,
        ]),
    ...(integration === undefined
      ? []
      : [
          // Null without such an integration: then nothing is looked up.
          sql`(${selectIntegration(organizationId, integration)}) is not null`,
          sql`exists (
          select
          from asset
          where asset.organization_id = ${organizationId}
            and asset.external_id = finding.asset_id
            and asset.integration_id = (${selectIntegration(organizationId, integration)})
        )`,
        ]),
  ]
}

function selectIntegration(organizationId: string, externalId: string): RawBuilder<unknown> {
  return sql`
            select id
            from integration
            where organization_id = ${organizationId}
              and external_id = ${externalId}`
}

/** SQL fragment, `select … from finding …`: the rows of a relation `finding` with the columns of the table. */
export function selectFindings(organizationId: string): RawBuilder<unknown> {
  return sql`
    select finding.id, finding.contract_id as "dataContractId", contract.name as "dataContractName",
      owner.external_id as "ownerId", finding.server, finding.is_production as "isProduction",
      finding.model, nullif(finding.field, '') as field, finding.aspect, finding.level,
      finding.promised, finding.actual, finding.asset_id as "assetId", asset.name as "assetName",
      integration.external_id as integration, finding.first_seen_at as since,
      finding.first_run_id as "firstRunId", finding.changed_at as "changedAt",
      finding.accepted_until as "acceptedUntil", finding.accepted_reason as "acceptedReason",
      finding.accepted_by as "acceptedBy", finding.accepted_at as "acceptedAt",
      finding.resolved_at as "resolvedAt", finding.resolved_because as "resolvedBecause"
    from finding
    left join data_contract as contract on contract.organization_id = ${organizationId}
      and contract.external_id = finding.contract_id
    left join team as owner on owner.organization_id = ${organizationId}
      and owner.id = contract.owner_team_id
    left join lateral (
      select name, integration_id
      from asset
      where organization_id = ${organizationId}
        and external_id = finding.asset_id
      limit 1
    ) as asset on true
    left join integration on integration.organization_id = ${organizationId}
      and integration.id = asset.integration_id`
}

/** Finds a finding; undefined if there is none of this id. */
export async function findFinding(
  db: Database,
  organizationId: string,
  id: string,
): Promise<FindingRow | undefined> {
  const { rows } = await sql<FindingRow>`
    with finding as materialized (
      select *
      from drift_finding
      where organization_id = ${organizationId}
        and id = ${id}
    )
    ${selectFindings(organizationId)}
  `.execute(db)
  return rows[0]
}
