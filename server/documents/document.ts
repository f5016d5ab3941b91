import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { DocumentParts } from '../../formats/data-product/deprecated-parts.ts'
import { getEffectiveStatus } from '../../formats/data-product/standing.ts'
import type { StandardDiff } from '../../formats/diff/contract.ts'
import type { Change, Level } from '../../formats/diff/level.ts'
import type { ContractPromise } from '../../formats/reality/promise.ts'
import type { ReadOptions } from '../../formats/shape/inspect.ts'
import type { Problem } from '../../formats/text/problem.ts'
import type { SourceText } from '../../formats/text/text.ts'
import type { Path, Value } from '../../formats/text/value.ts'
import { listTerms } from '../../formats/text/words.ts'
import type { NewEvent } from '../ledger/events/event.ts'
import type { DocumentKind } from '../ledger/history/revision.ts'
import type { SearchEntry } from './search/entry.ts'

/**
 * Data products and data contracts share these rules: documents are returned byte for byte, a change by
 * meaning creates a version, and every version is recorded. A `DocumentType` holds what is particular to a
 * kind.
 */

/** The parsed content of a document of any kind. */
export interface ReadDocument {
  value: Value
  /** Equal for documents with equal meaning. */
  canonical: string
  format: string
  facts: DocumentFacts
}

/** The fields by which lists filter and sort. */
export interface DocumentFacts {
  name: string
  description: string | null
  /** External id of the owning team; null if the document has no owner. */
  ownerId: string | null
  /** `deprecated` if only a flag announces the end of the document. */
  status: string | null
  domain: string | null
  tags: readonly string[]
  /** The search terms of id, name and description, for lists of former versions. */
  words: readonly string[]
}

/** A document that was read, or every reason why it was not. */
type DocumentReading<Read extends ReadDocument> =
  | { ok: true; read: Read; warnings: readonly Problem[] }
  | { ok: false; problems: readonly Problem[] }

/** Adapts a parse result to the rules of documents; what is rarely needed is computed on demand. */
export function newDocumentReading<Own extends object>(
  own: Own,
  document: Parameters<typeof buildFacts>[0] & { format: string },
  reading: { value: Value; readonly canonical: string; readonly warnings: readonly Problem[] },
): DocumentReading<ReadDocument & Own> {
  let facts: DocumentFacts | undefined
  const read = {
    ...own,
    value: reading.value,
    format: document.format,
    get canonical() {
      return reading.canonical
    },
    get facts() {
      return (facts ??= buildFacts(document))
    },
  }
  return {
    ok: true,
    read,
    get warnings() {
      return reading.warnings
    },
  }
}

/** Columns of one kind of document, by name: texts and lists of texts. */
export type OwnColumns = Readonly<Record<string, string | null | readonly string[]>>

/** Reads and compares documents of one kind. Pure, so it works in any thread. */
export interface DocumentReader<Read extends ReadDocument, PlanData> {
  kind: DocumentKind
  /** The maximum number of values in a document. */
  nodesMax: number
  read(source: SourceText, options: ReadOptions): DocumentReading<Read>
  /** The path of the owner in the document. */
  ownerPath(read: Read): Path
  /** Returns whether the value at a path of an owner is a domain, which need not be a team. Absent = never. */
  isDomainPath?(path: Path): boolean
  buildColumns(read: Read): OwnColumns
  /** Lists the promises that a document makes. Absent = the kind makes none. */
  listPromises?(read: Read): ContractPromise[]
  /** Returns further facts of a version; absent = none. */
  buildFacts?(read: Read): object
  /** Lists the parts of a document that may be deprecated. Absent = none may. */
  listParts?(read: Read): DocumentParts
  /** Returns the search entry. */
  getEntry(read: Read): SearchEntry
  /** Compares two documents by meaning; each change has a level. */
  diff(before: Read, after: Read): Change[]
  /** Compares two documents in the form of their standard. Absent = the kind has none. */
  standard?: {
    /** The name of the kind in the standard. */
    kind: 'DataContract' | 'DataProduct'
    diff(before: Read, after: Read): StandardDiff
  }
  /** Lists the ids of parts that decide something in place of a person. Absent = the kind has none. */
  listDecidingParts?(read: Read): string[]
  /** Returns whether the owner of a document decides on something, such as access to it. Absent = never. */
  hasDecisions?(read: Read): boolean
  /**
   * Returns the events of a change: a creation if `before` is undefined, a deletion if `after` is. Absent = one, named
   * after the kind.
   */
  getEvents?(before: Read | undefined, after: Read | undefined): NewEvent[]
  /** Lists the ids of parts that others may use and that a change removes. Absent = the kind has none. */
  listRemovedParts?(before: Read, after: Read): string[]
  /** Returns the data of a change that a dry run needs, ready for another thread. */
  getPlanData(change: PlannedChange<Read>): PlanData
}

/** The candidates for the owner of a document that names none, by external id. */
export interface OwnerChoice {
  /** The team that the request names. */
  requested: string | undefined
  /** The current owner; null if the document has no owner or does not exist yet. */
  current: string | null
  /** The team of the API key. */
  callerTeam: string | undefined
}

/**
 * Returns the owner of a document that names none. The current owner stays until a document or a request
 * names another.
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
  /** External id of the owning team; null if the document has no owner. */
  ownerId: string | null
}

/** A document that was found, the format that it was sent in, and the media type to answer in. */
export interface FoundDocument {
  stored: RegisteredDocument
  sentIn: string
  /** Undefined = the one that the client likes best. */
  form?: 'application/yaml'
  /** The media types of which the client gets the one that it likes best. Undefined = all that the address offers. */
  forms?: readonly [string, ...string[]]
}

/** The values of columns by name; SQL for values that are not text. */
export type ColumnValues = Readonly<
  Record<string, string | null | readonly string[] | RawBuilder<unknown>>
>

/** A document row ready to be written. */
export interface DocumentRow {
  externalId: string
  document: string
  /** The JSON form of a YAML document. */
  documentJson: string | null
  mediaType: string
  format: string
  digest: string
  level: Level
  /** The columns that not every kind has. */
  columns: ColumnValues
  /** Columns that only an insert sets. */
  initialColumns?: ColumnValues
  /** The column that gets the version of the document too. */
  versionColumn?: string | undefined
  /** The promises of the document; undefined = its kind makes none. */
  promises?: readonly ContractPromise[] | undefined
  /** The fields by which lists of former versions filter and sort. */
  facts: object
  entry: SearchEntry
  /** Internal id of the owning team; null if the document has no owner. */
  ownerTeamId: RawBuilder<unknown> | string | null
}

const TERMS_MAX = 2000

/** Computes the digest of a canonical text: equal for documents with equal meaning. */
export function computeDigest(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex')
}

/** Builds the facts of a document from the fields that every kind has. */
function buildFacts(document: {
  id: string
  name: string
  ownerTeamId?: string
  description?: string
  status?: string
  /** Whether its end is announced by a flag. */
  deprecated?: boolean
  domain?: string
  tags: readonly string[]
}): DocumentFacts {
  const { id, name, description, domain, tags } = document
  const status = getEffectiveStatus(document)
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
