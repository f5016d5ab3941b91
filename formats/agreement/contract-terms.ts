// The terms of a data contract that people accept when they request access to its data.

import { listObjects, nonBlankText } from '../data-product/fields.ts'
import { getField, isObject, jsonText, valueAt, type Value } from '../text/value.ts'

/** The terms of a data contract; null = it has none. */
export interface ContractTerms {
  usage: string | null
  limitations: string | null
  billing: string | null
  noticePeriod: string | null
  /** The roles that can be requested. */
  roles: { role: string; description: string | null }[]
}

const ROLES_MAX = 50

/** Reads the terms of a data contract in ODCS or DCS. */
export function readContractTerms(contract: Value): ContractTerms {
  // The conversion from DCS has put some terms into the properties of the description.
  const places = [['customProperties'], ['description', 'customProperties']]
  const custom = places.flatMap((path) => listObjects(valueAt(contract, path)))
  const read = (...values: (Value | undefined)[]): string | null =>
    values.map(toText).find((text) => text !== undefined) ?? null
  const readCustom = (name: string): Value | undefined =>
    custom.map(({ item }) => item).find((item) => item['property'] === name)?.['value']
  const at = (...path: string[]): Value | undefined => valueAt(contract, path)
  return {
    usage: read(at('description', 'usage'), at('terms', 'usage')),
    limitations: read(at('description', 'limitations'), at('terms', 'limitations')),
    billing: read(at('terms', 'billing'), readCustom('billing'), writePrice(at('price'))),
    noticePeriod: read(at('terms', 'noticePeriod'), readCustom('noticePeriod')),
    roles: listObjects(at('roles')).flatMap(readRole).slice(0, ROLES_MAX),
  }
}

function readRole({ item }: { item: Value }): ContractTerms['roles'] {
  const role = nonBlankText(getField(item, 'role'))
  if (role === undefined) return []
  return [{ role, description: nonBlankText(getField(item, 'description')) ?? null }]
}

// ODCS has a price instead of words: `{priceAmount: 9.95, priceCurrency: USD, priceUnit: megabyte}`.
function writePrice(price: Value | undefined): string | undefined {
  if (!isObject(price)) return undefined
  const [amount, currency, unit] = ['priceAmount', 'priceCurrency', 'priceUnit'].map((name) =>
    toText(price[name]),
  )
  if (amount === undefined) return undefined
  const sum = currency === undefined ? amount : `${amount} ${currency}`
  return unit === undefined ? sum : `${sum} per ${unit}`
}

function toText(value: Value | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'string') return nonBlankText(value)
  return isObject(value) || Array.isArray(value) ? undefined : jsonText(value)
}
