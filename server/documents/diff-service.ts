import { type Change, highestLevel, type Level } from '../../formats/diff/level.ts'
import { Refusal } from '../errors.ts'
import { versionOf, versionsOf } from '../history/service.ts'
import type { Body } from '../http/body.ts'
import { invalidDocument, readDocument, readStored } from '../http/document.ts'
import type { Database } from '../tables.ts'
import type { DocumentType, ReadDocument } from './document.ts'

/** What changed from one version of a document to another. */
export interface Diff {
  from: number
  to: number | 'draft'
  level: Level
  changes: Change[]
}

/** Two versions by their numbers; without them the last one, and the one before it. */
export interface VersionRange {
  from: string | undefined
  to: string | undefined
}

/**
 * Compares two versions of a document by meaning. Errors: not_found, query_invalid when there is no
 * version before the first.
 */
export async function diffVersions<Read extends ReadDocument>(
  db: Database,
  type: DocumentType<Read>,
  name: { organizationId: string; id: string },
  range: VersionRange,
): Promise<Diff> {
  const last = await lastVersionOf(db, type, name)
  const to = range.to ?? String(last)
  const after = await readVersion(db, type, name, to)
  const from = range.from ?? String(after.version - 1)
  if (from === '0') {
    throw new Refusal(
      'query_invalid',
      'There is no version before the first; name two versions by from and to.',
      { violations: [{ field: 'from', message: 'must be the number of a version' }] },
    )
  }
  const before = await readVersion(db, type, name, from)
  const changes = type.diff(before.read, after.read)
  return { from: before.version, to: after.version, level: highestLevel(changes), changes }
}

/**
 * Compares a version of a document, or the last one, with a draft that is not stored, and tells the format of the
 * draft. Errors:
 * not_found, body_malformed, body_unacceptable, document_invalid.
 */
export async function diffDraft<Read extends ReadDocument>(
  db: Database,
  type: DocumentType<Read>,
  name: { organizationId: string; id: string },
  from: string | undefined,
  body: Body,
): Promise<{ diff: Diff; format: string }> {
  const version = from ?? String(await lastVersionOf(db, type, name))
  const before = await readVersion(db, type, name, version)
  const reading = type.read(readDocument(body, type), { id: name.id, strict: false })
  if (!reading.ok) throw invalidDocument(reading.problems)
  const changes = type.diff(before.read, reading.read)
  const level = highestLevel(changes)
  return {
    diff: { from: before.version, to: 'draft', level, changes },
    format: reading.read.format,
  }
}

async function lastVersionOf(
  db: Database,
  { kind }: { kind: DocumentType<ReadDocument>['kind'] },
  { organizationId, id }: { organizationId: string; id: string },
): Promise<number> {
  const { versions } = await versionsOf(db, { organizationId, kind, externalId: id }, 0, 1)
  return versions[0]?.version ?? 0
}

async function readVersion<Read extends ReadDocument>(
  db: Database,
  type: DocumentType<Read>,
  { organizationId, id }: { organizationId: string; id: string },
  digits: string,
): Promise<{ version: number; read: Read }> {
  const name = { organizationId, kind: type.kind, externalId: id }
  const revision = await versionOf(db, name, digits)
  const reading = type.read(readStored(revision), { id, strict: false, isAccepted: true })
  if (!reading.ok) throw new Error(`version ${digits} of ${id} is not readable any more`)
  return { version: revision.version, read: reading.read }
}
