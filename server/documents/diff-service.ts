import type { Level } from '../../formats/diff/level.ts'
import { ApiError } from '../platform/errors.ts'
import type { Revision } from '../ledger/history/revision.ts'
import {
  findAnnouncements,
  getDocumentVersion,
  listDocumentVersions,
} from '../ledger/history/service.ts'
import type { Body } from '../requests/http/body.ts'
import { invalidDocument } from '../requests/http/document.ts'
import type { ReadingServices } from '../requests/http/endpoint.ts'
import type { Database } from '../platform/tables.ts'
import type { DocumentType } from './document-type.ts'
import type { CompareInput, Comparison } from './task.ts'

/** The differences between two versions of a document. */
export interface Diff {
  from: number
  to: number | 'draft'
  level: Level
  /** A JSON array of changes. */
  changesJson: string
}

/** Two versions by their numbers; without them the last one, and the one before it. */
interface VersionRange {
  from: string | undefined
  to: string | undefined
}

/**
 * Compares two versions of a document by meaning. Errors: not_found, document_too_costly, overloaded,
 * query_invalid if the first version has no predecessor.
 */
export async function diffVersions(
  work: ReadingServices,
  type: DocumentType,
  name: { organizationId: string; id: string },
  range: VersionRange,
): Promise<Diff> {
  const last = await getLastVersion(work.db, type, name)
  const after = await findRevision(work.db, type, name, range.to ?? String(last))
  const from = range.from ?? String(after.version - 1)
  if (from === '0') {
    throw new ApiError(
      'query_invalid',
      'There is no version before the first; name two versions by from and to.',
      { violations: [{ field: 'from', message: 'must be the number of a version' }] },
    )
  }
  const before = await findRevision(work.db, type, name, from)
  const owners = { before: before.ownerId, after: after.ownerId }
  const newer = { ...after, isDraft: false }
  const { level, changesJson } = await compare(work, type, name, { before, after: newer, owners })
  return { from: before.version, to: after.version, level, changesJson }
}

/**
 * Compares a version of a document, by default the current one, with a draft that is not stored, and returns
 * the format of the draft. Errors: not_found, body_malformed, body_unacceptable, document_invalid,
 * document_too_costly, overloaded.
 */
export async function diffDraft(
  work: ReadingServices,
  type: DocumentType,
  name: { organizationId: string; id: string },
  from: string | undefined,
  body: Body,
): Promise<{ diff: Diff; format: string }> {
  const version = from ?? String(await getLastVersion(work.db, type, name))
  const before = await findRevision(work.db, type, name, version)
  const draft = { document: body.text, mediaType: body.mediaType, isDraft: true }
  const { level, changesJson, format } = await compare(work, type, name, { before, after: draft })
  return { diff: { from: before.version, to: 'draft', level, changesJson }, format }
}

async function compare(
  { db, offload }: ReadingServices,
  type: DocumentType,
  { organizationId, id }: { organizationId: string; id: string },
  {
    before,
    after,
    owners,
  }: Omit<CompareInput, 'id' | 'announcements' | 'before'> & { before: Revision },
): Promise<Comparison & { ok: true }> {
  const older = { document: before.document, mediaType: before.mediaType }
  const { document, mediaType, isDraft } = after
  const name = { organizationId, kind: type.kind, externalId: id }
  const announcements = type.hasParts
    ? await findAnnouncements(db, name, before.version)
    : undefined
  const input = {
    id,
    before: older,
    after: { document, mediaType, isDraft },
    owners,
    announcements,
  }
  const texts = [older, input.after]
  const comparison = await offload.run(organizationId, type.tasks.compare, input, texts)
  if (!comparison.ok) throw invalidDocument(comparison.problems)
  return comparison
}

async function getLastVersion(
  db: Database,
  { kind }: Pick<DocumentType, 'kind'>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<number> {
  const { versions } = await listDocumentVersions(
    db,
    { organizationId, kind, externalId: id },
    0,
    1,
  )
  return versions[0]?.version ?? 0
}

async function findRevision(
  db: Database,
  { kind }: Pick<DocumentType, 'kind'>,
  { organizationId, id }: { organizationId: string; id: string },
  digits: string,
): Promise<Revision> {
  return await getDocumentVersion(db, { organizationId, kind, externalId: id }, digits)
}
