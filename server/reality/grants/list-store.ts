import { sql, type RawBuilder } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { AcceptanceColumns } from '../acceptance.ts'
import type { AccessFinding } from './access-finding.ts'
import type { FindingFacts, FindingKind } from './grants.ts'

/** A finding with everything that some callers may not see. */
export interface AccessFindingRow
  extends
    AcceptanceColumns,
    Pick<
      AccessFinding,
      | 'id'
      | 'status'
      | 'isRead'
      | 'dataProductId'
      | 'dataProductName'
      | 'ownerId'
      | 'outputPortId'
      | 'integration'
      | 'accessId'
      | 'since'
      | 'firstRunId'
      | 'changedAt'
      | 'notReadSince'
      | 'resolvedAt'
      | 'resolvedBecause'
    > {
  kind: FindingKind
  integrationId: string
  granteeKind: '' | 'user' | 'role' | 'group' | 'public'
  granteeName: string
  consumerKind: 'team' | 'data-product' | 'user' | null
  consumerId: string | null
  consumerName: string | null
  /** The person that the name of the platform means; null = another subject, or unknown. */
  granteeUserId: string | null
  facts: FindingFacts
}

/** The findings of a list; undefined = all. */
export interface AccessFindingFilter {
  dataProductId?: string | undefined
  outputPortId?: string | undefined
  kind?: FindingKind | undefined
  /** Undefined = those that are not resolved. */
  status?: AccessFinding['status'] | undefined
}

/** Lists a page of findings, newest first, and one more if there is a next page. */
export async function listAccessFindings(
  db: Database,
  clock: Clock,
  organizationId: string,
  { dataProductId, outputPortId, kind, status }: AccessFindingFilter,
  page: number,
): Promise<AccessFindingRow[]> {
  const isOpen = isUnaccepted(sql`(select ${clock.now})`)
  const conditions = [
    status === 'resolved' ? sql`resolved_at is not null` : sql`resolved_at is null`,
    ...(status === 'open' ? [isOpen] : []),
    ...(status === 'accepted' ? [sql`not ${isOpen}`] : []),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(dataProductId === undefined ? [] : [sql`data_product_id = ${dataProductId}`]),
    ...(outputPortId === undefined ? [] : [sql`output_port = ${outputPortId}`]),
  ]
  const { rows } = await sql<AccessFindingRow>`
    with finding as materialized (
      select *
      from grant_finding as finding
      where organization_id = ${organizationId}
        and ${sql.join(conditions, sql` and `)}
      order by first_seen_at desc, id
      ${selectPage(page)}
    )
    ${selectFindings(organizationId, clock)}
    order by finding.first_seen_at desc, finding.id
  `.execute(db)
  return rows
}

/** Finds a finding, also one that is resolved. */
export async function findAccessFinding(
  db: Database,
  clock: Clock,
  organizationId: string,
  id: string,
): Promise<AccessFindingRow | undefined> {
  const { rows } = await sql<AccessFindingRow>`
    with finding as materialized (
      select *
      from grant_finding
      where organization_id = ${organizationId}
        and id = ${id}
    )
    ${selectFindings(organizationId, clock)}
  `.execute(db)
  return rows[0]
}

// Reads the result `finding`.
function selectFindings(organizationId: string, clock: Clock): RawBuilder<unknown> {
  return sql`
    select finding.id, finding.kind,
      case
        when finding.resolved_at is not null then 'resolved'
        when finding.accepted_until > (select ${clock.now}) then 'accepted'
        else 'open'
      end as status,
      finding.not_read_since is null as "isRead", finding.data_product_id as "dataProductId",
      product.name as "dataProductName", owner.external_id as "ownerId",
      finding.output_port as "outputPortId", finding.integration_id as "integrationId",
      integration.external_id as integration, finding.grantee_kind as "granteeKind",
      finding.grantee_name as "granteeName", finding.consumer_kind as "consumerKind",
      finding.consumer_id as "consumerId",
      case finding.consumer_kind
        when 'team' then team.name
        when 'data-product' then consuming.name
        when 'user' then person.name
      end as "consumerName",
      identity.subject_id as "granteeUserId",
      finding.agreement_id as "accessId", finding.facts, finding.first_seen_at as since,
      finding.first_run_id as "firstRunId", finding.changed_at as "changedAt",
      finding.not_read_since as "notReadSince", finding.resolved_at as "resolvedAt",
      finding.resolved_because as "resolvedBecause", finding.accepted_until as "acceptedUntil",
      finding.accepted_reason as "acceptedReason", finding.accepted_by as "acceptedBy",
      finding.accepted_at as "acceptedAt"
    from finding
    left join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = finding.data_product_id
    left join team as owner on owner.organization_id = ${organizationId}
      and owner.id = product.owner_team_id
    left join integration on integration.organization_id = ${organizationId}
      and integration.id = finding.integration_id
    left join team on team.organization_id = ${organizationId}
      and team.external_id = finding.consumer_id
      and finding.consumer_kind = 'team'
    left join data_product as consuming on consuming.organization_id = ${organizationId}
      and consuming.external_id = finding.consumer_id
      and finding.consumer_kind = 'data-product'
    left join grantee_identity as identity on identity.organization_id = ${organizationId}
      and identity.integration_id = finding.integration_id
      and identity.grantee_kind = finding.grantee_kind
      and identity.grantee_name = finding.grantee_name
      and identity.subject_kind = 'user'
    left join user_account as person on person.id::text = finding.consumer_id
      and finding.consumer_kind = 'user'
      and person.erased_at is null
`
}
