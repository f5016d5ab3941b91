import { newRecord } from '../../../formats/name/table.ts'
import { notFound } from '../../platform/errors.ts'
import { documentListAnswer } from '../../requests/http/document-list.ts'
import { jsonTexts } from '../../requests/http/document.ts'
import { withIds } from '../../requests/http/json.ts'
import { getIdField } from '../../platform/kinds.ts'
import type { Answer, ReadingServices } from '../../requests/http/endpoint.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Announcement } from './plan.ts'
import type { Revision, VersionSummary } from './revision.ts'
import {
  findAsOf,
  findVersion,
  listAsOf,
  listDeprecations,
  listSubstantialVersions,
} from './store.ts'
import { listVersions, loadVersions } from './store.ts'
import type { AsOfList, DocumentName } from './store.ts'

export type { DocumentName } from './store.ts'

const VERSION_MAX = 2_147_483_647

/**
 * Returns a page of a document's versions, newest first, and whether there are more. Deleted documents keep
 * their versions. Errors: not_found if the document never existed.
 */
export async function listDocumentVersions(
  db: Database,
  name: DocumentName,
  page: number,
  pageElements: number,
): Promise<{ versions: VersionSummary[]; more: boolean }> {
  const rows = await listVersions(db, name, page * pageElements, pageElements + 1)
  if (rows.length === 0 && (page === 0 || (await listVersions(db, name, 0, 1)).length === 0)) {
    throw notFound()
  }
  return { versions: rows.slice(0, pageElements), more: rows.length > pageElements }
}

/** Returns one version by the digits of its number. Errors: not_found. */
export async function getDocumentVersion(
  db: Database,
  name: DocumentName,
  digits: string,
): Promise<Revision> {
  const version = /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : 0
  const found =
    version > 0 && version <= VERSION_MAX ? await findVersion(db, name, version) : undefined
  if (found === undefined) throw notFound()
  return found
}

/** The maximum number of versions that are read together, and their maximum size. */
interface VersionLimits {
  versionsMax: number
  bytesMax: number
}

/**
 * Loads the versions before the current one (`digest`) that changed more than documentation, oldest first.
 * `isPartial` if the limits excluded some.
 */
export async function loadEarlierVersions(
  db: Database,
  name: DocumentName,
  digest: string,
  { versionsMax, bytesMax }: VersionLimits,
): Promise<{ versions: { document: string; mediaType: string }[]; isPartial: boolean }> {
  const found = await listSubstantialVersions(db, name, versionsMax + 2)
  const earlier = found.at(-1)?.digest === digest ? found.slice(0, -1) : found
  let bytes = 0
  const kept = earlier.slice(0, versionsMax).filter((one) => (bytes += one.bytes) <= bytesMax)
  const keys = kept.map(({ version }) => ({ externalId: name.externalId, version }))
  return {
    versions: keys.length === 0 ? [] : await loadVersions(db, name.organizationId, name.kind, keys),
    isPartial: kept.length < earlier.length,
  }
}

/** Returns when the deprecations of a version were announced, by the keys of its parts; empty = the document itself. */
export async function findAnnouncements(
  db: Database,
  name: DocumentName,
  version: number,
): Promise<Record<string, Announcement>> {
  const announcements = newRecord<Announcement>()
  for (const { key, since } of await listDeprecations(db, name, version)) announcements[key] = since
  return announcements
}

/** Returns when the deprecation of a document was announced; undefined if the version is not deprecated. */
export async function findOwnAnnouncement(
  db: Database,
  kind: DocumentName['kind'],
  { organizationId, id }: { organizationId: string; id: string },
  version: number,
): Promise<Announcement | undefined> {
  return (await findAnnouncements(db, { organizationId, kind, externalId: id }, version))['']
}

/** The version that held at an instant. Errors: not_found when none did. */
export async function revisionAsOf(
  db: Database,
  name: DocumentName,
  instant: Instant,
): Promise<Revision> {
  const found = await findAsOf(db, name, instant)
  if (found === undefined) throw notFound()
  return found
}

/** Returns a page of the documents of a kind as they were at an instant, as JSON. */
export async function listAnswerAsOf(
  { db, offload }: ReadingServices,
  list: AsOfList,
  request: { path: string; search: URLSearchParams },
  headersFor: (formats: readonly string[]) => Record<string, string> = () => ({}),
): Promise<Answer> {
  const references = await listAsOf(db, list)
  const load = async (keys: Parameters<typeof loadVersions>[3]): Promise<string[]> => {
    const versions = await loadVersions(db, list.organizationId, list.kind, keys)
    const texts = await jsonTexts(offload, list.organizationId, versions)
    const documents = versions.map(({ id }, at) => ({ id, document: texts[at] ?? '' }))
    return await withIds(documents, getIdField(list.kind))
  }
  const headers = headersFor(references.map(({ format }) => format))
  const { page, elementsMax } = list
  return await documentListAnswer(references, load, { ...request, page, elementsMax }, headers)
}
