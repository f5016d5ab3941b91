// The parts of a definition that are neither read nor known to have no effect on consumers.

import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import type { Traits } from './model.ts'

/** Returns the members of a definition whose names are not listed; undefined when there are none. */
export function pickOtherMembers(
  value: Value | undefined,
  names: ReadonlySet<string>,
): ObjectValue | undefined {
  if (!isObject(value)) return undefined
  const rest = Object.entries(value).filter(([name, member]) => member !== null && !names.has(name))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

/** Adds a trait to a model or field. */
export function addTrait(subject: { traits?: Traits }, name: string, value: Value): void {
  subject.traits = { ...subject.traits, [name]: value }
}
