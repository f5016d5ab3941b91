// The parts of a data contract for those who request access: its terms of use, and the roles that can be requested.

import { asText, getField, valueAt, type Path, type Value } from '../text/value.ts'

/** A role that a contract offers. */
interface ContractRole {
  name: string
  description?: string
}

/** The terms of a contract, in any format. */
export interface ContractTerms {
  /** Headings with their texts: usage, limitations, billing, notice period. */
  texts: [title: string, text: string][]
  roles: ContractRole[]
}

// DCS, then ODCS.
const TEXTS: readonly (readonly [title: string, paths: readonly Path[]])[] = [
  [
    'Usage',
    [
      ['terms', 'usage'],
      ['description', 'usage'],
    ],
  ],
  [
    'Limitations',
    [
      ['terms', 'limitations'],
      ['description', 'limitations'],
    ],
  ],
  ['Billing', [['terms', 'billing']]],
  ['Notice period', [['terms', 'noticePeriod']]],
]

/** Reads the terms of a contract; parts of another form are skipped. */
export function readContractTerms(value: Value): ContractTerms {
  const texts = TEXTS.flatMap(([title, paths]): [string, string][] => {
    const text = paths.map((path) => toText(valueAt(value, path))).find((one) => one !== undefined)
    return text === undefined ? [] : [[title, text]]
  })
  return { texts: [...texts, ...readPrice(value), ...readNotice(value)], roles: readRoles(value) }
}

function readPrice(value: Value): [string, string][] {
  const price = getField(value, 'price')
  const amount = toText(getField(price, 'priceAmount'))
  if (amount === undefined) return []
  const currency = toText(getField(price, 'priceCurrency'))
  const unit = toText(getField(price, 'priceUnit'))
  const text = [amount, currency].filter((part) => part !== undefined).join(' ')
  return [['Billing', unit === undefined ? text : `${text} per ${unit}`]]
}

// ODCS has no field for it; teams write it as a service level.
function readNotice(value: Value): [string, string][] {
  return toList(getField(value, 'slaProperties')).flatMap((level): [string, string][] => {
    const property = toText(getField(level, 'property')) ?? ''
    const text = [getField(level, 'value'), getField(level, 'unit')].flatMap(
      (part) => toText(part) ?? [],
    )
    const isNotice = /^notice[\s_-]*period$/i.test(property)
    return isNotice && text.length > 0 ? [['Notice period', text.join(' ')]] : []
  })
}

function readRoles(value: Value): ContractRole[] {
  return toList(getField(value, 'roles')).flatMap((one): ContractRole[] => {
    const name = toText(getField(one, 'role'))
    if (name === undefined) return []
    const description = toText(getField(one, 'description')) ?? toText(getField(one, 'access'))
    return [{ name, ...(description !== undefined && { description }) }]
  })
}

function toList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

function toText(value: Value | undefined): string | undefined {
  const text = typeof value === 'number' ? String(value) : asText(value)
  return text === undefined || text.trim() === '' ? undefined : text
}
