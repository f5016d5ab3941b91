import { randomUUIDv7 } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { ComparisonResult } from './compare.ts'
import type { GrantedPort, IntegrationKey, NewFinding } from './grants.ts'

/** The cause of a comparison: the reason why findings that it does not confirm are resolved. */
export type ComparisonCause = 'run' | 'agreement' | 'identity'

/** A comparison to store. */
interface FindingUpdate extends ComparisonResult {
  cause: ComparisonCause
  runId: string | null
  ports: readonly GrantedPort[]
  /** Whether another integration has tables of one of the ports. */
  sharesPorts: boolean
}

/**
 * Replaces the open findings of an integration by those of a comparison, in one statement: confirmed ones keep their id and
 * their begin, other facts end an acceptance, and the others are resolved. Findings about ports whose tables the last run
 * could not read are marked.
 */
export async function replaceFindings(
  db: Database,
  clock: Clock,
  key: IntegrationKey,
  update: FindingUpdate,
): Promise<void> {
  const { organizationId, integrationId } = key
  const { cause, runId, sharesPorts, omitted } = update
  await sql`
    with ${selectMatches(clock, key, update)},
    resolved as (
      update grant_finding as finding
      set resolved_at = now.instant,
        resolved_because = case when matched.is_granted then ${cause} else 'link' end
      from matched
      cross join now
      where finding.organization_id = ${organizationId}
        and finding.id = matched.id
        and matched.given_id is null
        and not matched.is_undecided
    ),
    ${updateConfirmed(organizationId)},
    compared as (
      update grant_reading
      set compared_at = now.instant, shares_ports = ${sharesPorts},
        omitted = ${JSON.stringify(omitted)}::jsonb
      from now
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
    )
    insert into grant_finding (
      organization_id, id, kind, data_product_id, output_port, integration_id, grantee_kind,
      grantee_name, consumer_kind, consumer_id, agreement_id, facts, first_run_id, first_seen_at,
      changed_at, not_read_since
    )
    select ${organizationId}, given.id, given.kind, given.data_product_id, given.output_port,
      ${integrationId}, given.grantee_kind, given.grantee_name, given.consumer_kind,
      given.consumer_id, given.agreement_id, given.facts, ${runId}::uuid, now.instant, now.instant,
      case when not port.is_current then now.instant end
    from given
    cross join now
    left join port on port.data_product_id = given.data_product_id
      and port.output_port = given.output_port
    where given.id not in (select given_id from matched where given_id is not null)
  `.execute(db)
}

/**
 * SQL fragment, tables of a `with`: the time (`now`), the findings of a comparison (`given`), their ports (`port`), and the open
 * findings with those that confirm them (`matched`).
 */
function selectMatches(
  clock: Clock,
  { organizationId, integrationId }: IntegrationKey,
  { findings, undecidedAgreements, ports }: FindingUpdate,
): RawBuilder<unknown> {
  const rows = findings.map((finding) => ({
    id: randomUUIDv7(),
    kind: finding.kind,
    data_product_id: finding.productId,
    output_port: finding.portId,
    grantee_kind: finding.granteeKind,
    grantee_name: finding.granteeName,
    consumer_kind: finding.consumer?.kind ?? null,
    consumer_id: finding.consumer?.id ?? null,
    agreement_id: finding.agreementId,
    facts: finding.facts,
  }))
  const granted = ports.map(({ productId, portId, isCurrent }) => ({
    data_product_id: productId,
    output_port: portId,
    is_current: isCurrent,
  }))
  return sql`now as materialized (
      select ${clock.now} as instant
    ),
    given as materialized (
      select *
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (
        id uuid, kind text, data_product_id text, output_port text, grantee_kind text,
        grantee_name text, consumer_kind text, consumer_id text, agreement_id text, facts jsonb
      )
    ),
    port as materialized (
      select *
      from json_to_recordset(${JSON.stringify(granted)}::json) as port (
        data_product_id text, output_port text, is_current boolean
      )
    ),
    matched as materialized (
      select open.id, given.id as given_id, given.facts, given.consumer_kind, given.consumer_id,
        open.kind = 'agreement_without_grant' and open.agreement_id = any(${undecidedAgreements}::text[])
          as is_undecided,
        port.data_product_id is not null as is_granted,
        coalesce(port.is_current, true) as is_current
      from grant_finding as open
      left join given on given.kind = open.kind
        and given.data_product_id = open.data_product_id
        and given.output_port = open.output_port
        and given.grantee_kind = open.grantee_kind
        and given.grantee_name = open.grantee_name
        and given.agreement_id is not distinct from open.agreement_id
      left join port on port.data_product_id = open.data_product_id
        and port.output_port = open.output_port
      where open.organization_id = ${organizationId}
        and open.integration_id = ${integrationId}
        and open.resolved_at is null
    )`
}

// Other facts or another consumer end an acceptance.
function updateConfirmed(organizationId: string): RawBuilder<unknown> {
  const isEqual = sql`(matched.given_id is null or (
            finding.facts = matched.facts
            and (finding.consumer_kind, finding.consumer_id)
              is not distinct from (matched.consumer_kind, matched.consumer_id)
          ))`
  return sql`confirmed as (
      update grant_finding as finding
      set facts = coalesce(matched.facts, finding.facts),
        consumer_kind = case when matched.given_id is null
          then finding.consumer_kind else matched.consumer_kind end,
        consumer_id = case when matched.given_id is null
          then finding.consumer_id else matched.consumer_id end,
        changed_at = case when ${isEqual} then finding.changed_at else now.instant end,
        accepted_until = case when ${isEqual} then finding.accepted_until end,
        accepted_reason = case when ${isEqual} then finding.accepted_reason end,
        accepted_by = case when ${isEqual} then finding.accepted_by end,
        accepted_at = case when ${isEqual} then finding.accepted_at end,
        not_read_since = case
          when not matched.is_current then coalesce(finding.not_read_since, now.instant)
        end
      from matched
      cross join now
      where finding.organization_id = ${organizationId}
        and finding.id = matched.id
        and (matched.given_id is not null or matched.is_undecided)
        and (not ${isEqual} or (finding.not_read_since is null) <> matched.is_current)
    )`
}

/** Resolves all open findings of an integration, because its grants are not read any more. */
export async function resolveAll(
  db: Database,
  clock: Clock,
  { organizationId, integrationId }: IntegrationKey,
): Promise<void> {
  await sql`
    update grant_finding
    set resolved_at = ${clock.now}, resolved_because = 'disabled'
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and resolved_at is null
  `.execute(db)
}

/** Counts the open findings of an integration. */
export async function countOpen(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from grant_finding
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and resolved_at is null
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** An integration whose grants were compared. */
interface ComparedIntegration extends IntegrationKey {
  organization: string
  integration: string
  comparedAt: Instant
}

/** Lists the integrations of all organizations whose grants were compared. */
export async function listCompared(db: Database): Promise<ComparedIntegration[]> {
  const { rows } = await sql<ComparedIntegration>`
    select reading.organization_id as "organizationId", reading.integration_id as "integrationId",
      organization.name as organization, integration.external_id as integration,
      reading.compared_at as "comparedAt"
    from grant_reading as reading
    join organization on organization.id = reading.organization_id
    join integration on integration.organization_id = reading.organization_id
      and integration.id = reading.integration_id
    where reading.enabled
      and reading.compared_at is not null
    order by organization.name, integration.external_id
  `.execute(db)
  return rows
}

/** A finding, as a comparison gives it. */
export type ComparedFinding = Omit<NewFinding, 'kind'> & { kind: string }

/** Lists the open findings of an integration. */
export async function listOpenFindings(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<ComparedFinding[]> {
  const { rows } = await sql<ComparedFinding>`
    select kind, data_product_id as "productId", output_port as "portId", grantee_kind as "granteeKind",
      grantee_name as "granteeName", agreement_id as "agreementId", facts,
      case when consumer_kind is not null
        then json_build_object('kind', consumer_kind, 'id', consumer_id) end as consumer
    from grant_finding
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and resolved_at is null
  `.execute(db)
  return rows
}

/** The days for which a resolved finding is kept. */
const RESOLVED_KEPT_DAYS = 365

/** Deletes findings that were resolved a year ago, at most `limit`. Returns their number. */
export async function deleteOldFindings(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from grant_finding as finding
    using (
      select organization_id, id
      from grant_finding
      where resolved_at < (select ${clock.now} - make_interval(days => ${RESOLVED_KEPT_DAYS}))
      limit ${limit}
    ) as old
    where finding.organization_id = old.organization_id
      and finding.id = old.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
