import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { FAILURES_MAX, type SignInFailure } from './provider.ts'

/** A provider in its organization. */
interface ProviderKey {
  organizationId: string
  providerId: string
}

/**
 * Inserts a failure of a provider and deletes the oldest ones above the maximum. A provider that was deleted in the
 * meantime gets none.
 */
export async function insertFailure(
  db: Database,
  clock: Clock,
  {
    organizationId,
    providerId,
    code,
    sentence,
    requestId,
  }: ProviderKey & Omit<SignInFailure, 'failedAt'>,
): Promise<void> {
  await sql`
    with outdated as (
      delete from provider_failure
      where organization_id = ${organizationId}
        and provider_id = ${providerId}::uuid
        and id in (
          select id
          from provider_failure
          where organization_id = ${organizationId}
            and provider_id = ${providerId}::uuid
          order by failed_at desc, id desc
          offset ${FAILURES_MAX - 1}
        )
    )
    insert into provider_failure (organization_id, provider_id, id, failed_at, code, sentence, request_id)
    select organization_id, id, ${randomUUIDv7()}::uuid, ${clock.now}, ${code}, ${sentence}, ${requestId}
    from identity_provider
    where organization_id = ${organizationId}
      and id = ${providerId}::uuid
    for key share
  `.execute(db)
}

/** Lists the recent failures of each provider of an organization, newest first. */
export async function listFailures(
  db: Database,
  organizationId: string,
): Promise<(SignInFailure & { providerId: string })[]> {
  const { rows } = await sql<SignInFailure & { providerId: string }>`
    select provider_id as "providerId", failed_at as "failedAt", code, sentence, request_id as "requestId"
    from (
      select *, row_number() over (partition by provider_id order by failed_at desc, id desc) as position
      from provider_failure
      where organization_id = ${organizationId}
    ) as failure
    where position <= ${FAILURES_MAX}
    order by failed_at desc, id desc
  `.execute(db)
  return rows
}
