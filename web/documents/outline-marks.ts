import {
  formatPath,
  isObject,
  type ObjectValue,
  type Path,
  type Value,
} from '../../formats/text/value.ts'
import type { TextProblem } from './document-kind.ts'
import { findPart, listFields, SOURCE_ONLY, type OutlinePart } from './outline-parts.ts'

/** The kinds of marks, the most urgent first. */
export const MARK_KINDS = ['error', 'warning', 'change'] as const

type MarkKind = (typeof MARK_KINDS)[number]

/** The number of problems or changes of a part of a form, and the field of the first one. */
interface Mark {
  count: number
  firstField: string
}

/** The problems and changes of a part of a form; what it does not have is absent. */
export type OutlineMarks = Partial<Record<MarkKind, Mark>>

/** Changes are counted up to this number. */
export const CHANGES_MAX = 200

/**
 * Counts the problems and changes of each section, by its id; `SOURCE_ONLY` has those of fields that the form does not
 * show. `base` is the saved document; undefined = a new one, whose changes are not counted.
 */
export function countOutlineMarks(
  sections: readonly OutlinePart[],
  problems: readonly Pick<TextProblem, 'severity' | 'field'>[],
  base: Value | undefined,
  value: Value,
): ReadonlyMap<string, OutlineMarks> {
  const parts = listFields(sections)
  const marks = new Map<string, OutlineMarks>()
  const add = (field: string, kind: MarkKind): void => {
    const id = findPart(parts, field) ?? SOURCE_ONLY
    const mark = marks.get(id)?.[kind] ?? { count: 0, firstField: field }
    marks.set(id, { ...marks.get(id), [kind]: { ...mark, count: mark.count + 1 } })
  }
  for (const { field, severity } of problems) add(field, severity)
  if (base !== undefined) for (const field of listChangedFields(base, value)) add(field, 'change')
  return marks
}

/**
 * Lists the fields whose values differ, at most `CHANGES_MAX` and one. What was added or removed as a whole is one
 * field, and items of a list that only moved because of others are none.
 */
export function listChangedFields(before: Value, after: Value): string[] {
  const fields: string[] = []
  collectChanges(before, after, [], fields)
  return fields
}

function collectChanges(
  before: Value | undefined,
  after: Value | undefined,
  path: Path,
  fields: string[],
): void {
  if (fields.length > CHANGES_MAX || before === after) return
  if (isObject(before) && isObject(after)) collectObject(before, after, path, fields)
  else if (Array.isArray(before) && Array.isArray(after)) collectList(before, after, path, fields)
  else fields.push(formatPath(path))
}

function collectObject(
  before: ObjectValue,
  after: ObjectValue,
  path: Path,
  fields: string[],
): void {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  for (const name of names) {
    const one = Object.hasOwn(before, name) ? before[name] : undefined
    const other = Object.hasOwn(after, name) ? after[name] : undefined
    collectChanges(one, other, [...path, name], fields)
  }
}

// Items in the middle are compared by position, because they may have no names.
function collectList(
  before: readonly Value[],
  after: readonly Value[],
  path: Path,
  fields: string[],
): void {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && isEqual(before[start], after[start])) start += 1
  let end = 0
  while (end < most - start && isEqual(before.at(-1 - end), after.at(-1 - end))) end += 1
  const count = Math.max(before.length, after.length) - end
  for (let at = start; at < count; at += 1) {
    const one = at < before.length - end ? before[at] : undefined
    const other = at < after.length - end ? after[at] : undefined
    collectChanges(one, other, [...path, at], fields)
  }
}

function isEqual(before: Value | undefined, after: Value | undefined): boolean {
  if (before === after) return true
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((one, at) => isEqual(one, after[at]))
  }
  if (!isObject(before) || !isObject(after)) return false
  const names = Object.keys(before)
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => Object.hasOwn(after, name) && isEqual(before[name], after[name]))
  )
}
