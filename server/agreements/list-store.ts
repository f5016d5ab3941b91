import { sql } from 'kysely'
import type { DocumentReference } from '../requests/http/document-list.ts'
import type { Database } from '../platform/tables.ts'
import type { Agreement, ConsumerType } from './agreement.ts'
import { AGREEMENT_COLUMNS } from './store.ts'

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
  organizationId: string,
  ids: readonly string[],
): Promise<Agreement[]> {
  const { rows } = await sql<Agreement>`
    select ${AGREEMENT_COLUMNS}
    from unnest(${ids}::text[]) with ordinality as requested (external_id, ordinal)
    join access_agreement as agreement on agreement.organization_id = ${organizationId}
      and agreement.external_id = requested.external_id
    order by requested.ordinal
  `.execute(db)
  return rows
}
