import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** The identity of a secret, to which it is sealed. */
export interface SecretPlace {
  organizationId: string
  endpointId: string
  id: string
}

/** A sealed secret of an endpoint. */
export interface WebhookSecret extends SecretPlace {
  sealed: Buffer
}

/** An endpoint with what is needed to send to it, and its secrets that are in use, the newest first. */
interface SendingEndpoint {
  url: string
  enabled: boolean
  isFailing: boolean
  secrets: WebhookSecret[]
}

/** Inserts the secret of an endpoint. Its present one signs too for some hours, and earlier ones are deleted. */
export async function replaceSecret(
  db: Database,
  clock: Clock,
  { organizationId, endpointId, id, sealed }: WebhookSecret,
  { keyId, formerHours }: { keyId: string; formerHours: number },
): Promise<void> {
  await sql`
    with outdated as (
      delete from webhook_secret
      where organization_id = ${organizationId}
        and endpoint_id = ${endpointId}::uuid
        and expires_at is not null
    ),
    former as (
      update webhook_secret
      set expires_at = ${clock.now} + make_interval(hours => ${formerHours})
      where organization_id = ${organizationId}
        and endpoint_id = ${endpointId}::uuid
        and expires_at is null
    )
    insert into webhook_secret (organization_id, endpoint_id, id, sealed, key_id, created_at)
    values (
      ${organizationId}::uuid, ${endpointId}::uuid, ${id}::uuid, ${sealed}, ${keyId}, ${clock.now}
    )
  `.execute(db)
}

/** Finds an endpoint for sending. */
export async function findSendingEndpoint(
  db: Database,
  clock: Clock,
  organizationId: string,
  endpointId: string,
): Promise<SendingEndpoint | undefined> {
  const { rows } = await sql<Omit<SendingEndpoint, 'secrets'> & { id: string; sealed: Buffer }>`
    select
      endpoint.url, endpoint.enabled, endpoint.failing_since is not null as "isFailing", secret.id,
      secret.sealed
    from webhook_endpoint as endpoint
    join webhook_secret as secret on secret.organization_id = endpoint.organization_id
      and secret.endpoint_id = endpoint.id
      and (secret.expires_at is null or secret.expires_at > ${clock.now})
    where endpoint.organization_id = ${organizationId}
      and endpoint.id = ${endpointId}::uuid
    order by secret.expires_at nulls first
  `.execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  const { url, enabled, isFailing } = first
  const secrets = rows.map(({ id, sealed }) => ({ organizationId, endpointId, id, sealed }))
  return { url, enabled, isFailing, secrets }
}
