import { sql } from 'kysely'
import { readShort } from '../platform/kit/short-reads.ts'
import type { Database } from '../platform/tables.ts'

/** Lists those of some tags that the organization does not manage: no tag has this id. */
export async function listUnmanagedTags(
  db: Database,
  organizationId: string,
  tags: readonly string[],
): Promise<string[]> {
  const rows = await readShort(
    db,
    sql<{ tag: string }>`
    select tag
    from unnest(${[...tags]}::text[]) as sent (tag)
    where not exists (
      select
      from catalog_record
      where catalog_record.organization_id = ${organizationId}
        and catalog_record.kind = 'tag'
        and catalog_record.external_id = sent.tag
    )
  `,
  )
  return rows.map(({ tag }) => tag)
}
