// Reads access agreements of Bitol (OAAS) as the agreements that clients of the catalog send.

import { readAgreement, type SentAgreement } from '../../agreement/agreement.ts'
import { checkId } from '../../data-product/fields.ts'
import { withoutNulls } from '../../shape/nulls.ts'
import { readDocument } from '../../shape/read-document.ts'
import { compareText, type Notes, type Problem } from '../../text/problem.ts'
import type { SourceText } from '../../text/text.ts'
import { asText, clip, formatPath, getField, isObject, put, valueAt } from '../../text/value.ts'
import type { ObjectValue, Path, Value } from '../../text/value.ts'
import { checkVersion } from '../version.ts'
import {
  CUSTOM_PREFIX,
  fromNamed,
  isOaas,
  isSameList,
  LINKS,
  listItems,
  OAAS_KIND,
  OAAS_SHAPE,
  OAAS_VERSIONS,
  OTHER_TEXTS,
  PROPERTIES,
  readDay,
  SECTIONS,
  STATE_PROPERTY,
  toNamed,
  toRoles,
} from './document.ts'

/** A member that the catalog keeps differently, or a remark, with its position. */
interface Remark {
  path: string
  message: string
}

/** The values of a document for members that the catalog decides; undefined = it has none. */
interface StatedMembers {
  status: string
  providerTeam: string
  consumerTeam: string | undefined
  contractId: string | undefined
  contractVersion: string | undefined
}

/** The remarks about a document, and its members that the catalog decides. */
export interface OaasRemarks {
  stated: StatedMembers
  warnings: Remark[]
  losses: Remark[]
}

/** An agreement that was read, or all its problems, sorted by field. */
type OaasReading =
  | (OaasRemarks & {
      ok: true
      agreement: SentAgreement
      /** The agreement as a client of the catalog sends it. */
      value: Value
      canonical: string
    })
  | { ok: false; problems: readonly Problem[]; isUnsupported: boolean }

const DAYS = [
  ['startTimestamp', 'startDate'],
  ['endTimestamp', 'endDate'],
  ['nextReassessmentTimestamp', 'nextReassessmentDate'],
] as const

// The members of agreements that have another name in the standard.
const PLACES: ReadonlyMap<string, Path> = new Map<string, Path>([
  ['info', ['description']],
  ['info.purpose', ['description', 'purpose']],
  ['info.individualAgreements', ['description', 'terms']],
  ...DAYS.map(([field, name]): [string, Path] => [`info.${name}`, [field]]),
  ['links', [LINKS.field]],
  ['custom', [PROPERTIES.field]],
])

/** Reads an access agreement. `id` is the id under which it is stored. Never throws. */
export function readOaas(source: SourceText, id: string): OaasReading {
  const warnings: Remark[] = []
  const version = checkVersion(asText(getField(source.value, 'apiVersion')), OAAS_VERSIONS)
  if (version.problem !== undefined) {
    const problem = { field: 'apiVersion', message: toSentence(version.problem) }
    return {
      ok: false,
      isUnsupported: true,
      problems: [{ ...problem, ...source.locate(['apiVersion']) }],
    }
  }
  if (version.warning !== undefined) {
    warnings.push({ path: 'apiVersion', message: toSentence(version.warning) })
  }
  const document = withoutNulls(source.spelled(), OAAS_SHAPE)
  const checked = readDocument({ ...source, value: document }, { id, strict: true }, (notes) => ({
    shape: OAAS_SHAPE,
    read: () => checkFields(document, id, notes),
  }))
  const { value, losses } = convert(document, warnings)
  const reading = readAgreement({ ...source, value, locate: locateIn(source) }, id)
  if (checked.ok && reading.ok) {
    const { agreement, canonical } = reading
    return { ok: true, agreement, value, canonical, stated: readStated(document), warnings, losses }
  }
  return {
    ok: false,
    isUnsupported: false,
    problems: mergeProblems(checked.ok ? [] : checked.problems, reading.ok ? [] : reading.problems),
  }
}

/**
 * Converts an access agreement to an agreement as a client of the catalog sends it, without the members that the catalog
 * decides. The text was accepted before.
 */
export function convertOaas(value: Value): Value {
  return convert(withoutNulls(value, OAAS_SHAPE), []).value
}

function checkFields(document: Value, id: string, notes: Notes): true {
  checkId(asText(getField(document, 'id')), ['id'], id, notes)
  const kind = getField(document, 'kind')
  if (typeof kind === 'string' && !isOaas(document)) {
    notes.error(['kind'], `The kind "${clip(kind)}" is not "${OAAS_KIND}".`)
  }
  for (const [field] of DAYS) {
    const text = asText(getField(document, field))
    if (text !== undefined && readDay(text, field === 'endTimestamp') === undefined) {
      notes.error([field], 'Use an instant such as "2026-07-01T00:00:00Z".')
    }
  }
  const consumer = getField(document, 'consumer')
  const [product, team] = ['dataProductId', 'teamId'].map((name) => getField(consumer, name))
  if (product !== undefined && team === undefined) {
    notes.error(['consumer', 'teamId'], 'A consuming data product needs its team; give the teamId.')
  }
  return true
}

function convert(document: Value, warnings: Remark[]): { value: Value; losses: Remark[] } {
  const losses: Remark[] = []
  const info: ObjectValue = {}
  put(info, 'purpose', valueAt(document, ['description', 'purpose']))
  put(info, 'individualAgreements', valueAt(document, ['description', 'terms']))
  for (const [field, name] of DAYS) put(info, name, convertDay(document, field, losses))
  const value: ObjectValue = { info, provider: {}, consumer: {} }
  put(value, 'id', getField(document, 'id'))
  value['provider'] = pick(getField(document, 'provider'), ['dataProductId', 'outputPortId'])
  value['consumer'] = convertConsumer(getField(document, 'consumer'))
  const custom = listOthers(document, warnings)
  const roles = listItems(getField(document, 'roles'))
  const names = roles.map((item) => getField(item, 'role')).filter((role) => role !== undefined)
  if (roles.length > 0) value['roles'] = names
  if (!isSameList(roles, toRoles(names.map(String), []))) custom['roles'] = [...roles]
  put(value, 'tags', getField(document, 'tags'))
  const links = listItems(getField(document, LINKS.field))
  const named = toNamed(links, LINKS)
  if (Object.keys(named).length > 0) value['links'] = named
  if (!isSameList(links, fromNamed(named, [], LINKS))) custom[LINKS.field] = [...links]
  // The catalog decides its own property.
  const properties = listItems(getField(document, PROPERTIES.field)).filter(
    (item) => getField(item, PROPERTIES.name) !== STATE_PROPERTY,
  )
  const members = toNamed(properties, PROPERTIES)
  if (!isSameList(properties, fromNamed(members, [], PROPERTIES))) {
    custom[PROPERTIES.field] = [...properties]
  }
  const others = Object.entries(custom).map(([path, one]) => [`${CUSTOM_PREFIX}${path}`, one])
  const all = Object.fromEntries([...Object.entries(members), ...others])
  if (Object.keys(all).length > 0) value['custom'] = all
  return { value, losses }
}

function convertDay(document: Value, field: string, losses: Remark[]): Value | undefined {
  const value = getField(document, field)
  const text = asText(value)
  // The check of the document reports other values.
  if (text === undefined) return undefined
  const isEnd = field === 'endTimestamp'
  const read = readDay(text, isEnd)
  if (read?.isRounded === true) {
    const kept = isEnd ? `the agreement ends when ${read.day} begins` : `${read.day} is kept`
    losses.push({ path: field, message: `Agreements have days without a time: ${kept}.` })
  }
  return read?.day
}

function convertConsumer(consumer: Value | undefined): ObjectValue {
  const isProduct = getField(consumer, 'dataProductId') !== undefined
  // The catalog decides the team of a data product.
  return pick(consumer, isProduct ? ['dataProductId', 'userId'] : ['teamId', 'userId'])
}

function pick(value: Value | undefined, names: readonly string[]): ObjectValue {
  const picked: ObjectValue = {}
  for (const name of names) put(picked, name, getField(value, name))
  return picked
}

// The fields that agreements have no member for, by their paths.
function listOthers(document: Value, warnings: Remark[]): ObjectValue {
  const others = new Map<string, Value>()
  const parts = [
    { prefix: '', shape: OAAS_SHAPE, value: document },
    ...SECTIONS.map((name) => ({
      prefix: `${name}.`,
      shape: OAAS_SHAPE.fields.get(name),
      value: getField(document, name),
    })),
  ]
  for (const { prefix, shape, value } of parts) {
    if (!isObject(value) || shape?.kind !== 'object') continue
    for (const [name, member] of Object.entries(value)) {
      const path = `${prefix}${name}`
      if (OTHER_TEXTS.has(path)) others.set(path, member)
      if (shape.fields.has(name)) continue
      const isKept = isKeptName(name)
      if (isKept) others.set(path, member)
      const message = isKept ? 'It is kept.' : 'Only the text that was sent keeps it.'
      warnings.push({
        path: formatPath(path.split('.')),
        message: `This field is not part of OAAS ${OAAS_VERSIONS.at(-1)}. ${message}`,
      })
    }
  }
  return Object.fromEntries(others)
}

// Other names look like the path of a nested field.
function isKeptName(name: string): boolean {
  return name !== '' && !name.includes('.')
}

function readStated(document: Value): StatedMembers {
  const read = (...path: string[]) => asText(valueAt(document, path))
  const isProduct = read('consumer', 'dataProductId') !== undefined
  return {
    status: read('status') ?? '',
    providerTeam: read('provider', 'teamId') ?? '',
    consumerTeam: isProduct ? read('consumer', 'teamId') : undefined,
    contractId: read('provider', 'dataContractId'),
    contractVersion: read('provider', 'dataContractVersion'),
  }
}

function locateIn(source: SourceText): SourceText['locate'] {
  return (path) => source.locate(PLACES.get(path.slice(0, 2).join('.')) ?? path)
}

// Both check the fields that have the same name.
function mergeProblems(checked: readonly Problem[], read: readonly Problem[]): Problem[] {
  const fields = new Set(checked.map(({ field }) => field))
  const renamed = read.map((problem) => {
    const place = PLACES.get(problem.field)
    return place === undefined ? problem : { ...problem, field: formatPath(place) }
  })
  // A problem of a list is one of its items, too.
  const others = renamed.filter(
    ({ field }) => !fields.has(field) && !fields.has(field.replace(/\[\d+\]$/, '')),
  )
  return [...checked, ...others].toSorted((a, b) => compareText(a.field, b.field))
}

function toSentence(clause: string): string {
  return `The version ${clause}.`
}
