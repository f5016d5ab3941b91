import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { ChangeMetadata, VersionedKind } from './revision.ts'

/** The columns of a revision that the document's own row does not have. */
interface RevisionFacts extends ChangeMetadata {
  kind: VersionedKind
  mediaType: string
  format: string
  level: string
  /** The fields by which lists filter, under the names that list statements use. */
  facts: object
}

/**
 * SQL fragment, `insert into revision …`, that records a version in the statement that writes the document.
 * It reads the result named `written` with external_id, version, document, digest, created_at and updated_at,
 * so the text is sent to the database once.
 */
export function appendRevision(revision: RevisionFacts): RawBuilder<unknown> {
  return sql`
    insert into revision (
      organization_id, kind, external_id, version, document, media_type, format, digest, level,
      facts, created_at, valid_from, principal, request_id
    )
    select
      ${revision.organizationId}::uuid, ${revision.kind}, external_id, version,
      document, ${revision.mediaType}, ${revision.format}, digest, ${revision.level},
      ${selectFacts(revision)}, created_at, updated_at,
      ${revision.principal}, ${revision.requestId}
    from written`
}

/**
 * SQL expression: the facts of the row `written`. Each deprecated part gets the first version of its unbroken run, which
 * the version before has recorded, too.
 */
function selectFacts({ organizationId, kind, facts }: RevisionFacts): RawBuilder<unknown> {
  const given = sql`${JSON.stringify(facts)}::jsonb`
  const parts = 'deprecated' in facts ? facts.deprecated : undefined
  if (!Array.isArray(parts) || parts.length === 0) return given
  return sql`(
        select jsonb_set(given.facts, '{deprecated}', (
          select jsonb_agg(
            part.value - 'isNew' || jsonb_build_object('since', coalesce(
              former.since,
              jsonb_build_object(
                'version', written.version,
                'on', to_char(written.updated_at at time zone 'UTC', 'YYYY-MM-DD'),
                'orBefore', not (part.value->>'isNew')::boolean
              )
            ))
            order by part.ordinal
          )
          from jsonb_array_elements(given.facts->'deprecated') with ordinality as part (value, ordinal)
          left join (
            select known.value->>'key' as key, known.value->'since' as since
            from revision as earlier
            cross join jsonb_array_elements(earlier.facts->'deprecated') as known (value)
            where earlier.organization_id = ${organizationId}::uuid
              and earlier.kind = ${kind}
              and earlier.external_id = written.external_id
              and earlier.version = written.version - 1
          ) as former on former.key = part.value->>'key'
            and not (part.value->>'isNew')::boolean
        ))
        from (select ${given} as facts) as given
      )`
}

/**
 * SQL fragment, `update revision …`, that ends the last version of each document in the result named
 * `removed` (external_id, version, removed_at).
 */
export function appendDeletion(
  organizationId: string,
  kind: VersionedKind,
  principal: string,
): RawBuilder<unknown> {
  return sql`
    update revision
    set deleted_at = removed.removed_at, deleted_by = ${principal}
    from removed
    where revision.organization_id = ${organizationId}::uuid
      and revision.kind = ${kind}
      and revision.external_id = removed.external_id
      and revision.version = removed.version`
}

/**
 * Returns the first version number of a new document: it continues after a deleted document of the same id,
 * so that a number never identifies two documents.
 */
export function firstVersion(
  organizationId: string,
  kind: VersionedKind,
  externalId: string,
): RawBuilder<number> {
  return sql<number>`(
    select coalesce(max(version), 0) + 1
    from revision
    where organization_id = ${organizationId}::uuid
      and kind = ${kind}
      and external_id = ${externalId}
  )`
}

/**
 * Returns the creation instant of a new document: now, but never before the end of a deleted document of the
 * same id, even if the clock is coarse or was set back.
 */
export function firstInstant(
  clock: Clock,
  organizationId: string,
  kind: VersionedKind,
  externalId: string,
): RawBuilder<Instant> {
  return sql<Instant>`(
    select greatest(${clock.now}, max(deleted_at))
    from revision
    where organization_id = ${organizationId}::uuid
      and kind = ${kind}
      and external_id = ${externalId}
  )`
}

/**
 * SQL fragment: the instant of a document's next version or of its deletion. It is always later than the
 * previous version, even if the clock does not advance.
 */
export function nextUpdatedAt(
  now: RawBuilder<Instant>,
  previous: RawBuilder<unknown> = sql`updated_at`,
): RawBuilder<Instant> {
  return sql<Instant>`greatest(${now}, ${previous} + interval '1 microsecond')`
}

/**
 * SQL fragment, `insert into revision …`, for a store that writes many documents at once. It reads the result
 * named `written` with external_id, version, document, digest, created_at, updated_at and the facts of each
 * document.
 */
export function appendRevisions(
  revision: Omit<RevisionFacts, 'facts' | 'level'>,
): RawBuilder<unknown> {
  return sql`
    insert into revision (
      organization_id, kind, external_id, version, document, media_type, format, digest, level,
      facts, created_at, valid_from, principal, request_id
    )
    select
      ${revision.organizationId}::uuid, ${revision.kind}, external_id, version,
      document, ${revision.mediaType}, ${revision.format}, digest, 'none',
      facts, created_at, updated_at, ${revision.principal}, ${revision.requestId}
    from written`
}
