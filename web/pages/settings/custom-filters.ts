import { readText } from '../../../formats/text/text.ts'

/** A filter of data products by a custom property. */
export interface CustomFilter {
  displayName: string
  customField: string
}

/** The values of a custom property, the most frequent first. */
export interface FilterValues extends CustomFilter {
  values: readonly { value: string; count: number }[]
}

const VALUES_MAX = 10

/** Reads the filters of a customization that is being edited; undefined = the text cannot be read. */
export function parseCustomFilters(text: string): CustomFilter[] | undefined {
  const source = readText(text, 'application/yaml')
  if (!source.ok) return undefined
  const filters = getMember(getMember(source.value, 'dataProduct'), 'customFilters')
  if (!Array.isArray(filters)) return []
  return filters.flatMap((filter: unknown) => {
    const [displayName, customField] = ['displayName', 'customField'].map((name) =>
      getMember(filter, name),
    )
    if (typeof displayName !== 'string' || typeof customField !== 'string') return []
    return [{ displayName, customField }]
  })
}

/** Counts the values that data products have for the custom property of each filter. */
export function countFilterValues(
  filters: readonly CustomFilter[],
  products: readonly unknown[],
): FilterValues[] {
  return filters.map((filter) => {
    const counts = new Map<string, number>()
    for (const product of products) {
      for (const value of new Set(listValues(product, filter.customField))) {
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
    const values = [...counts].map(([value, count]) => ({ value, count }))
    const sorted = values.toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value))
    return { ...filter, values: sorted.slice(0, VALUES_MAX) }
  })
}

// ODPS has a list of custom properties, DPS a map.
function listValues(product: unknown, field: string): string[] {
  const properties = getMember(product, 'customProperties')
  const listed = Array.isArray(properties)
    ? properties.filter((one: unknown) => getMember(one, 'property') === field)
    : []
  const values = [
    ...listed.map((one: unknown) => getMember(one, 'value')),
    getMember(getMember(product, 'custom'), field),
  ]
  return values.flat().flatMap((value: unknown) => toValue(value))
}

function toValue(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map(Object.entries(value)).get(name)
}
