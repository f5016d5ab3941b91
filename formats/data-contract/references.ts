// References to fields by the names of models and fields, `orders.buyer.id`, and the warning about one to nowhere.

import type { Field, Model } from '../schema/model.ts'
import { type Notes, PROBLEMS_MAX } from '../text/problem.ts'
import { clip, type Path, type Value } from '../text/value.ts'
import { hasPlaceholder } from '../text/variables.ts'
import { toPath } from './model-parts.ts'

/** The result of following a reference. */
export interface Search {
  /** The names of the parts that were found, from the model on. */
  found: string[]
  /** The step that names no part; undefined if all do. */
  missing: string | undefined
}

// Longer references name nothing. Names may contain dots, so that each dot is a possible end of a name.
const REFERENCE_CHARS_MAX = 1000
const STEPS_MAX = 32

/**
 * Returns whether a reference can be checked: not one with a placeholder, one into another file (`other.yaml#…`), or one of
 * more than 1,000 characters or 32 steps.
 */
export function canFollow(reference: string): boolean {
  if (reference.length > REFERENCE_CHARS_MAX || hasPlaceholder(reference)) return false
  return !reference.includes('#') && reference.split(/[./]/).length <= STEPS_MAX
}

/**
 * Follows the steps of a reference from a part to its members. If names with dots allow several ways, the one with the
 * shortest names is taken.
 */
export function followNames<T>(
  part: T,
  steps: readonly string[],
  listMembers: (part: T) => ReadonlyMap<string, T>,
): Search {
  const failed = new Set<string>()
  let furthest: Search = { found: [], missing: steps.join('.') }
  const find = (here: T, at: number, found: string[]): string[] | undefined => {
    if (at === steps.length) return found
    // Each way to a place is tried once.
    const place = found.join('\0')
    if (failed.has(place)) return undefined
    failed.add(place)
    const members = listMembers(here)
    for (let end = at + 1; end <= steps.length; end += 1) {
      const name = steps.slice(at, end).join('.')
      const next = members.get(name)
      if (next === undefined) continue
      const names = [...found, name]
      const complete = find(next, end, names)
      if (complete !== undefined) return complete
      if (names.length > furthest.found.length) {
        furthest = { found: names, missing: steps.slice(end).join('.') }
      }
    }
    return undefined
  }
  const complete = find(part, 0, [])
  return complete === undefined ? furthest : { found: complete, missing: undefined }
}

/** Reports a reference to nowhere. */
export function noteNowhere(
  reference: string,
  { found, missing = '' }: Search,
  { notes, path }: { notes: Notes; path: () => Path },
): void {
  if (notes.warnings.length >= PROBLEMS_MAX) return
  const what = found.length === 0 ? 'model' : 'field'
  const where = found.length === 0 ? '' : ` in "${clip(found.join('.'))}"`
  const [name = missing] = missing.split('.')
  notes.warning(
    path(),
    `"${clip(reference)}" leads nowhere: there is no ${what} "${clip(name)}"${where}. Correct the reference, or add the ${what}.`,
  )
}

type Part = { fields?: Field[]; items?: Field } | { models: readonly Model[] }

/** Reports the references of fields that lead to no field of these models; `references` is the name of the member. */
export function noteReferencesToNowhere(
  models: readonly Model[],
  contract: Value,
  notes: Notes,
): void {
  const known = new Map<Part, ReadonlyMap<string, Part>>()
  const listMembers = (part: Part): ReadonlyMap<string, Part> => {
    const members = known.get(part) ?? toMembers(part)
    known.set(part, members)
    return members
  }
  const top: Part = { models }
  const visit = (field: Field): void => {
    for (const reference of field.references) {
      if (!canFollow(reference)) continue
      const search = followNames(top, reference.split('.'), listMembers)
      const path = () => toPath(contract, `${field.origin}/references`)
      if (search.missing !== undefined) noteNowhere(reference, search, { notes, path })
    }
    for (const inner of field.fields ?? []) visit(inner)
    for (const inner of [field.items, field.keys, field.values]) if (inner) visit(inner)
  }
  for (const model of models) for (const field of model.fields) visit(field)
}

function toMembers(part: Part): ReadonlyMap<string, Part> {
  const members = 'models' in part ? part.models : (part.fields ?? part.items?.fields ?? [])
  return new Map(members.toReversed().map((member): [string, Part] => [member.name, member]))
}
