import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { SourceAddress } from './address.ts'

/** An integration, and the author of its addresses. */
interface AddressOwner {
  organizationId: string
  integrationId: string
  principal: string
}

/** Deletes the addresses that a configuration had, except some. */
export async function deleteConfiguredAddresses(
  db: Database,
  { organizationId, integrationId }: AddressOwner,
  kept: readonly string[],
): Promise<void> {
  await sql`
    delete from integration_address
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and origin = 'configuration'
      and address <> all(${kept}::text[])
  `.execute(db)
}

/** Lists the addresses of an integration. */
export async function listAddresses(
  db: Database,
  { organizationId, integrationId }: Omit<AddressOwner, 'principal'>,
): Promise<SourceAddress[]> {
  const { rows } = await sql<SourceAddress>`
    select address, origin, added_at as "addedAt"
    from integration_address
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
    order by address
  `.execute(db)
  return rows
}

/** Deletes an address that a person added. Returns false if there is none. */
export async function deleteAddress(
  db: Database,
  { organizationId, integrationId }: AddressOwner,
  address: string,
): Promise<boolean> {
  const { rows } = await sql`
    delete from integration_address
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and address = ${address}
      and origin = 'hand'
    returning address
  `.execute(db)
  return rows.length > 0
}

/** Inserts addresses of an integration; existing ones stay. Returns the number of new ones. */
export async function insertAddresses(
  db: Database,
  { organizationId, integrationId, principal }: AddressOwner,
  addresses: readonly string[],
  origin: 'configuration' | 'hand',
): Promise<number> {
  const { rows } = await sql`
    insert into integration_address (organization_id, integration_id, address, origin, added_by)
    select ${organizationId}::uuid, ${integrationId}::uuid, address, ${origin}, ${principal}
    from unnest(${addresses}::text[]) as given (address)
    on conflict (organization_id, integration_id, address) do nothing
    returning address
  `.execute(db)
  return rows.length
}
