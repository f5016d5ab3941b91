import { z } from '@hono/zod-openapi'
import { ExactNumber, truncate, type Value } from '../../../formats/text/value.ts'

/** A filter by a custom field: data products that have one of the values. */
export interface CustomFilter {
  field: string
  values: readonly string[]
}

/** The maximum number of custom fields that one search filters by or counts. */
export const CUSTOM_FIELDS_MAX = 20

const PAIRS_MAX = 50
const FIELD_CHARACTERS_MAX = 256
const VALUE_CHARACTERS_MAX = 200

/** Returns the custom fields of a data product as they are indexed: distinct, each as `name=value`. */
export function toCustomPairs(
  custom: readonly { property: string; value: Value }[],
): readonly string[] {
  const pairs = new Set<string>()
  for (const { property, value } of custom) {
    if (!isIndexedField(property)) continue
    for (const text of [value].flat().flatMap(toText)) {
      if (pairs.size >= PAIRS_MAX) return [...pairs]
      pairs.add(toCustomPair(property, text))
    }
  }
  return [...pairs]
}

// The first `=` of a pair ends its name.
function isIndexedField(name: string): boolean {
  return name !== '' && name.length <= FIELD_CHARACTERS_MAX && !name.includes('=')
}

/** The query parameter `custom`: repeatable, each `name=value`. It is parsed to one filter for each field. */
export const customFilters = z
  .union([z.string().transform((pair) => [pair]), z.array(z.string())])
  .optional()
  .transform((pairs, context) => {
    const filters = toCustomFilters(pairs ?? [])
    if (filters !== undefined && filters.length <= CUSTOM_FIELDS_MAX) return filters
    const message =
      filters === undefined
        ? 'must have a name, an equals sign and a value, such as costCenter=4711'
        : `must name at most ${CUSTOM_FIELDS_MAX} fields`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .openapi({
    type: 'array',
    items: { type: 'string' },
    description:
      'Data products with this value of a custom field, as `name=value`; values of the same field are alternatives',
  })

// Undefined = a pair has no name or no value.
function toCustomFilters(pairs: readonly string[]): CustomFilter[] | undefined {
  const filters = new Map<string, string[]>()
  for (const pair of pairs) {
    const end = pair.indexOf('=')
    const [field, value] = [pair.slice(0, end), pair.slice(end + 1)]
    if (end < 1 || value === '') return undefined
    filters.set(field, [...(filters.get(field) ?? []), value])
  }
  return [...filters].map(([field, values]) => ({ field, values }))
}

/** Returns the pairs that a filter accepts. */
export function listPairs({ field, values }: CustomFilter): string[] {
  return values.map((value) => toCustomPair(field, value))
}

function toCustomPair(field: string, value: string): string {
  return `${field}=${truncate(value, VALUE_CHARACTERS_MAX)}`.toWellFormed()
}

function toText(value: Value): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (value instanceof ExactNumber) return [value.text]
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
}
