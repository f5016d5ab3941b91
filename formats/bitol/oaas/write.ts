// Writes agreements as access agreements of Bitol (OAAS v0.9.0).

import { withCatalogMembers, type CatalogMembers } from '../../agreement/agreement.ts'
import { listTexts } from '../../data-product/fields.ts'
import { asText, getField, isObject, put, valueAt } from '../../text/value.ts'
import type { ObjectValue, Value } from '../../text/value.ts'
import {
  CUSTOM_PREFIX,
  fromNamed,
  LINKS,
  listItems,
  OAAS_KIND,
  OAAS_SHAPE,
  OAAS_VERSIONS,
  PROPERTIES,
  SECTIONS,
  STATE_PROPERTY,
  toRoles,
  writeDay,
} from './document.ts'

/** The members of an agreement that the catalog decides. */
export interface OaasMembers extends Omit<CatalogMembers, 'active'> {
  id: string
  /** Whether it was canceled. */
  isCanceled: boolean
}

/** An access agreement, and what it does not contain. */
interface WrittenOaas {
  document: ObjectValue
  losses: { path: string; message: string }[]
}

/** Returns the word of the standard for the decision on an agreement. */
export function toOaasStatus({ status, isCanceled }: Pick<OaasMembers, 'status' | 'isCanceled'>) {
  return isCanceled && status !== 'approved' ? 'rejected' : status
}

/** Returns the custom property of a canceled agreement. */
export function toStateProperty(): ObjectValue {
  return { property: STATE_PROPERTY, value: 'canceled' }
}

/** Writes an agreement. `stored` is the document as a client of the catalog sent it. */
export function writeOaas(stored: Value, members: OaasMembers): WrittenOaas {
  const sent = withCatalogMembers(stored, { ...members, active: false })
  const { terms } = members
  const document: ObjectValue = {
    apiVersion: OAAS_VERSIONS.at(-1) ?? '',
    kind: OAAS_KIND,
    id: members.id,
  }
  const losses = listLosses(stored)
  putOther(document, 'name', sent, losses)
  putOther(document, 'version', sent, losses)
  document['status'] = toOaasStatus(members)
  document['description'] = toDescription(sent, losses)
  put(document, 'startTimestamp', toInstant(terms.startOn))
  put(document, 'endTimestamp', toInstant(terms.endOn))
  put(document, 'nextReassessmentTimestamp', toInstant(terms.reassessOn))
  document['provider'] = toProvider(sent, members)
  document['consumer'] = toConsumer(sent, members)
  if (terms.roles.length > 0) {
    document['roles'] = toRoles(terms.roles, listItems(readCustom(sent, 'roles')))
  }
  const tags = listTexts(getField(sent, 'tags'))
  if (tags.length > 0) document['tags'] = tags
  putList(document, LINKS.field, toLinks(sent, losses))
  putList(document, PROPERTIES.field, toProperties(sent, members))
  addUnknownFields(document, sent)
  return { document, losses }
}

function toInstant(day: string | null): string | undefined {
  return day === null ? undefined : writeDay(day)
}

function readCustom(sent: Value, path: string): Value | undefined {
  return valueAt(sent, ['custom', `${CUSTOM_PREFIX}${path}`])
}

// The field whose path ends the name of a member of `custom`.
function putOther(
  target: ObjectValue,
  path: string,
  sent: Value,
  losses: WrittenOaas['losses'],
): void {
  const value = readCustom(sent, path)
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (typeof value === 'string') target[name] = value
  else if (value !== undefined) {
    losses.push({ path: `custom.${CUSTOM_PREFIX}${path}`, message: 'The field has to be a text.' })
  }
}

function toDescription(sent: Value, losses: WrittenOaas['losses']): ObjectValue {
  const description: ObjectValue = {}
  put(description, 'purpose', valueAt(sent, ['info', 'purpose']))
  putOther(description, 'description.usage', sent, losses)
  putOther(description, 'description.limitations', sent, losses)
  put(description, 'terms', valueAt(sent, ['info', 'individualAgreements']))
  return description
}

function toProvider(sent: Value, members: OaasMembers): ObjectValue {
  const { providerTeam, contractId, contractVersion } = members
  const provider: ObjectValue = { teamId: providerTeam }
  put(provider, 'dataProductId', valueAt(sent, ['provider', 'dataProductId']))
  put(provider, 'outputPortId', valueAt(sent, ['provider', 'outputPortId']))
  put(provider, 'dataContractId', contractId ?? undefined)
  put(provider, 'dataContractVersion', contractVersion ?? undefined)
  return provider
}

function toConsumer(sent: Value, { consumerTeam }: OaasMembers): ObjectValue {
  const consumer: ObjectValue = {}
  const read = (name: string) => asText(valueAt(sent, ['consumer', name])) || undefined
  const productId = read('dataProductId')
  put(consumer, 'teamId', productId === undefined ? read('teamId') : (consumerTeam ?? undefined))
  put(consumer, 'dataProductId', productId)
  put(consumer, 'userId', read('userId'))
  return consumer
}

function toLinks(sent: Value, losses: WrittenOaas['losses']): Value[] {
  const links = toObject(getField(sent, 'links'))
  const texts = Object.entries(links).filter(([name, url]) => {
    if (typeof url === 'string') return true
    losses.push({ path: `links.${name}`, message: 'The form has only links that are texts.' })
    return false
  })
  return fromNamed(Object.fromEntries(texts), listItems(readCustom(sent, LINKS.field)), LINKS)
}

function toProperties(sent: Value, { isCanceled }: OaasMembers): Value[] {
  const custom = Object.entries(toObject(getField(sent, 'custom')))
  const own = custom.filter(([name]) => !name.startsWith(CUSTOM_PREFIX) && name !== STATE_PROPERTY)
  const kept = listItems(readCustom(sent, PROPERTIES.field))
  const properties = fromNamed(Object.fromEntries(own), kept, PROPERTIES)
  return isCanceled ? [...properties, toStateProperty()] : properties
}

function putList(document: ObjectValue, name: string, items: Value[]): void {
  if (items.length > 0) document[name] = items
}

const SECTION_NAMES: ReadonlySet<string> = new Set(SECTIONS)

// Fields of other versions, which were kept under their paths. Those of this version come from the agreement.
function addUnknownFields(document: ObjectValue, sent: Value): void {
  for (const [key, value] of Object.entries(toObject(getField(sent, 'custom')))) {
    if (!key.startsWith(CUSTOM_PREFIX)) continue
    const path = key.slice(CUSTOM_PREFIX.length).split('.')
    const [first = '', second] = path
    if (path.length === 1 && !OAAS_SHAPE.fields.has(first)) setOwn(document, first, value)
    if (path.length !== 2 || second === undefined || !SECTION_NAMES.has(first)) continue
    const shape = OAAS_SHAPE.fields.get(first)
    const section = document[first]
    const isKnown = shape?.kind === 'object' && shape.fields.has(second)
    if (!isKnown && isObject(section)) setOwn(section, second, value)
  }
}

// A field named `__proto__` is a field like any other.
function setOwn(target: ObjectValue, name: string, value: Value): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

// The members of agreements that have a place in the standard, or that follow from the others.
const EXPRESSED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'info',
    new Set([
      'purpose',
      'individualAgreements',
      'status',
      'active',
      'startDate',
      'endDate',
      'nextReassessmentDate',
    ]),
  ],
  [
    'provider',
    new Set(['teamId', 'dataProductId', 'outputPortId', 'dataContractId', 'dataContractVersion']),
  ],
  ['consumer', new Set(['teamId', 'dataProductId', 'userId'])],
])

const OTHERS = new Set([
  'id',
  'roles',
  'tags',
  'links',
  'custom',
  // The version of the form in which clients of the catalog send agreements.
  'dataUsageAgreementSpecification',
  // The catalog adds the reports of connectors.
  'provisioning',
])

function listLosses(sent: Value): WrittenOaas['losses'] {
  return Object.entries(toObject(sent)).flatMap(([name, value]) => {
    if (OTHERS.has(name) || value === null) return []
    const expressed = EXPRESSED.get(name)
    const lost =
      expressed === undefined
        ? [name]
        : Object.keys(toObject(value))
            .filter((member) => !expressed.has(member) && getField(value, member) !== null)
            .map((member) => `${name}.${member}`)
    return lost.map((path) => ({ path, message: 'The form has no such member.' }))
  })
}

function toObject(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {}
}
