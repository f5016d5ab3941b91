import { sql } from 'kysely'
import type { Instant } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'

/** A version of a data contract, or of a data product with its ports. */
export interface NewVersion {
  id: string
  version: number
  time: Instant
}

/**
 * Marks the agreements in effect whose contract was changed by one of the versions, if the change is breaking and was
 * made after the approval.
 */
export async function markChangedContracts(
  db: Database,
  organizationId: string,
  versions: readonly NewVersion[],
): Promise<void> {
  await sql`
    with changed as (
      select event.id, min(event.time) as time
      from json_to_recordset(${JSON.stringify(versions)}::json)
        as event (id text, version integer, time timestamptz)
      cross join lateral (
        select level
        from revision
        where revision.organization_id = ${organizationId}
          and revision.kind = 'data-contract'
          and revision.external_id = event.id
          and revision.version = event.version
        limit 1
      ) as revision
      where revision.level = 'breaking'
      group by event.id
    )
    update access_agreement as agreement
    set contract_changed_at = changed.time, contract_changed_level = 'breaking'
    from changed
    where agreement.organization_id = ${organizationId}
      and agreement.contract_id = changed.id
      and agreement.held_product is not null
      and agreement.contract_changed_at is null
      and agreement.decided_at < changed.time
  `.execute(db)
}

/** Marks the agreements in effect on products whose ports no longer name the approved contract. */
export async function markReplacedContracts(
  db: Database,
  organizationId: string,
  versions: readonly NewVersion[],
): Promise<void> {
  await sql`
    with changed as (
      select event.id, min(event.time) as time
      from json_to_recordset(${JSON.stringify(versions)}::json)
        as event (id text, version integer, time timestamptz)
      group by event.id
    )
    update access_agreement as agreement
    set contract_changed_at = changed.time, contract_changed_level = 'breaking'
    from changed
    cross join lateral (
      select output_contracts
      from data_product
      where data_product.organization_id = ${organizationId}
        and data_product.external_id = changed.id
      limit 1
    ) as product
    where agreement.organization_id = ${organizationId}
      and agreement.held_product = changed.id
      and agreement.contract_id is not null
      and agreement.contract_changed_at is null
      and agreement.decided_at < changed.time
      and not agreement.contract_id = any(product.output_contracts)
  `.execute(db)
}
