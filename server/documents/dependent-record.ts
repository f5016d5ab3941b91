import { sql, type RawBuilder } from 'kysely'
import { PLAIN_RECORDS } from '../../formats/record/plain-kinds.ts'
import { findEntryKind } from '../ledger/activity/entry.ts'
import { appendActivity } from '../ledger/activity/record.ts'
import type { ChangeMetadata } from '../ledger/history/revision.ts'
import type { DocumentKind } from '../platform/kinds.ts'

// Foreign keys delete what cannot exist without a document. What has its own activity gets its entries from the
// statement that deletes the document, before the keys act.

const RECORDED_KINDS = PLAIN_RECORDS.map(({ kind }) => kind).filter(
  (kind) => findEntryKind(kind) !== undefined,
)

const DEPENDENTS: ReadonlyMap<DocumentKind, (metadata: ChangeMetadata) => RawBuilder<unknown>> =
  new Map([
    [
      'data-product',
      (metadata) => appendPlainRecords(metadata, sql`dependent.product_id = removed.external_id`),
    ],
    [
      'team',
      (metadata) =>
        appendPlainRecords(
          metadata,
          sql`dependent.team_id = (
          select team.id
          from team
          where team.organization_id = ${metadata.organizationId}
            and team.external_id = removed.external_id
        )`,
        ),
    ],
    ['tag', recordAssignments],
  ])

/** Returns whether other things with an activity of their own end with documents of a kind. */
export function hasDependents(kind: DocumentKind): boolean {
  return DEPENDENTS.has(kind)
}

/**
 * SQL fragment, `insert into activity_entry …`: the entries of what ends with a document. It reads the result named
 * `removed` as `appendRemovalEntry` does. The document must be locked, so that nothing is added in the meantime.
 */
export function appendDependents(
  metadata: ChangeMetadata,
  kind: DocumentKind,
): RawBuilder<unknown> {
  return DEPENDENTS.get(kind)?.(metadata) ?? sql`select`
}

function appendPlainRecords(
  metadata: ChangeMetadata,
  isDependent: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const id = sql`dependent.external_id`
  const entry = {
    kind: sql`dependent.kind`,
    action: 'deleted',
    at: sql`removed.removed_at`,
    subject: id,
    name: id,
    team: sql`removed.team`,
  }
  return appendActivity(
    metadata,
    entry,
    sql`
    from removed
    join plain_record as dependent on dependent.organization_id = ${metadata.organizationId}
      and ${isDependent}
    where dependent.kind = any (${RECORDED_KINDS}::text[])
    order by dependent.kind, dependent.external_id`,
  )
}

// An asset loses the assignment of a tag that is deleted.
function recordAssignments(metadata: ChangeMetadata): RawBuilder<unknown> {
  const entry = {
    kind: 'asset',
    action: 'tag-removed',
    at: sql`removed.removed_at`,
    subject: sql`asset.external_id`,
    name: sql`asset.name`,
    team: sql`asset.owner`,
    details: sql`jsonb_build_object('tag', removed.external_id)`,
  } as const
  return appendActivity(
    metadata,
    entry,
    sql`
    from removed
    join asset_tag as dependent on dependent.organization_id = ${metadata.organizationId}
      and dependent.tag_id = removed.external_id
    join asset on asset.organization_id = dependent.organization_id
      and asset.external_id = dependent.asset_id
    order by asset.external_id`,
  )
}
