import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../ledger/activity/entry.ts'
import { appendIdentityResources } from '../ledger/activity/identity-record.ts'
import type { Database } from '../platform/tables.ts'

/** The beginning of the client id by which the provider of the demo is recognized. */
export const DEMO_CLIENT_PREFIX = 'portbook-demo-'

// Only a load of the demo records people of a demo, and only it names a client so.
const isOfDemo = (provider: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      starts_with(${provider}.client_id, ${DEMO_CLIENT_PREFIX})
      and exists (
        select
        from demo_person
        where demo_person.organization_id = ${provider}.organization_id
      )`

/** Finds the provider that the load of the demo has connected; undefined = it has none, or an owner deleted it. */
export async function findProviderId(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id
    from identity_provider as provider
    where ${isOfDemo(sql`provider`)}
    order by created_at
    limit 1
  `.execute(db)
  return rows[0]?.id
}

/** Disables the provider of a demo, because no process serves it. One that an owner has disabled stays as it is. */
export async function disableProviders(db: Database, actor: ActivityActor): Promise<void> {
  await sql`
    with disabled as (
      update identity_provider as provider
      set enabled = false, version = version + 1, updated_at = clock_timestamp(), updated_by = ${actor.principal}
      where enabled
        and ${isOfDemo(sql`provider`)}
      returning organization_id, id, name
    )
    ${appendIdentityResources(
      { ...actor, organizationId: sql`changed.organization_id` },
      { kind: 'identity-provider', action: 'disabled' },
      'disabled',
    )}
  `.execute(db)
}
