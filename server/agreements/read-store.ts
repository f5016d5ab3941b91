import { sql, type RawBuilder } from 'kysely'
import type { DocumentReference } from '../requests/http/document-list.ts'
import type { Clock, Instant } from '../platform/kit/clock.ts'
import { readShort } from '../platform/kit/short-reads.ts'
import type { Database } from '../platform/tables.ts'
import {
  AGREEMENT_KIND,
  type Agreement,
  type AgreementAt,
  type AgreementConsumer,
  type AgreementKey,
  type ConsumerType,
} from './agreement.ts'
import type { AgreementVersion } from './ui-schema.ts'
import { REPORTS_MAX, type ProvisioningStatus } from './provisioning.ts'
import { getToday, joinOwner, JOIN_PRODUCTS, selectAgreements } from './query.ts'

// The teams that own the data products of an agreement now.
const OWNERS = {
  providerTeam: sql`coalesce(product_owner.external_id, agreement.provider_team)`,
  consumerTeam: sql`coalesce(consumer_owner.external_id, agreement.consumer_team)`,
}

/** Finds an agreement, with the teams that own its data products now. */
export async function findAgreement(
  db: Database,
  clock: Clock,
  { organizationId, id }: AgreementKey,
): Promise<AgreementAt | undefined> {
  const rest = sql`
    from access_agreement as agreement
    ${JOIN_PRODUCTS}
    ${joinOwner('product')}
    ${joinOwner('consumer')}
    where agreement.organization_id = ${organizationId}
      and agreement.external_id = ${id}`
  const [row] = await readShort(db, selectAgreements(clock, rest, OWNERS))
  return row
}

/** The filters of a list; an agreement must match all of them. */
export interface AgreementFilter {
  productId?: string | undefined
  consumerProduct?: string | undefined
  consumerType?: ConsumerType | undefined
}

/** Lists the ids of a page by creation, and one more if there is a next page. */
export async function listAgreementReferences(
  db: Database,
  organizationId: string,
  { productId, consumerProduct, consumerType }: AgreementFilter,
  { page, elementsMax }: { page: number; elementsMax: number },
): Promise<DocumentReference<string>[]> {
  const conditions = [
    sql`organization_id = ${organizationId}`,
    productId !== undefined && sql`provider_product = ${productId}`,
    consumerProduct !== undefined && sql`consumer_product = ${consumerProduct}`,
    consumerType !== undefined && sql`consumer_type = ${consumerType}`,
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await sql<DocumentReference<string>>`
    select external_id as key, octet_length(document) + coalesce(octet_length(provisioning), 0) as bytes
    from access_agreement
    where ${sql.join(conditions, sql` and `)}
    order by created_at, external_id
    offset ${page * elementsMax}::bigint
    limit ${elementsMax + 1}
  `.execute(db)
  return rows
}

/** Loads agreements by id, in the given order, without those that were deleted in the meantime. */
export async function loadAgreements(
  db: Database,
  clock: Clock,
  organizationId: string,
  ids: readonly string[],
): Promise<AgreementAt[]> {
  const rest = sql`
    from unnest(${ids}::text[]) with ordinality as requested (external_id, ordinal)
    join access_agreement as agreement on agreement.organization_id = ${organizationId}
      and agreement.external_id = requested.external_id
    order by requested.ordinal`
  return (await selectAgreements(clock, rest).execute(db)).rows
}

/** Lists the newest versions of an agreement, the newest first. */
export async function listAgreementVersions(
  db: Database,
  { organizationId, id }: AgreementKey,
  limit: number,
): Promise<AgreementVersion[]> {
  const { rows } = await sql<AgreementVersion>`
    select version, valid_from as at, facts ->> 'status' as state, principal
    from revision
    where organization_id = ${organizationId}
      and kind = ${AGREEMENT_KIND}
      and external_id = ${id}
    order by version desc
    limit ${limit}
  `.execute(db)
  return rows
}

/** A report as it was stored. */
interface ProvisioningReportRow {
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

/** A person and the teams whose data the person may use. */
interface PossibleReader {
  userId: string | undefined
  teams: readonly string[]
}

/** An output port of a data product. */
interface PortKey {
  organizationId: string
  productId: string
  port: string
}

// The state of the moment, also before a process has noticed that a day has come.
const stateNow = (clock: Clock): RawBuilder<unknown> => sql`case
      when agreement.state not in ('upcoming', 'active') then agreement.state
      when agreement.end_on <= ${getToday(clock)} then 'expired'
      when agreement.start_on > ${getToday(clock)} then 'upcoming'
      else 'active'
    end`

/**
 * Finds the agreement on a port that matters most to a reader: of the person, of one of the teams, or of one of their
 * data products. An active one comes first.
 */
export async function findCoveringAgreement(
  db: Database,
  clock: Clock,
  port: PortKey,
  { userId, teams }: PossibleReader,
): Promise<AgreementAt | undefined> {
  const condition = sql`(
        agreement.consumer_user = ${userId ?? null}::uuid
        or agreement.consumer_team = any(${teams}::text[])
      )`
  return await findOnPort(db, clock, port, condition)
}

/**
 * Finds an agreement of a consumer on a port that is in the way of a request: another request, or access at a time of
 * the requested period.
 */
export async function findConflictingAgreement(
  db: Database,
  clock: Clock,
  key: PortKey & AgreementConsumer & Pick<Agreement, 'startOn' | 'endOn'>,
): Promise<AgreementAt | undefined> {
  const isConsumer = {
    user: sql`agreement.consumer_user = ${key.consumerUser}::uuid`,
    team: sql`agreement.consumer_team = ${key.consumerTeam}`,
    dataproduct: sql`agreement.consumer_product = ${key.consumerProduct}`,
  }[key.consumerType]
  const condition = sql`agreement.consumer_type = ${key.consumerType}
      and ${isConsumer}
      and (
        agreement.state = 'requested'
        or ${stateNow(clock)} in ('upcoming', 'active')
          and coalesce(agreement.end_on, 'infinity')
            > coalesce(${key.startOn}::date, ${getToday(clock)})
          and coalesce(agreement.start_on, '-infinity')
            < coalesce(${key.endOn}::date, 'infinity')
      )`
  return await findOnPort(db, clock, key, condition)
}

// Those that let a reader in come first, then those that may.
async function findOnPort(
  db: Database,
  clock: Clock,
  { organizationId, productId, port }: PortKey,
  condition: RawBuilder<unknown>,
): Promise<AgreementAt | undefined> {
  const rest = sql`
    from access_agreement as agreement
    where agreement.organization_id = ${organizationId}
      and agreement.provider_product = ${productId}
      and agreement.output_port = ${port}
      and ${condition}
    order by
      array_position(
        array['active', 'upcoming', 'requested', 'rejected', 'expired', 'canceled'],
        ${stateNow(clock)}
      ),
      agreement.requested_at desc
    limit 1`
  const { rows } = await selectAgreements(clock, rest).execute(db)
  return rows[0]
}
