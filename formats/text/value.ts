// What a document holds once its text has been read: plain values, whichever of JSON or YAML it was written in.
// Names inside a document come from outside, so they are only ever read with `Object.hasOwn` and written by
// `Object.fromEntries`: a field called `__proto__` or `constructor` is a field like any other.

// Two parts of the language that the compiler's library does not describe yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
    parse(
      text: string,
      reviver: (key: string, value: Value, context: { source?: string }) => Value,
    ): Value
  }
}

/** A number whose digits a double cannot hold, or whose spelling (`1.0`) is to be kept: its JSON text. */
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

/** The way from the top of a document to one of its values: field names and 0-based list positions. */
export type Path = readonly (string | number)[]

/** Returns whether a value is an object with fields, not a list and not an exact number. */
export function isObject(value: Value | undefined): value is ObjectValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  )
}

/** Gives the value of a field, undefined when the value is no object or has no such field of its own. */
export function fieldOf(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Gives the value at the end of a path, undefined when the path leads nowhere. */
export function valueAt(value: Value | undefined, path: Path): Value | undefined {
  let here = value
  for (const step of path) {
    if (typeof step === 'string') here = fieldOf(here, step)
    else here = Array.isArray(here) ? here[step] : undefined
  }
  return here
}

/** Gives the value when it is a text, otherwise undefined. */
export function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Sets a field, unless the value is undefined. */
export function put<T, K extends keyof T>(target: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) target[name] = value
}

/** Writes a value as compact JSON; the digits of exact numbers are kept. */
export function jsonText(value: Value): string {
  return JSON.stringify(value)
}

/** Cuts a text from outside down to a length that fits into a message. */
export function clip(text: string, charsMax = 80): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}…`
}

/** Cuts a text to a length, without leaving half of a character. */
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

/** Writes a path in dotted form, `outputPorts[2].name`; names that hold dots or brackets are quoted, long ones cut. */
export function dotted(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (step === '' || /[.[\]"]/.test(step)) text += `[${JSON.stringify(clip(step))}]`
    else text += text === '' ? clip(step) : `.${clip(step)}`
  }
  return text
}
