// Changes of values that are set by variables. The catalog has no values for variables, so it cannot compare them.

import { isObject, type Value } from '../text/value.ts'
import { findVariables } from '../text/variables.ts'

/** Returns whether two values differ in their variables: one has another variable, or only one has a variable. */
export function isVariableChange(before: Value | undefined, after: Value | undefined): boolean {
  const [one, other] = [listVariables(before), listVariables(after)]
  return one.join(' ') !== other.join(' ')
}

function listVariables(value: Value | undefined): string[] {
  if (typeof value === 'string') return findVariables(value).map(({ text }) => text)
  if (Array.isArray(value)) return value.flatMap(listVariables)
  return isObject(value) ? Object.values(value).flatMap(listVariables) : []
}

interface DescribedChange {
  kind: string
  level: string
  before: Value
  after: Value
  message: string
}

/** Adds the reason to the messages of breaking changes from or to a variable, and returns the changes. */
export function explainVariables<T extends DescribedChange>(changes: T[]): T[] {
  for (const change of changes) {
    const { kind, level, before, after } = change
    if (kind === 'changed' && level === 'breaking' && isVariableChange(before, after)) {
      change.message += ' It is set by a variable and cannot be analyzed.'
    }
  }
  return changes
}
