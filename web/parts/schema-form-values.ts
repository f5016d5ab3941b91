/**
 * A form generated from a JSON Schema: its fields, their input, and the resulting values. Invalid input, such
 * as letters in a number, is passed on unchanged, so that the server reports it.
 */

import { capitalize } from './capitalize.ts'

/** The input of a form by field name; a list has a line for each element. */
export type FormValues = Readonly<Record<string, string | boolean>>

/** A field and the values that it must have. */
interface FieldCondition {
  name: string
  values: readonly string[]
}

/** One field of a form. */
export interface FormField {
  name: string
  kind: 'text' | 'long-text' | 'address' | 'number' | 'yes-no' | 'choice' | 'lines'
  title: string
  hint: string | undefined
  example: string | undefined
  required: boolean
  /** The value without input; undefined to omit it. */
  usual: unknown
  choices: readonly { value: string; title: string }[]
  /** The field applies only if another one has one of these values. */
  onlyWith: FieldCondition | undefined
  /** Rarely needed; shown separately. */
  isRare: boolean
}

const LONG_CHARACTERS_MIN = 5000

/**
 * Creates the fields of a form from the JSON Schema of an object. A property may also
 * have `choices` (titles by value), `onlyWith`, `isRare`, and `isNeeded`: required when it applies.
 */
export function createFormFields(schema: Readonly<Record<string, unknown>>): FormField[] {
  const required = toList(schema['required'])
  return Object.entries(getRecord(schema['properties'])).map(([name, given]) => {
    const property = getRecord(given)
    const titles = getRecord(property['choices'])
    const choices = toList(property['enum']).map((value) => ({
      value,
      title: getText(titles[value]) ?? value,
    }))
    return {
      name,
      kind: getKind(property, choices.length > 0),
      title: getText(property['title']) ?? getTitle(name),
      hint: getText(property['description']),
      example: toList(property['examples'])[0],
      required:
        property['isNeeded'] === true ||
        (required.includes(name) && property['default'] === undefined),
      usual: property['default'],
      choices,
      onlyWith: getCondition(property['onlyWith']),
      isRare: property['isRare'] === true,
    }
  })
}

function getCondition(given: unknown): FieldCondition | undefined {
  const { name, values } = getRecord(given)
  return typeof name === 'string' ? { name, values: toList(values) } : undefined
}

function getKind(
  property: Readonly<Record<string, unknown>>,
  isChoice: boolean,
): FormField['kind'] {
  if (isChoice) return 'choice'
  switch (property['type']) {
    case 'boolean':
      return 'yes-no'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return 'lines'
    default: {
      if (property['format'] === 'uri') return 'address'
      const length = property['maxLength']
      return typeof length === 'number' && length >= LONG_CHARACTERS_MIN ? 'long-text' : 'text'
    }
  }
}

/** Returns the input that shows stored values, or the defaults. */
export function toFormValues(
  fields: readonly FormField[],
  stored: Readonly<Record<string, unknown>>,
): FormValues {
  return Object.fromEntries(
    fields.map((field) => [field.name, toInput(field, stored[field.name] ?? field.usual)]),
  )
}

function toInput({ kind }: FormField, value: unknown): string | boolean {
  if (kind === 'yes-no') return value === true
  if (Array.isArray(value)) return value.map(String).join('\n')
  if (typeof value === 'number' || typeof value === 'string') return String(value)
  return ''
}

/** Returns whether a field applies, given the values of the others. */
export function doesApply(
  { onlyWith }: { onlyWith?: FieldCondition | undefined },
  values: FormValues,
): boolean {
  const other = onlyWith === undefined ? undefined : values[onlyWith.name]
  return onlyWith === undefined || (typeof other === 'string' && onlyWith.values.includes(other))
}

/** Returns the values of a form; fields that are empty or do not apply are left out. */
export function readValues(
  fields: readonly FormField[],
  values: FormValues,
): Record<string, unknown> {
  const read = new Map<string, unknown>()
  for (const field of fields) {
    const value = values[field.name]
    if (value === undefined || !doesApply(field, values)) continue
    const result = toValue(field, value)
    if (result !== undefined) read.set(field.name, result)
  }
  return Object.fromEntries(read)
}

function toValue({ kind, usual }: FormField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (kind === 'lines') return text === '' && usual === undefined ? undefined : splitLines(value)
  if (text === '') return undefined
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  // A key in PEM ends with the end of a line.
  return kind === 'long-text' ? value : text
}

/** Returns the lines of a text that are not blank, without the spaces around them. */
export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Returns the required fields that are empty. */
export function missingFields(fields: readonly FormField[], values: FormValues): FormField[] {
  return fields.filter((field) => {
    const value = values[field.name]
    const isEmpty = value === undefined || (typeof value === 'string' && value.trim() === '')
    return field.required && isEmpty && doesApply(field, values)
  })
}

/** Returns the first message about a field or one of its elements, such as `database[2]`; undefined = none. */
export function messageFor(
  violations: readonly { field: string; message: string }[],
  field: string,
): string | undefined {
  const isAbout = (other: string): boolean =>
    other === field || other.startsWith(`${field}.`) || other.startsWith(`${field}[`)
  return violations.find((violation) => isAbout(violation.field))?.message
}

// `statementTimeoutMs` is read as `Statement timeout ms`.
function getTitle(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalize(words)
}

function getRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}

function toList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function getText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
