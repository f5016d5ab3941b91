import { createHash } from 'node:crypto'
import type { Change } from '../../formats/diff/level.ts'
import type { ReadOptions } from '../../formats/shape/inspect.ts'
import type { Problem } from '../../formats/text/problem.ts'
import type { SourceText } from '../../formats/text/text.ts'
import type { Path, Value } from '../../formats/text/value.ts'
import { listTerms } from '../../formats/text/words.ts'
import type { NewEvent } from '../events/event.ts'
import type { DocumentKind } from '../history/revision.ts'
import type { SearchEntry } from '../search/entry.ts'

/**
 * Data products and data contracts are kept by the same rules: the text that was sent comes back
 * byte for byte, a change by meaning makes a version, every version is told. This room holds those
 * rules; what a kind of document has of its own stands in its `DocumentType`.
 */

/** What every document says once it has been read, whatever its kind. */
export interface ReadDocument {
  value: Value
  /** One text for all documents that say the same. */
  canonical: string
  format: string
  facts: DocumentFacts
}

/** What lists filter and sort by. */
export interface DocumentFacts {
  name: string
  description: string | null
  /** External id of the owning team; null = no team owns the document. */
  ownerId: string | null
  status: string | null
  domain: string | null
  tags: readonly string[]
  /** The search terms of id, name and description, for lists of former versions. */
  words: readonly string[]
}

/** A document that was read, or every reason why it was not. */
export type DocumentReading<Read extends ReadDocument> =
  | { ok: true; read: Read; warnings: readonly Problem[] }
  | { ok: false; problems: readonly Problem[] }

/** Makes a reading of documents out of one of a format; its warnings are looked for when somebody asks. */
export function readingOf<Format, Read extends ReadDocument>(
  reading:
    | (NoInfer<Format> & { ok: true; warnings: readonly Problem[] })
    | { ok: false; problems: readonly Problem[] },
  readOf: (reading: Format) => Read,
): DocumentReading<Read> {
  if (!reading.ok) return reading
  return {
    ok: true,
    read: readOf(reading),
    get warnings() {
      return reading.warnings
    },
  }
}

/** Columns that only one kind of document has, by their names: texts and lists of texts. */
export type OwnColumns = Readonly<Record<string, string | null | readonly string[]>>

/** How one kind of document is read and compared. It is pure, so that it works in any thread. */
export interface DocumentReader<Read extends ReadDocument, Outlook> {
  kind: DocumentKind
  /** How messages call it: `data product`. */
  called: string
  /** How many values a document may hold. */
  nodesMax: number
  read(source: SourceText, options: ReadOptions): DocumentReading<Read>
  /** Where the document names its owner. */
  ownerPath(read: Read): Path
  columnsOf(read: Read): OwnColumns
  /** What search knows of it. */
  entryOf(read: Read): SearchEntry
  /** What changed by meaning, each change with its level. */
  diff(before: Read, after: Read): Change[]
  /** The events of a change; before = undefined is a creation, after = undefined a deletion. */
  eventsOf(before: Read | undefined, after: Read | undefined): NewEvent[]
  /** What a dry run needs to know of a change, as plain data. */
  outlookOf(change: PlannedChange<Read>): Outlook
}

/** The teams that may own a document whose text names no owner, by their external ids. */
export interface OwnerChoice {
  /** The team that the request names. */
  requested: string | undefined
  /** The present owner; null = no team owns the document, or there is no document yet. */
  current: string | null
  /** The team of the key that sends the document. */
  callerTeam: string | undefined
}

/**
 * Returns the owner of a document whose text names none. An owner that was given once stays until a document or a
 * request names another.
 */
export function chooseOwner({ requested, current, callerTeam }: OwnerChoice): string | undefined {
  return requested ?? current ?? callerTeam
}

/** A change that was read. */
export interface PlannedChange<Read> {
  source: SourceText
  before: Read | undefined
  after: Read
  /** Both mean the same. */
  isSame: boolean
}

/** A document as a reader gets it. */
export interface RegisteredDocument {
  document: string
  documentJson: string | null
  mediaType: string
  format: string
  digest: string
  /** External id of the owning team; null = no team owns the document. */
  ownerId: string | null
}

/** A document that was found, the format that it was sent in, and the media type to answer in. */
export interface Found {
  stored: RegisteredDocument
  sentIn: string
  /** Undefined = the one that the client likes best. */
  form?: 'application/yaml'
}

/** What is written of a document. */
export interface DocumentRow {
  externalId: string
  document: string
  documentJson: string | null
  mediaType: string
  format: string
  digest: string
  level: string
  /** Internal id of the owning team; null = no team owns the document. */
  ownerTeamId: string | null
  facts: DocumentFacts
  own: OwnColumns
  entry: SearchEntry
}

const TERMS_MAX = 2000

/** The digest of a document: equal for documents of equal meaning. */
export function digestOf({ canonical }: ReadDocument): string {
  return createHash('sha256').update(canonical).digest('hex')
}

/** The facts of a document that names what every kind of document names. */
export function factsOf(document: {
  id: string
  name: string
  ownerTeamId?: string
  description?: string
  status?: string
  domain?: string
  tags: readonly string[]
}): DocumentFacts {
  const { id, name, description, status, domain, tags } = document
  return {
    name,
    description: description ?? null,
    ownerId: document.ownerTeamId ?? null,
    status: status ?? null,
    domain: domain ?? null,
    tags,
    words: listTerms(`${id} ${name} ${description ?? ''}`, TERMS_MAX),
  }
}
