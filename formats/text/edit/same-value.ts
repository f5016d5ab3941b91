import { ExactNumber, isObject, type Value } from '../value.ts'

/** Returns whether two values are equal, ignoring the order of fields; numbers are compared by their digits. */
export function isSameValue(a: Value | undefined, b: Value | undefined): boolean {
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
