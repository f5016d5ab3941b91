import {
  namesDefinition,
  readDefinitionAddress,
} from '../../../formats/data-contract/definition-uses.ts'
import type { DataContract } from '../../../formats/data-contract/data-contract.ts'
import {
  getField,
  isObject,
  asText,
  valueAt,
  type Path,
  type Value,
} from '../../../formats/text/value.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The texts and links of a contract in any format. */
export interface AboutContract {
  /** Headings with their texts: purpose, usage, limitations, terms. */
  texts: [title: string, text: string][]
  links: { title: string; href: string }[]
  /** Everything else that no other part of the page shows. */
  more: [name: string, value: Value][]
}

const TEXTS: Readonly<Record<DataContract['format'], readonly (readonly [string, Path])[]>> = {
  odcs: [
    ['Purpose', ['description', 'purpose']],
    ['Usage', ['description', 'usage']],
    ['Limitations', ['description', 'limitations']],
  ],
  dcs: [
    ['Purpose', ['info', 'description']],
    ['Usage', ['terms', 'usage']],
    ['Limitations', ['terms', 'limitations']],
    ['Billing', ['terms', 'billing']],
    ['Notice period', ['terms', 'noticePeriod']],
  ],
}

// What the head of the page, its panels and its views show already.
const SHOWN_ELSEWHERE: Readonly<Record<DataContract['format'], readonly string[]>> = {
  odcs: [
    ...'apiVersion kind id uuid name version status domain tags description servers'.split(' '),
    ...'schema dataset slaProperties authoritativeDefinitions customProperties'.split(' '),
    ...'context quantumName datasetName datasetDomain team support'.split(' '),
  ],
  dcs: [
    ...'dataContractSpecification id info tags servers models definitions schema'.split(' '),
    ...'servicelevels quality links terms'.split(' '),
  ],
}

const NAMES = newTable<string>({
  roles: 'Roles',
  price: 'Price',
  tenant: 'Tenant',
  dataProduct: 'Data product',
  contractCreatedTs: 'Created (in the document)',
  slaDefaultElement: 'Service levels apply to',
  contact: 'Contact',
  policies: 'Policies',
})

/** Reads the texts and links of a contract. */
export function aboutContract(format: DataContract['format'], value: Value): AboutContract {
  const texts = TEXTS[format].flatMap(([title, path]): [string, string][] => {
    const text = asText(valueAt(value, path))
    return text === undefined || text.trim() === '' ? [] : [[title, text]]
  })
  const shown = new Set(SHOWN_ELSEWHERE[format])
  const rest = getEntries(value).filter(([name]) => !shown.has(name))
  const own = format === 'dcs' ? restOfDcs(value) : []
  const more = [...rest, ...own].map(([name, one]): [string, Value] => [NAMES[name] ?? name, one])
  return { texts, links: getLinks(value), more }
}

function restOfDcs(value: Value): [string, Value][] {
  const info = getEntries(getField(value, 'info')).filter(
    ([name]) => !['title', 'version', 'status', 'description', 'owner'].includes(name),
  )
  const terms = getEntries(getField(value, 'terms')).filter(
    ([name]) => !['usage', 'limitations', 'billing', 'noticePeriod'].includes(name),
  )
  return [...info, ...terms]
}

function getLinks(value: Value): AboutContract['links'] {
  const definitions = listDefinitions(getField(value, 'authoritativeDefinitions'))
  const links = getEntries(getField(value, 'links')).flatMap(([title, one]) => {
    const href = asText(one)
    return href === undefined ? [] : [{ title, href }]
  })
  return [...definitions, ...links]
}

/** An address that a document names as the authority on a contract or field. */
interface AuthoritativeDefinition {
  title: string
  href: string
  /** The id of the definition of the glossary that it leads to. */
  definitionId?: string
}

/** Lists authoritative definitions that have an address. */
export function listDefinitions(list: Value | undefined): AuthoritativeDefinition[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one): AuthoritativeDefinition[] => {
    const href = asText(getField(one, 'url'))
    if (href === undefined) return []
    const definitionId = namesDefinition(one) ? readDefinitionAddress(href) : undefined
    const words = ['description', 'type'].flatMap((name) => asText(getField(one, name)) ?? [])
    const title = words.length === 0 ? href : words.join(' · ')
    return [{ title, href, ...(definitionId === undefined ? {} : { definitionId }) }]
  })
}

function getEntries(value: Value | undefined): [string, Value][] {
  return isObject(value) ? Object.entries(value) : []
}
