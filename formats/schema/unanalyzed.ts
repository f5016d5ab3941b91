// The parts of a definition that are neither read nor known to have no effect on consumers.

import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import { compareText } from '../text/problem.ts'
import type { Model, Traits } from './model.ts'
import type { Specification } from './specification.ts'

/** Returns the members of a definition whose names are not listed; undefined when there are none. */
export function pickOtherMembers(
  value: Value | undefined,
  names: ReadonlySet<string>,
): ObjectValue | undefined {
  if (!isObject(value)) return undefined
  const rest = Object.entries(value).filter(([name, member]) => member !== null && !names.has(name))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

/**
 * Adds the unread parts of a specification to a model, so that their changes are detected. The model with the first
 * name carries them, in any order of models.
 */
export function addUnreadParts(models: Model[], { unread }: Specification): Model[] {
  const [first] = models.toSorted((a, b) => compareText(a.name, b.name))
  if (first === undefined || unread.length === 0) return models
  const parts = [...unread]
  if (first.traits?.['unanalyzed'] !== undefined) parts.unshift(first.traits['unanalyzed'])
  addTrait(first, 'unanalyzed', parts)
  return models
}

/** Adds a trait to a model or field. */
export function addTrait(subject: { traits?: Traits }, name: string, value: Value): void {
  subject.traits = { ...subject.traits, [name]: value }
}
