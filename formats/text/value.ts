// The values of a parsed document, independent of its format. Field names are untrusted input, so they are only read
// with `Object.hasOwn` and written with `Object.fromEntries`: a field called `__proto__` or `constructor` is a field
// like any other.

// Two language features that the compiler's library does not declare yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
    parse(
      text: string,
      reviver: (key: string, value: Value, context: { source?: string }) => Value,
    ): Value
  }
}

/** A number with more digits than a double can represent, or whose notation (`1.0`) is preserved: its JSON text. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.text)
  }
}

export type Value =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | Value[]
  | { [key: string]: Value }

export type ObjectValue = { [key: string]: Value }

/** The path from the top of a document to one of its values: field names and 0-based list positions. */
export type Path = readonly (string | number)[]

/** Returns whether a value is an object with fields (not a list or an exact number). */
export function isObject(value: Value | undefined): value is ObjectValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  )
}

/** Returns the value of a field; undefined if the value is not an object or does not have the field. */
export function getField(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Returns the value at a path; undefined if the path does not exist. */
export function valueAt(value: Value | undefined, path: Path): Value | undefined {
  let here = value
  for (const step of path) {
    if (typeof step === 'string') here = getField(here, step)
    else here = Array.isArray(here) ? here[step] : undefined
  }
  return here
}

/** Returns the value if it is text, otherwise undefined. */
export function asText(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Sets a field, unless the value is undefined. */
export function put<T, K extends keyof T>(target: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) target[name] = value
}

/** Writes a value as compact JSON; the digits of exact numbers are preserved. */
export function jsonText(value: Value): string {
  return JSON.stringify(value)
}

/** Truncates untrusted text to a length that fits into a message. */
export function clip(text: string, charsMax = 80): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}…`
}

/** Truncates a text without splitting a character. */
export function truncate(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
}

/** Writes a path as a JSON pointer (RFC 6901), `/outputPorts/2/name`; '' for the whole document. */
export function pointer(path: Path): string {
  return path.map((step) => `/${pointerStep(step)}`).join('')
}

/** Writes one step of a JSON pointer. */
export function pointerStep(step: string | number): string | number {
  if (typeof step === 'number' || !/[~/]/.test(step)) return step
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Writes a path in dotted form, `outputPorts[2].name`; names with dots or brackets are quoted, long ones truncated. */
export function formatPath(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (step === '' || /[.[\]"]/.test(step)) text += `[${JSON.stringify(clip(step))}]`
    else text += text === '' ? clip(step) : `.${clip(step)}`
  }
  return text
}
