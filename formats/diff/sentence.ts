// Describes a change in one sentence.

import { clip, getField, jsonText, asText, type Value } from '../text/value.ts'
import type { ChangeKind } from './level.ts'

const LONG_CHARS = 60

const LISTS: ReadonlyMap<string, { noun: string; namedBy: string }> = new Map([
  ['outputPorts', { noun: 'Output port', namedBy: 'name' }],
  ['inputPorts', { noun: 'Input port', namedBy: 'name' }],
  ['managementPorts', { noun: 'Management port', namedBy: 'name' }],
  ['servers', { noun: 'Server', namedBy: 'server' }],
  ['roles', { noun: 'Role', namedBy: 'role' }],
  ['slaProperties', { noun: 'Service level', namedBy: 'property' }],
  ['customProperties', { noun: 'Custom property', namedBy: 'property' }],
  ['authoritativeDefinitions', { noun: 'Link', namedBy: 'type' }],
  ['synonyms', { noun: 'Synonym', namedBy: 'synonym' }],
])

/** Returns a noun for a member of a list, `Output port "orders"`; undefined for lists whose members have no names. */
export function nounFor(list: string, item: Value, isOdps: boolean): string | undefined {
  if (list === 'tags') return `Tag ${quote(item)}`
  const entry = LISTS.get(list)
  if (entry === undefined) return undefined
  const isDpsPort = !isOdps && list.endsWith('Ports')
  const name = asText(getField(item, isDpsPort ? 'id' : entry.namedBy))
  const version =
    isOdps && list.endsWith('putPorts') ? asText(getField(item, 'version')) : undefined
  const suffix =
    version === undefined || version === '' ? '' : ` version ${clip(version, LONG_CHARS)}`
  return name === undefined ? entry.noun : `${entry.noun} ${quote(name)}${suffix}`
}

/**
 * Describes a change of a value: `status changed from "draft" to "active".` Values that are undefined or long are
 * omitted.
 */
export function sentence(
  subject: string,
  kind: ChangeKind,
  before: Value | undefined,
  after: Value | undefined,
): string {
  if (kind === 'added') return `${subject} was added${formatDetail(': ', after)}.`
  if (kind === 'removed') return `${subject} was removed${formatDetail('; it was ', before)}.`
  if (isBlank(before) && isBlank(after))
    return `${subject} is still empty, but in a different notation.`
  const from = formatDetail(' from ', before)
  const to = formatDetail(' to ', after)
  return from === '' || to === '' ? `${subject} changed.` : `${subject} changed${from}${to}.`
}

const WAS_DEPRECATED = ' It was deprecated.'

/** Adds to a message about a removed or renamed part that it was deprecated, if it was. */
export function describeRemoval(message: string, { deprecated }: { deprecated?: boolean }): string {
  return deprecated === true ? `${message}${WAS_DEPRECATED}` : message
}

/** Names in the message about a removed part when its deprecation was announced, such as `in version 3 on 2026-11-27`. */
export function describeAnnouncedRemoval(message: string, announced: string): string {
  const removal = message.endsWith(WAS_DEPRECATED)
    ? message.slice(0, -WAS_DEPRECATED.length)
    : message
  return `${removal} Its deprecation was announced ${announced}.`
}

// Properties with a name in the plural: `allowed values`, `clauses of the foreign key`.
const PLURAL =
  /: (?:clauses of [\w ]+|(?:[\w-]+ )*(?:aliases|constraints|dimensions|keys|names|numbers|policies|ranges|references|tables|tags|values))$/

/**
 * Describes a change of a part of a model and its reason: `Field orders.id: type changed from int to bigint; …`.
 * Undefined = the value is absent.
 */
export function changeSentence(
  subject: string,
  before: Value | undefined,
  after: Value | undefined,
  reason: string,
): string {
  const [from, to] = [toShortText(before), toShortText(after)]
  const was = PLURAL.test(subject) ? 'were' : 'was'
  if (before === undefined) return `${subject} ${was} added${to && `: ${to}`}; ${reason}.`
  if (after === undefined) return `${subject} ${was} removed${from && ` (${from})`}; ${reason}.`
  return from === '' || to === '' || from === to
    ? `${subject} changed; ${reason}.`
    : `${subject} changed from ${from} to ${to}; ${reason}.`
}

// Only short values are shown; types and names appear as written.
function toShortText(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.length <= LONG_CHARS && !text.includes('\n') ? text : ''
}

function formatDetail(before: string, value: Value | undefined): string {
  if (value === undefined) return ''
  const text = quote(value)
  return text.length <= LONG_CHARS ? `${before}${text}` : ''
}

function isBlank(value: Value | undefined): boolean {
  return value === null || value === ''
}

function quote(value: Value): string {
  return typeof value === 'string' ? `"${clip(value)}"` : clip(jsonText(value))
}
