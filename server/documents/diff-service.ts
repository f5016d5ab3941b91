import type { Level } from '../../formats/diff/level.ts'
import { ApiError } from '../platform/errors.ts'
import type { Revision } from '../ledger/history/revision.ts'
import {
  findAnnouncements,
  getDocumentVersion,
  listDocumentVersions,
} from '../ledger/history/service.ts'
import type { Body } from '../requests/http/body.ts'
import { invalidDocument, type StoredText } from '../requests/http/document.ts'
import type { ReadingServices, Services } from '../requests/http/endpoint.ts'
import { readTime } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { DocumentType } from './document-type.ts'
import type { DifferenceForm } from './difference.ts'
import type { CompareInput, WrittenDifference } from './task.ts'

/** The differences between two versions of a document. */
export interface Diff {
  from: number
  to: number | 'draft'
  level: Level
  /** A JSON array of changes. */
  changesJson: string
}

/** Two versions by their numbers; without them the last one, and the one before it. A draft is newer than all. */
interface Asked {
  from?: string | undefined
  to?: string | undefined
  draft?: Body
}

/**
 * Compares two versions of a document by meaning, or a version, by default the current one, with a draft that is not
 * stored; `format` is that of the newer one. Errors: not_found, body_malformed, body_unacceptable, document_invalid,
 * document_too_costly, overloaded, query_invalid if the first version has no predecessor.
 */
export async function diffDocuments(
  work: ReadingServices,
  type: DocumentType,
  name: DocumentName,
  asked: Asked,
): Promise<{ diff: Diff; format: string }> {
  const pair = await findPair(work.db, type, name, asked)
  const { input, texts } = await prepare(work.db, type, name, pair)
  const comparison = await work.offload.run(name.organizationId, type.tasks.compare, input, texts)
  if (!comparison.ok) throw invalidDocument(comparison.problems)
  const { level, changesJson, format } = comparison
  const to = pair.version ?? 'draft'
  return { diff: { from: pair.before.version, to, level, changesJson }, format }
}

/**
 * Writes the same differences in the form of the standard of the kind, which must have one. Errors: those of
 * `diffDocuments`.
 */
export async function writeDifference(
  work: ReadingServices & Pick<Services, 'clock'>,
  type: DocumentType,
  name: DocumentName,
  asked: Asked,
  form: Pick<DifferenceForm, 'syntax' | 'byRfc' | 'versionsAddress'>,
): Promise<Extract<WrittenDifference, { ok: true }>> {
  const { writeDifference: task } = type.tasks
  if (task === undefined) throw new Error(`no standard describes differences of a ${type.kind}`)
  const pair = await findPair(work.db, type, name, asked)
  const { input, texts } = await prepare(work.db, type, name, pair)
  const all: DifferenceForm = {
    ...form,
    versions: { before: pair.before.version, after: pair.version },
    comparedAt: await readTime(work.db, work.clock),
  }
  const written = await work.offload.run(name.organizationId, task, { ...input, form: all }, texts)
  if (!written.ok) throw invalidDocument(written.problems)
  return written
}

interface DocumentName {
  organizationId: string
  id: string
}

interface Pair {
  before: Revision
  after: CompareInput['after']
  /** The number of the newer version; undefined for a draft. */
  version: number | undefined
  owners?: CompareInput['owners']
}

async function findPair(
  db: Database,
  type: DocumentType,
  name: DocumentName,
  { from, to, draft }: Asked,
): Promise<Pair> {
  const last = String(await getLastVersion(db, type, name))
  if (draft !== undefined) {
    const after = { document: draft.text, mediaType: draft.mediaType, isDraft: true }
    return { before: await findRevision(db, type, name, from ?? last), after, version: undefined }
  }
  const newer = await findRevision(db, type, name, to ?? last)
  const older = from ?? String(newer.version - 1)
  if (older === '0') {
    throw new ApiError(
      'query_invalid',
      'There is no version before the first; name two versions by from and to.',
      { violations: [{ field: 'from', message: 'must be the number of a version' }] },
    )
  }
  const before = await findRevision(db, type, name, older)
  return {
    before,
    after: { ...newer, isDraft: false },
    version: newer.version,
    owners: { before: before.ownerId, after: newer.ownerId },
  }
}

async function prepare(
  db: Database,
  type: DocumentType,
  { organizationId, id }: DocumentName,
  { before, after, owners }: Pair,
): Promise<{ input: CompareInput; texts: StoredText[] }> {
  const older = { document: before.document, mediaType: before.mediaType }
  const { document, mediaType, isDraft } = after
  const newer = { document, mediaType, isDraft }
  const announcements = type.hasParts
    ? await findAnnouncements(
        db,
        { organizationId, kind: type.kind, externalId: id },
        before.version,
      )
    : undefined
  return {
    input: { id, before: older, after: newer, owners, announcements },
    texts: [older, newer],
  }
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
