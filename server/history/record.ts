import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../kit/clock.ts'
import type { DocumentKind } from './revision.ts'

/** What a revision tells besides what stands in the document's own row. */
export interface RevisionFacts {
  organizationId: string
  kind: DocumentKind
  mediaType: string
  format: string
  level: string
  /** What lists filter by; its names are those that the list statements use. */
  facts: object
  principal: string
  requestId: string
}

/**
 * A piece of a statement, `insert into revision …`, for a store to weave into the statement that
 * writes the document: document and history are then written together or not at all. It reads the
 * result named `written`, which has external_id, version, document, digest, created_at and
 * updated_at: the text is sent to the store once for both.
 */
export function recordRevision(revision: RevisionFacts): RawBuilder<unknown> {
  return sql`
    insert into revision (
      organization_id, kind, external_id, version, document, media_type, format, digest, level,
      facts, created_at, valid_from, principal, request_id
    )
    select
      ${revision.organizationId}::uuid, ${revision.kind}, external_id, version,
      document, ${revision.mediaType}, ${revision.format}, digest, ${revision.level},
      ${JSON.stringify(revision.facts)}::jsonb, created_at, updated_at,
      ${revision.principal}, ${revision.requestId}
    from written`
}

/**
 * A piece of a statement, `update revision …`, that marks the last version of what the result named
 * `removed` (external_id, version, removed_at) has deleted.
 */
export function recordDeletion(
  organizationId: string,
  kind: DocumentKind,
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
 * The version that a new document of this id begins with: versions go on where a deleted one of the
 * same id stopped, so that a version never means two documents.
 */
export function firstVersion(
  organizationId: string,
  kind: DocumentKind,
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
 * The instant at which a new document of this id begins: now, but never before the end of a deleted
 * one of the same id, even when the clock is coarse or was set back.
 */
export function firstInstant(
  clock: Clock,
  organizationId: string,
  kind: DocumentKind,
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
 * A piece of a statement, `insert into revision …`, for a store that writes many documents at once.
 * It reads the result named `written`, which has external_id, version, document, digest,
 * created_at, updated_at and each document's own facts.
 */
export function recordRevisions(
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
