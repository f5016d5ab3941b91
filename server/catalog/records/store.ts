import { sql, type RawBuilder } from 'kysely'
import { RECORD_KINDS, type RecordName } from '../../../formats/record/kinds.ts'
import type { RecordKind, RecordUse } from '../../../formats/record/record-kind.ts'
import type { ResourceKey } from '../../documents/resource.ts'
import type { Database } from '../../platform/tables.ts'
import type { RecordUses } from '../../ledger/history/plan.ts'
import { KINDS, type DocumentKind } from '../../platform/kinds.ts'
import { toReferenceTerm } from '../../documents/search/terms.ts'

/**
 * Finds another record of a kind with the same key of its id. The unique index on that key makes the insert of one of
 * two concurrent records fail.
 */
export async function findSimilarId(
  db: Database,
  { organizationId, kind, id }: ResourceKey & { kind: RecordName },
  idKey: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from catalog_record
    where organization_id = ${organizationId}
      and kind = ${kind}
      and id_key = ${idKey}
      and external_id <> ${id}
  `.execute(db)
  return rows[0]?.id
}

/** A stored record. */
interface RecordKey {
  organizationId: string
  kind: RecordName
  id: string
}

const USES_MAX = 50

/**
 * Finds the documents that use a record, the first ones by kind and id, and counts them all. Undefined = documents do
 * not use records of this kind.
 */
export async function findUses(db: Database, record: RecordKey): Promise<RecordUses | undefined> {
  const { organizationId, kind } = record
  const { uses }: RecordKind = RECORD_KINDS[kind]
  if (uses === undefined) return undefined
  const { rows } = await sql<UseRow>`
    select entry.kind, entry.external_id as id, entry.name, team.external_id as "ownerId",
      count(*) over ()::int as total
    from search_document as entry
    left join team on team.organization_id = entry.organization_id
      and team.id = entry.owner_team_id
    where entry.organization_id = ${organizationId}
      and ${getCondition(uses, record)}
    order by entry.kind, entry.external_id
    limit ${USES_MAX}
  `.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    documents: rows.map(({ kind, id, name, ownerId }) => ({
      resourceType: KINDS[kind].resourceType,
      id,
      name,
      ownerId,
    })),
  }
}

interface UseRow {
  kind: DocumentKind
  id: string
  name: string
  ownerId: string | null
  total: number
}

function getCondition({ kinds, by }: RecordUse, { kind, ...key }: RecordKey): RawBuilder<unknown> {
  const isUser =
    'reference' in by
      ? sql`entry.words @@ ${toReferenceTerm(by.reference, key.id)}::tsquery`
      : HAS_VALUE[by.values](selectTexts({ kind, ...key }, by.paths))
  return sql`entry.kind = any (${kinds}::text[]) and ${isUser}`
}

// Classifications are compared in any letter case.
const HAS_VALUE = {
  tags: (texts: RawBuilder<unknown>) => sql`entry.tags && array(${texts})`,
  classifications: (texts: RawBuilder<unknown>) => sql`entry.classifications <> '{}'
        and exists (
          select from unnest(entry.classifications) as used (name)
          where lower(used.name) in (
            select lower(trim(text))
            from (${texts}) as named (text)
          )
        )`,
}

// The texts at some paths of the stored record, which the database parses.
function selectTexts(
  { organizationId, kind, id }: RecordKey,
  paths: readonly string[],
): RawBuilder<unknown> {
  return sql`
      select found #>> '{}'
      from catalog_record as stored
      cross join unnest(${paths}::text[]) as named (path)
      cross join jsonb_path_query(
        coalesce(stored.document_json, stored.document)::jsonb, named.path::jsonpath
      ) as found
      where stored.organization_id = ${organizationId}
        and stored.kind = ${kind}
        and stored.external_id = ${id}`
}
