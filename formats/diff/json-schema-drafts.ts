// Compares the drafts of two JSON Schemas. A validator ignores keywords that its draft does not have, so a change of the
// draft may change which values are valid, and a keyword may replace another one only in some drafts.

import {
  type Dialects,
  type DraftUse,
  findDialects,
  listDraftUses,
  withoutIgnored,
} from '../schema/json-schema/draft-uses.ts'
import { type Dialect, isAffected, isKnownDialect } from '../schema/json-schema/drafts.ts'
import { readJsonSchema } from '../schema/json-schema/read.ts'
import { haveSameMeaning } from '../schema/languages.ts'
import { Specification } from '../schema/specification.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import type { Value } from '../text/value.ts'
import type { Change } from './level.ts'
import { diffModels } from './models.ts'

/** A change of a specification outside its models; the caller adds the path. */
type SpecificationChange = Omit<Change, 'path'>

const KEYWORDS_SHOWN_MAX = 5

/**
 * Lists the changes between two JSON Schemas that only their drafts explain. Both are values or texts. The models are
 * compared elsewhere, as if every draft had every keyword.
 */
export function compareDrafts(before: Value, after: Value): SpecificationChange[] {
  const [older, newer] = [readValue(before), readValue(after)]
  if (older === undefined || newer === undefined) return []
  const [one, other] = [findDialects(older), findDialects(newer)]
  const isOne = one.dialects.size === 1 && isEqualSet(one.dialects, other.dialects)
  const change = isOne
    ? undefined
    : compareUses({ ...one, uses: listDraftUses(older) }, { ...other, uses: listDraftUses(newer) })
  if (change !== undefined) return [change]
  return one.hasIgnored || other.hasIgnored ? compareEffective(older, newer) : []
}

interface Drafts extends Dialects {
  uses: readonly DraftUse[]
}

function isEqualSet(one: ReadonlySet<Dialect>, other: ReadonlySet<Dialect>): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}

function readValue(specification: Value): Value | undefined {
  return toSpecification(specification).value()
}

function toSpecification(value: Value): Specification {
  return new Specification(value, [], new Notes(NOWHERE))
}

function compareUses(before: Drafts, after: Drafts): SpecificationChange | undefined {
  const [older, newer] = [describeDialects(before), describeDialects(after)]
  const changed = before.dialects.symmetricDifference(after.dialects)
  const isUnknown = [...changed].some((one) => one !== undefined && !isKnownDialect(one))
  const keywords = listAffected(before, after)
  if (!isUnknown && keywords.length === 0) return undefined
  const reason = isUnknown
    ? 'the meaning of keywords in this dialect is unknown, so consumers may break'
    : `it changes the meaning of ${keywords.slice(0, KEYWORDS_SHOWN_MAX).join(', ')}, so values may be valid that were not`
  const message = `The draft of the schema changed from ${older} to ${newer}; ${reason}.`
  return { kind: 'changed', level: 'breaking', before: older, after: newer, message }
}

function describeDialects({ dialects }: Dialects): string {
  return [...dialects].map((dialect) => dialect ?? 'no draft').join(', ')
}

// Keywords that both versions have, under drafts that do not agree about them.
function listAffected(before: Drafts, after: Drafts): string[] {
  const byPlace = new Map<string, Dialect>()
  const byKeyword = new Map<string, Set<Dialect>>()
  for (const { keyword, dialect, path } of before.uses) {
    byPlace.set(`${keyword} ${path}`, dialect)
    byKeyword.set(keyword, (byKeyword.get(keyword) ?? new Set()).add(dialect))
  }
  const affected = new Set<string>()
  for (const { keyword, dialect, path } of after.uses) {
    const place = `${keyword} ${path}`
    // A schema that moved may be any of the former ones.
    const drafts = byPlace.has(place) ? [byPlace.get(place)] : [...(byKeyword.get(keyword) ?? [])]
    if (drafts.some((draft) => isAffected(keyword, draft, dialect))) affected.add(keyword)
  }
  return [...affected].toSorted()
}

// Compares the schemas as validators of their drafts read them.
function compareEffective(before: Value, after: Value): SpecificationChange[] {
  const [older, newer] = [withoutIgnored(before), withoutIgnored(after)]
  if (older === before && newer === after) return []
  const [one, other] = [older, newer].map((value) => readJsonSchema(toSpecification(value)))
  const changes = diffModels(one ?? [], other ?? [])
  const breaking = changes.find(({ level }) => level === 'breaking')
  const isUnclear = changes.length === 0 && haveSameMeaning('json-schema', older, newer) === false
  if (breaking === undefined && !isUnclear) return []
  const reason = breaking?.message ?? 'The schema may allow values that it did not allow before.'
  const message = `Validators ignore the keywords that the draft of a schema does not have. ${reason}`
  return [{ kind: 'changed', level: 'breaking', before: null, after: null, message }]
}
