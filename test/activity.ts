/** Reads the entries of an organization's activity in tests, oldest first. */

import { sql } from 'kysely'
import type { Services } from '../server/requests/http/endpoint.ts'

/** An entry as it is stored. */
export interface StoredEntry {
  kind: string
  subject: string
  name: string
  action: string
  level: string
  team: string
  /** `1-2`: the versions before and after; empty = none. */
  versions: string
  principal: string
  requestId: string
  person: string | null
  details: unknown
}

/** Lists the entries of some kinds, in the order in which they were written. */
export async function listEntries(
  { organizationId, services }: { organizationId: string; services: Pick<Services, 'db'> },
  ...kinds: string[]
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select kind, subject, name, action, level, team,
      trim(both '-' from coalesce(version_before::text, '') || '-' || coalesce(version_after::text, ''))
        as versions,
      principal, request_id as "requestId", person, details
    from activity_entry
    where organization_id = ${organizationId}
      and kind = any(${kinds}::text[])
    order by epoch, transaction_id, position
  `.execute(services.db)
  return rows
}

/** Writes an entry in one line: `updated data-product orders (breaking)`. */
export function describeEntry({ action, kind, subject, level }: StoredEntry): string {
  return `${action} ${kind} ${subject}${level === 'none' ? '' : ` (${level})`}`
}
