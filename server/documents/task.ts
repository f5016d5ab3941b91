import { nonBlankText } from '../../formats/data-product/fields.ts'
import { type Change, highestLevel, type Level } from '../../formats/diff/level.ts'
import type { Problem } from '../../formats/text/problem.ts'
import { type MediaType, type SourceText, toStoredJson } from '../../formats/text/text.ts'
import { asText, getField, valueAt } from '../../formats/text/value.ts'
import { newEvents, toDocumentEvent, type NewEvents } from '../ledger/events/event.ts'
import { readDocument, readStored, type StoredText } from '../requests/http/document.ts'
import type { Task } from '../requests/http/offload.ts'
import { KINDS } from '../platform/kinds.ts'
import type { SearchEntry } from './search/entry.ts'
import { buildDeprecationFacts, withAnnouncements, type Announcements } from './deprecation.ts'
import { chooseOwner, computeDigest } from './document.ts'
import type { DocumentFacts, DocumentReader, DocumentRow } from './document.ts'
import type { OwnColumns, OwnerChoice, ReadDocument } from './document.ts'
import { listTags } from './tag-task.ts'
import { writeStandardDifference, type DifferenceForm } from './difference.ts'
import { toChangeList, type ResourceDraft, type ResourceReading } from './resource.ts'

/**
 * The work on documents that takes time. Each task is all that one request needs, so that a document is read once and
 * goes to a thread once.
 */
export interface DocumentTasks<PlanData> {
  assess: Task<AssessInput, Assessment<PlanData>>
  compare: Task<CompareInput, Comparison>
  /** Absent = no standard describes differences between documents of the kind. */
  writeDifference?: Task<DifferenceInput, WrittenDifference>
  listDeletionEvents: Task<StoredText & { id: string }, NewEvents>
}

/** A document that was sent, and the document stored under its id. */
interface AssessInput {
  id: string
  text: string
  mediaType: MediaType
  strict: boolean
  /** Whether the organization allows only managed tags. */
  hasTagPolicy: boolean
  /** A dry run: its plan includes warnings and consequences. */
  dryRun: boolean
  /** Whether the changes are needed, or only their level. */
  withChanges: boolean
  /** The stored document in the form that parses fastest; undefined if there is none. */
  before: StoredText | undefined
  /** When the deprecations of the stored document were announced; undefined if the changes are not needed. */
  announcements?: Announcements | undefined
  /** The digest of the stored document. */
  digest: string | null
  owner: OwnerChoice
}

/** A document that was sent, compared with the stored one. */
export interface DocumentDraft<PlanData> extends ResourceDraft {
  events: NewEvents
  /** The ids of the parts that others may use and that the change removes. */
  removedParts: readonly string[]
  /** The ids of the parts that decide something from now on, or for another owner than before. */
  newDecidingParts: readonly string[]
  /** Whether the former owner decided on something that the new one decides from now on. */
  isHandedOver: boolean
  /** Undefined unless it is a dry run. */
  planData: PlanData | undefined
  /** The columns to write; undefined if nothing changes. */
  row: WrittenDocument | undefined
}

/** The meaning of a document that was sent, or all reasons why it cannot be stored. */
export type Assessment<PlanData> = ResourceReading<DocumentDraft<PlanData>>

/** The columns that follow from the text of a document. */
export interface WrittenDocument {
  documentJson: string | null
  facts: DocumentFacts
  own: OwnColumns
  promises: DocumentRow['promises']
  entry: SearchEntry
}

/** Two documents to be compared; the newer one is stored, or a draft. */
export interface CompareInput {
  id: string
  before: StoredText
  after: StoredText & { isDraft: boolean }
  /** The external ids of the owners; undefined if owners are not compared. */
  owners?: { before: string | null; after: string | null } | undefined
  /** When the deprecations of the older document were announced. */
  announcements?: Announcements | undefined
}

/** The changes between two documents, or all reasons why the draft cannot be read. */
type Comparison =
  | { ok: false; problems: readonly Problem[] }
  | { ok: true; level: Level; changesJson: string; format: string }

/** Two documents to be compared, and the form of their difference. */
interface DifferenceInput extends CompareInput {
  form: DifferenceForm
}

/** A difference in the form of a standard, or all reasons why the draft cannot be read. */
export type WrittenDifference =
  | { ok: false; problems: readonly Problem[] }
  | { ok: true; format: string; text: string; headers: Record<string, string> }

/** Creates the tasks of a kind of document; their names begin with the kind. */
export function newDocumentTasks<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
): DocumentTasks<PlanData> {
  return {
    assess: { name: `${reader.kind}/assess`, run: (input) => assess(reader, input) },
    compare: { name: `${reader.kind}/compare`, run: (input) => compare(reader, input) },
    ...createDifferenceTask(reader),
    listDeletionEvents: {
      name: `${reader.kind}/listDeletionEvents`,
      run: (input) => listEvents(reader, readBefore(reader, input, input.id), undefined),
    },
  }
}

function assess<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  input: AssessInput,
): Assessment<PlanData> {
  const { text, mediaType, dryRun } = input
  const source = readDocument({ text, mediaType }, reader)
  const reading = readWithOwner(reader, source, input)
  if (!reading.ok) return { ok: false, problems: reading.problems }
  const { read } = reading
  const digest = computeDigest(read.canonical)
  const { ownerId } = read.facts
  const ownerPath = namesOwner(reader, read, ownerId) ? reader.ownerPath(read) : undefined
  const isSameText = input.digest === digest
  const isSame = isSameText && ownerId === input.owner.current
  const before = getBefore(reader, input, isSameText ? read : undefined)
  const changes = before === undefined || isSameText ? [] : reader.diff(before, read)
  if (before !== undefined && ownerPath === undefined) {
    const isNamed = namesOwner(reader, before, input.owner.current)
    changes.push(...listOwnerChanges(input.owner.current, ownerId, isNamed))
  }
  const planData = dryRun ? reader.getPlanData({ source, before, after: read, isSame }) : undefined
  return {
    ok: true,
    format: read.format,
    digest,
    ownerId,
    ownerPath,
    isSame,
    level: highestLevel(changes),
    changes: toChangeList(announce(reader, before, changes, input), input.withChanges),
    events: isSame ? newEvents([]) : listEvents(reader, before, read),
    removedParts:
      before === undefined || isSameText ? [] : (reader.listRemovedParts?.(before, read) ?? []),
    ...getDecisions(reader, { before, read, isMoved: ownerId !== input.owner.current }),
    warnings: dryRun ? reading.warnings : [],
    restrictedTags: input.hasTagPolicy ? listTags(source.value) : [],
    planData,
    row: isSame ? undefined : getRow(reader, source, read, before, changes),
  }
}

function getDecisions<Read extends ReadDocument, PlanData>(
  { listDecidingParts, hasDecisions }: DocumentReader<Read, PlanData>,
  { before, read, isMoved }: { before: Read | undefined; read: Read; isMoved: boolean },
): Pick<DocumentDraft<PlanData>, 'newDecidingParts' | 'isHandedOver'> {
  const parts = listDecidingParts?.(read) ?? []
  const known = new Set(before === undefined || isMoved ? [] : listDecidingParts?.(before))
  return {
    newDecidingParts: [...new Set(parts)].filter((part) => !known.has(part)),
    isHandedOver: isMoved && before !== undefined && hasDecisions?.(before) === true,
  }
}

function listEvents<Read extends ReadDocument, PlanData>(
  { kind, getEvents }: DocumentReader<Read, PlanData>,
  before: Read | undefined,
  after: Read | undefined,
): NewEvents {
  const action = before === undefined ? 'Created' : after === undefined ? 'Deleted' : 'Updated'
  return newEvents(getEvents?.(before, after) ?? [toDocumentEvent(kind, action)])
}

// A domain is rarely a team: it names the owner unless the request names one, or the stored document has the same domain
// and another owner.
function readWithOwner<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  source: SourceText,
  { id, strict, owner, before }: AssessInput,
): ReturnType<DocumentReader<Read, PlanData>['read']> {
  const { requested, current } = owner
  const options = { id, strict, owner: chooseOwner(owner), ownerOverDomain: requested }
  const reading = reader.read(source, options)
  if (!reading.ok || requested !== undefined || current === null || before === undefined) {
    return reading
  }
  const { read } = reading
  const domain = findDomain(reader, read)
  if (domain === undefined || domain === current) return reading
  const former = findDomain(reader, readBefore(reader, before, id))
  return former === domain ? reader.read(source, { ...options, ownerOverDomain: current }) : reading
}

/** Returns the domain that a document has at the path of its owner; undefined = it may name a team there. */
export function findDomain<Read extends ReadDocument>(
  { ownerPath, isDomainPath }: Pick<DocumentReader<Read, unknown>, 'ownerPath' | 'isDomainPath'>,
  read: Read,
): string | undefined {
  const path = ownerPath(read)
  return isDomainPath?.(path) ? nonBlankText(valueAt(read.value, path)) : undefined
}

// A domain names only a team of that id.
function namesOwner<Read extends ReadDocument>(
  reader: Pick<DocumentReader<Read, unknown>, 'ownerPath' | 'isDomainPath'>,
  read: Read,
  ownerId: string | null,
): boolean {
  const path = reader.ownerPath(read)
  const named = nonBlankText(valueAt(read.value, path))
  return named !== undefined && (named === ownerId || reader.isDomainPath?.(path) !== true)
}

// The change of an owner that the newer document does not name. `isNamed`: the older document names its owner, so that
// its removal is one of the differences.
function listOwnerChanges(before: string | null, after: string | null, isNamed: boolean): Change[] {
  if (before === after) return []
  if (after === null) {
    if (isNamed) return []
    const message = `Team "${before}" is no longer the owner.`
    return [{ path: '', kind: 'removed', level: 'additive', before, after, message }]
  }
  const message =
    before === null
      ? `Team "${after}" became the owner.`
      : `The owner changed from team "${before}" to team "${after}".`
  const kind = before === null ? 'added' : 'changed'
  return [{ path: '', kind, level: 'additive', before, after, message }]
}

// Changes that remove deprecated parts name the announcement of the deprecation.
function announce<Read extends ReadDocument, PlanData>(
  { listParts }: DocumentReader<Read, PlanData>,
  before: Read | undefined,
  changes: readonly Change[],
  { announcements }: Pick<AssessInput, 'announcements'>,
): readonly Change[] {
  if (listParts === undefined || before === undefined) return changes
  return withAnnouncements(changes, () => listParts(before), announcements)
}

function getRow<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  source: SourceText,
  read: Read,
  before: Read | undefined,
  changes: readonly Change[],
): WrittenDocument {
  const { listParts } = reader
  const parts = listParts && buildDeprecationFacts(before && listParts(before), listParts(read))
  return {
    documentJson: toStoredJson(source),
    facts: { ...read.facts, ...reader.buildFacts?.(read), ...parts, ...getRetirement(changes) },
    own: reader.buildColumns(read),
    promises: reader.listPromises?.(read),
    entry: reader.getEntry(read),
  }
}

// The status of a port may be a custom property.
const RETIREMENT = /\/status$|\/customProperties\/\d+(?:\/value)?$/

// A change that only retires the document or its ports notifies of that end, not of an unnamed breaking change.
function getRetirement(changes: readonly Change[]): { isRetirement?: true } {
  const breaking = changes.filter(({ level }) => level === 'breaking')
  const isOnly = breaking.every(({ path, after }) => {
    const word = asText(after) ?? asText(getField(after, 'value'))
    return RETIREMENT.test(path) && word?.toLowerCase() === 'retired'
  })
  return breaking.length > 0 && isOnly ? { isRetirement: true } : {}
}

function getBefore<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  { before, id }: AssessInput,
  same: Read | undefined,
): Read | undefined {
  return same ?? (before === undefined ? undefined : readBefore(reader, before, id))
}

function readBefore<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  stored: StoredText,
  id: string,
): Read {
  const reading = reader.read(readStored(stored), { id, strict: false, isAccepted: true })
  if (!reading.ok)
    throw new Error(`the stored ${KINDS[reader.kind].called} ${id} is not readable any more`)
  return reading.read
}

// Reads two documents to be compared.
function readPair<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  { id, before, after }: Pick<CompareInput, 'id' | 'before' | 'after'>,
): { ok: true; older: Read; newer: Read } | { ok: false; problems: readonly Problem[] } {
  const older = readBefore(reader, before, id)
  if (!after.isDraft) return { ok: true, older, newer: readBefore(reader, after, id) }
  const mediaType = after.mediaType === 'application/yaml' ? after.mediaType : 'application/json'
  const source = readDocument({ text: after.document, mediaType }, reader)
  // A draft has no owner yet.
  const reading = reader.read(source, { id, strict: false, owner: '' })
  return reading.ok ? { ok: true, older, newer: reading.read } : reading
}

function compare<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  input: CompareInput,
): Comparison {
  const pair = readPair(reader, input)
  if (!pair.ok) return pair
  const { owners, announcements } = input
  const { older, newer } = pair
  const changes = reader.diff(older, newer)
  if (owners !== undefined && !namesOwner(reader, newer, owners.after)) {
    const isNamed = namesOwner(reader, older, owners.before)
    changes.push(...listOwnerChanges(owners.before, owners.after, isNamed))
  }
  return {
    ok: true,
    level: highestLevel(changes),
    changesJson: toChangeList(announce(reader, older, changes, { announcements })).json,
    format: newer.format,
  }
}

function createDifferenceTask<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
): Pick<DocumentTasks<PlanData>, 'writeDifference'> {
  const { kind, standard } = reader
  if (standard === undefined) return {}
  const run = (input: DifferenceInput): WrittenDifference => {
    const pair = readPair(reader, input)
    if (!pair.ok) return pair
    const diff = standard.diff(pair.older, pair.newer)
    const changes = announce(reader, pair.older, diff.changes, input)
    const name = { id: input.id, kind: standard.kind }
    const written = writeStandardDifference(name, diff, changes, input.form)
    return { ok: true, format: pair.newer.format, ...written }
  }
  return { writeDifference: { name: `${kind}/writeDifference`, run } }
}
