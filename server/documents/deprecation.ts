import type { DeprecatedPart, DocumentParts } from '../../formats/data-product/deprecated-parts.ts'
import { DEPRECATED_PARTS_MAX } from '../../formats/data-product/deprecated-parts.ts'
import type { Change } from '../../formats/diff/level.ts'
import { describeAnnouncedRemoval } from '../../formats/diff/sentence.ts'
import { describeAnnouncement, type Announcement } from '../ledger/history/plan.ts'

// Every version records its deprecated parts, and for each of them the first version of the present unbroken run. A new
// version takes it over from the version before, so that no question reads more than one version.

/** A deprecated part as a version records it, before it is written. */
export interface RecordedPart extends Omit<DeprecatedPart, 'advice'> {
  advice: string | null
  /** The version before did not have it, or not as deprecated. */
  isNew: boolean
}

/** The facts of a version about its deprecated parts. */
interface DeprecationFacts {
  deprecated: RecordedPart[]
  /** The parts without readers of their own that the version before had and that are deprecated from this version on. */
  announcedParts?: NamedPart[]
  /** The deprecated parts of the version before that this one lacks. */
  removedParts?: NamedPart[]
}

type NamedPart = Omit<RecordedPart, 'isNew' | 'pointer'>

const ADVICE_CHARACTERS_MAX = 300
const NAME_CHARACTERS_MAX = 300
const TARGET_CHARACTERS_MAX = 1000

/** Builds the facts of a version about its deprecated parts. `before`: those of the version before, if there is one. */
export function buildDeprecationFacts(
  before: DocumentParts | undefined,
  after: DocumentParts,
): DeprecationFacts {
  const known = new Set(before?.deprecated.map(({ key }) => key))
  // Of a longer list, the parts that are not recorded may have been deprecated, too.
  const isPartial = known.size >= DEPRECATED_PARTS_MAX
  const deprecated = after.deprecated.map((part) => ({
    ...toRecorded(part),
    isNew: !known.has(part.key) && !isPartial,
  }))
  const facts: DeprecationFacts = { deprecated }
  if (before === undefined) return facts
  const fresh = deprecated.filter(({ isNew, kind }) => isNew && hasNoEnding(kind))
  const former = fresh.length === 0 ? undefined : before.listKeys()
  const announced = fresh.filter(({ key }) => former?.has(key))
  if (announced.length > 0) facts.announcedParts = announced.map(toNamed)
  const present = known.size === 0 ? undefined : after.listKeys()
  const removed = before.deprecated.filter(({ key }) => present?.has(key) === false)
  if (removed.length > 0) facts.removedParts = removed.map((part) => toNamed(toRecorded(part)))
  return facts
}

// The ends of documents and output ports are announced with their dates and to their own readers (`history/ending.ts`).
function hasNoEnding(kind: DeprecatedPart['kind']): boolean {
  return kind !== 'document' && kind !== 'output port'
}

function toRecorded({ advice, replacedBy, ...part }: DeprecatedPart): Omit<RecordedPart, 'isNew'> {
  return {
    ...part,
    key: part.key.toWellFormed(),
    name: cut(part.name, NAME_CHARACTERS_MAX),
    pointer: part.pointer.toWellFormed(),
    advice: advice === undefined ? null : cut(advice, ADVICE_CHARACTERS_MAX),
    ...(replacedBy !== undefined &&
      replacedBy.length <= TARGET_CHARACTERS_MAX && { replacedBy: replacedBy.toWellFormed() }),
  }
}

function toNamed({ key, kind, name, advice, replacedBy }: Omit<RecordedPart, 'isNew'>): NamedPart {
  return { key, kind, name, advice, ...(replacedBy !== undefined && { replacedBy }) }
}

function cut(text: string, charactersMax: number): string {
  const whole = text.trim()
  const isLong = whole.length > charactersMax
  return isLong ? `${whole.slice(0, charactersMax - 1).toWellFormed()}…` : whole.toWellFormed()
}

/** The announcements of the deprecated parts of a version, by their keys. */
export type Announcements = Readonly<Record<string, Announcement>>

/** Returns changes in which each removal of a deprecated part names the announcement of its deprecation. */
export function withAnnouncements(
  changes: readonly Change[],
  listParts: () => DocumentParts,
  announcements: Announcements | undefined,
): (Change & { announced?: Announcement })[] {
  const isAny = announcements !== undefined && Object.keys(announcements).length > 0
  if (!isAny || !changes.some(({ kind }) => kind === 'removed')) return [...changes]
  const byPointer = new Map(listParts().deprecated.map((part) => [part.pointer, part]))
  return changes.map((change) => {
    const part = change.kind === 'removed' ? byPointer.get(change.path) : undefined
    const announced = part && announcements[part.key]
    if (part === undefined || announced === undefined) return change
    const message = describeAnnouncedRemoval(change.message, describeAnnouncement(announced))
    return { ...change, message, announced }
  })
}
