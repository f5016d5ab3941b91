import { readText, type MediaType } from '../text.ts'
import {
  isObject,
  valueAt,
  type ObjectValue,
  type Path,
  type Value,
  ExactNumber,
} from '../value.ts'
import { addMember, removeMember, renameMember, replaceValue } from './splice.ts'
import type { PlacedText, Splice } from './placed-text.ts'
import { findSpots } from './find-spots.ts'

/**
 * A change of a document by a form. Only the affected part of the text is written: comments, order and
 * layout of everything else are preserved byte for byte.
 *
 * - `set`: sets the value at a path; missing parents are created. `order` lists the fields of the
 *   object in their customary order, to position a new field.
 * - `add`: appends to the list at a path; a missing list is created.
 * - `remove`: removes a field or an item. A missing field is not an error.
 * - `rename`: renames the field at a path.
 */
export type TextEdit =
  | { kind: 'set'; path: Path; value: Value; order?: readonly string[] }
  | { kind: 'add'; path: Path; value: Value; order?: readonly string[] }
  | { kind: 'remove'; path: Path }
  | { kind: 'rename'; path: Path; name: string }

/** The edited text, or the reason why it cannot be edited. */
export type EditedText = { ok: true; text: string } | { ok: false; reason: string }

const UNREADABLE = 'The source has errors. Fix them first.'
const UNREACHABLE = 'The form cannot edit this value as it is written. Edit it in the source.'

/** Applies edits to a text in sequence; either all of them or none. */
export function editText(
  text: string,
  mediaType: MediaType,
  edits: readonly TextEdit[],
): EditedText {
  let edited = text
  for (const edit of edits) {
    const source = readText(edited, mediaType)
    if (!source.ok) return { ok: false, reason: UNREADABLE }
    const expected = editValue(source.value, edit)
    if (isSameValue(source.value, expected)) continue
    const placed = { text: edited, mediaType, top: findSpots(edited, mediaType) }
    const splice = toSplice(placed, source.value, edit)
    if (splice === undefined) return { ok: false, reason: UNREACHABLE }
    edited = edited.slice(0, splice.from) + splice.insert + edited.slice(splice.to)
    // Checks the result: either the edited text has the intended values, or nothing is changed.
    const result = readText(edited, mediaType)
    if (!result.ok || !isSameValue(result.value, expected))
      return { ok: false, reason: UNREACHABLE }
  }
  return { ok: true, text: edited }
}

/**
 * Applies edits of different values at once: the text is parsed as often as for one. Those that meet in the text are
 * applied in sequence.
 */
export function editTextAtOnce(
  text: string,
  mediaType: MediaType,
  edits: readonly TextEdit[],
): EditedText {
  const source = readText(text, mediaType)
  if (!source.ok) return { ok: false, reason: UNREADABLE }
  const placed = { text, mediaType, top: findSpots(text, mediaType) }
  const splices = edits.map((edit) => toSplice(placed, source.value, edit))
  const edited = applySplices(text, splices)
  const expected = edits.reduce((value, edit) => editValue(value, edit), source.value)
  const result = edited === undefined ? undefined : readText(edited, mediaType)
  if (edited !== undefined && result?.ok === true && isSameValue(result.value, expected)) {
    return { ok: true, text: edited }
  }
  return editText(text, mediaType, edits)
}

// From the end to the beginning, so that positions stay. Undefined = they overlap, or a value cannot be reached.
function applySplices(text: string, splices: readonly (Splice | undefined)[]): string | undefined {
  const reached = splices.filter((splice) => splice !== undefined)
  if (reached.length < splices.length) return undefined
  let edited = text
  let end = text.length
  for (const { from, to, insert } of reached.toReversed().toSorted((a, b) => b.from - a.from)) {
    if (to > end) return undefined
    edited = edited.slice(0, from) + insert + edited.slice(to)
    end = from
  }
  return edited
}

function toSplice(placed: PlacedText, value: Value, edit: TextEdit): Splice | undefined {
  const { path } = edit
  switch (edit.kind) {
    case 'rename':
      return renameMember(placed, path, edit.name)
    case 'remove':
      return removeMember(placed, path)
    case 'set':
    case 'add': {
      const target = findTarget(value, edit)
      if (target.name === null) return replaceValue(placed, target.path, target.value)
      const { name } = target
      const added = { name, value: target.value, order: edit.order ?? [] }
      return addMember(placed, target.path, added)
    }
  }
}

interface Target {
  path: Path
  /** The name of a field to add; undefined = an item; null = an existing value is replaced. */
  name: string | undefined | null
  value: Value
}

// Existing values are replaced; missing ones are added to the nearest existing object or list.
function findTarget(value: Value, edit: Extract<TextEdit, { value: Value }>): Target {
  const there = valueAt(value, edit.path)
  if (edit.kind === 'add') {
    if (Array.isArray(there)) return { path: edit.path, name: undefined, value: edit.value }
    return findTarget(value, { ...edit, kind: 'set', value: [edit.value] })
  }
  if (there !== undefined) return { path: edit.path, name: null, value: edit.value }
  const known = edit.path.findIndex(
    (_, at) => valueAt(value, edit.path.slice(0, at + 1)) === undefined,
  )
  const path = edit.path.slice(0, known)
  const [step, ...rest] = edit.path.slice(known)
  const container = valueAt(value, path)
  const inner = wrapValue(rest, edit.value)
  if (isObject(container) && typeof step === 'string') return { path, name: step, value: inner }
  if (Array.isArray(container)) return { path, name: undefined, value: inner }
  return { path, name: null, value: wrapValue(edit.path.slice(known), edit.value) }
}

function wrapValue(path: Path, value: Value): Value {
  return path.reduceRight<Value>(
    (inner, step) => (typeof step === 'string' ? Object.fromEntries([[step, inner]]) : [inner]),
    value,
  )
}

/** Returns the value that a document has after an edit; the given value is not modified. */
export function editValue(value: Value, edit: TextEdit): Value {
  const { path } = edit
  if (edit.kind === 'add') {
    const there = valueAt(value, path)
    const list = Array.isArray(there) ? there : []
    return replaceAt(value, path, () => [...list, edit.value])
  }
  if (edit.kind === 'set') return replaceAt(value, path, () => edit.value)
  if (valueAt(value, path) === undefined) return value
  const last = path.at(-1)
  return replaceAt(value, path.slice(0, -1), (parent) => {
    if (Array.isArray(parent)) return parent.filter((_, at) => at !== last)
    const fields = Object.entries(isObject(parent) ? parent : {})
    if (edit.kind === 'remove') return Object.fromEntries(fields.filter(([name]) => name !== last))
    return Object.fromEntries(fields.map(([name, one]) => [name === last ? edit.name : name, one]))
  })
}

function replaceAt(
  value: Value | undefined,
  path: Path,
  change: (value: Value | undefined) => Value,
): Value {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? value : []
    const items = list.map((item, at) => (at === step ? replaceAt(item, rest, change) : item))
    return step < list.length ? items : [...items, replaceAt(undefined, rest, change)]
  }
  const fields: ObjectValue = isObject(value) ? value : {}
  const changed = replaceAt(Object.hasOwn(fields, step) ? fields[step] : undefined, rest, change)
  if (Object.hasOwn(fields, step)) {
    return Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [name, name === step ? changed : one]),
    )
  }
  return Object.fromEntries([...Object.entries(fields), [step, changed]])
}

/** Returns whether two values are equal, ignoring the order of fields; numbers are compared by their digits. */
function isSameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof ExactNumber && b instanceof ExactNumber) return a.text === b.text
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSameValue(item, b[at]))
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a)
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
    )
  }
  return a === b
}
