import { sql } from 'kysely'
import { recordActivity, type NewEntry } from '../ledger/activity/record.ts'
import { recordListedEvents, type ListedEvent } from '../ledger/events/record.ts'
import type { Clock, Instant } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import { AGREEMENT_KIND, type Agreement, type AgreementKey } from './agreement.ts'
import type { ProvisioningStatus } from './provisioning.ts'
import { listSides } from './record.ts'

/** The maximum number of reports that are kept of an agreement. */
export const REPORTS_MAX = 100

/** A new provisioning of an agreement. */
export interface ProvisioningWrite {
  principal: string
  status: ProvisioningStatus
  /** As JSON. */
  provisioning: string
  platform: string | undefined
  /** Undefined = none. */
  event: ListedEvent['name'] | undefined
  requestId: string
}

/**
 * Stores the provisioning of an agreement with its report and its event, in one statement, and forgets the oldest
 * reports. Returns false if another report was first.
 */
export async function saveProvisioning(
  db: Database,
  clock: Clock,
  { organizationId, id, provisioningVersion }: Agreement,
  { principal, status, provisioning, platform, event, requestId }: ProvisioningWrite,
): Promise<boolean> {
  const details = platform === undefined ? { status } : { status, platform }
  const events = event === undefined ? [] : [{ organizationId, subject: id, name: event, details }]
  const entry: NewEntry = {
    kind: AGREEMENT_KIND,
    action: status,
    at: sql`updated_at`,
    subject: sql`external_id`,
    name: sql`name`,
    team: sql`provider_team`,
    details,
  }
  const changed = sql`from written where ${event !== undefined}::boolean`
  const owners = listSides('changed')
  const target = { result: 'written', timeColumn: 'updated_at', owners } as const
  const { rows } = await sql`
    with written as (
      update access_agreement
      set provisioning = ${provisioning}, provisioning_status = ${status},
        provisioning_version = provisioning_version + 1
      where organization_id = ${organizationId}
        and external_id = ${id}
        and provisioning_version = ${provisioningVersion}
      returning organization_id, external_id, version, provisioning_version, provider_team, consumer_team,
        provider_product || ' / ' || output_port as name, ${clock.now} as updated_at
    ),
    reported as (
      insert into access_provisioning_report (
        organization_id, agreement_id, number, status, provisioning, reported_at, reported_by
      )
      select organization_id, external_id, provisioning_version, ${status}, ${provisioning},
        updated_at, ${principal}
      from written
    ),
    forgotten as (
      delete from access_provisioning_report as report
      using written
      where report.organization_id = ${organizationId}
        and report.agreement_id = ${id}
        and report.number <= written.provisioning_version - ${REPORTS_MAX}
    ),
    announced as (${recordListedEvents({ kind: AGREEMENT_KIND, principal }, events, target)}
    ),
    recorded as (${recordActivity({ organizationId, principal, requestId }, entry, changed)}
    )
    select from written
  `.execute(db)
  return rows.length > 0
}

/** A report as it was stored. */
export interface ProvisioningReportRow {
  status: ProvisioningStatus
  /** As JSON. */
  provisioning: string
  reportedAt: Instant
  reportedBy: string
}

/** Lists the reports of an agreement, newest first. */
export async function listProvisioningReports(
  db: Database,
  { organizationId, id }: AgreementKey,
): Promise<ProvisioningReportRow[]> {
  const { rows } = await sql<ProvisioningReportRow>`
    select status, provisioning, reported_at as "reportedAt", reported_by as "reportedBy"
    from access_provisioning_report
    where organization_id = ${organizationId}
      and agreement_id = ${id}
    order by number desc
    limit ${REPORTS_MAX}
  `.execute(db)
  return rows
}
