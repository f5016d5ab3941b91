// Compares two servers by what connects to them: names of one product, stated defaults, notations of ports and hosts,
// and encodings.

import { any, resolveShape } from '../shape/shape.ts'
import { asText, getField, isObject, type ObjectValue, type Value } from '../text/value.ts'
import { hasVariable } from '../text/variables.ts'
import type { Change } from './level.ts'
import { isSame } from './same.ts'
import { changeSentence } from './sentence.ts'
import type { Step, Walk } from './walk.ts'

// Names of one product (ODCS 3.2.0, `Server.type`).
const TYPE_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['postgresql', 'postgres'],
  ['fastobjects', 'poet'],
  ['btrieve', 'zen'],
])

type Defaults = { readonly [field: string]: string }

const UTF_8: Defaults = { encoding: 'utf-8' }

// The defaults of ODCS 3.2.0, by type.
const DEFAULTS: ReadonlyMap<string, Defaults> = new Map<string, Defaults>([
  ['athena', { catalog: 'awsdatacatalog' }],
  ['azure', UTF_8],
  ['custom', UTF_8],
  ['exasol', { port: '8563' }],
  ['glue', UTF_8],
  ['ingres', { port: '21064' }],
  ['kafka', { ...UTF_8, format: 'json' }],
  ['kinesis', UTF_8],
  ['local', UTF_8],
  ['poet', { host: 'local', port: '6001' }],
  ['s3', UTF_8],
  ['sftp', UTF_8],
  ['sqlserver', { port: '1433' }],
  ['teradata', { port: '1025' }],
  ['vectorwise', { port: '21064' }],
  ['versant', { host: 'localhost', port: '5019' }],
])

const ENCODING_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['utf8', 'utf-8'],
  ['us-ascii', 'ascii'],
  ['latin1', 'iso-8859-1'],
])

// Encodings in which every ASCII text is the same bytes.
const WIDER_THAN_ASCII: ReadonlySet<string> = new Set(['utf-8', 'iso-8859-1', 'windows-1252'])

/**
 * Compares two servers and reports their changes; returns false unless both are objects. `hasDefaults`: absent fields
 * have the defaults of ODCS.
 */
export function reportServer(
  step: Step,
  walk: Walk,
  { hasDefaults }: { hasDefaults: boolean },
): boolean {
  const { before, after, shape } = step
  const rule = resolveShape(shape, after ?? null)
  if (!isObject(before) || !isObject(after)) return false
  if (rule.kind !== 'object' && rule.kind !== 'map') return false
  const types = { before: toType(before), after: toType(after) }
  const reported: string[] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inside = walk.inside(step, name, rule)
    const defaults = (type: string) => (hasDefaults ? DEFAULTS.get(type)?.[name] : undefined)
    const from = normalize(name, inside.before) ?? defaults(types.before)
    const to = normalize(name, inside.after) ?? defaults(types.after)
    const verdict = from === undefined || to === undefined ? undefined : compare(name, from, to)
    if (verdict === undefined) continue
    reported.push(name)
    if (isWritten(inside.before, inside.after)) report(inside, walk, verdict)
  }
  walk.fields(step, rule, reported)
  return true
}

interface Verdict {
  level: Change['level']
  reason: string
}

// Undefined if the rules decide.
function compare(name: string, before: string, after: string): Verdict | undefined {
  if (before === after) return { level: 'wording', reason: 'it means the same' }
  if (name !== 'encoding') return undefined
  return after === 'ascii' && WIDER_THAN_ASCII.has(before)
    ? { level: 'additive', reason: 'every text in ASCII is one in the old encoding' }
    : { level: 'breaking', reason: 'consumers decode the data by the old encoding' }
}

function isWritten(before: Value | undefined, after: Value | undefined): boolean {
  return before === undefined || after === undefined || !isSame(before, after, any)
}

function report(step: Step, walk: Walk, { level, reason }: Verdict): void {
  const { before, after, owner, field } = step
  walk.report(step, {
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    level,
    before: before ?? null,
    after: after ?? null,
    message: changeSentence([owner, field].filter(Boolean).join(': '), before, after, reason),
  })
}

function toType(server: ObjectValue): string {
  return normalize('type', getField(server, 'type')) ?? ''
}

// Two notations with the same result mean the same. Undefined if the value is neither a number nor a text.
function normalize(name: string, value: Value | undefined): string | undefined {
  const text = typeof value === 'number' ? String(value) : asText(value)
  if (text === undefined || text === '' || hasVariable(text)) return text || undefined
  const word = text.trim().toLowerCase()
  switch (name) {
    case 'type':
      return TYPE_SYNONYMS.get(word) ?? word
    case 'encoding':
      return ENCODING_SYNONYMS.get(word) ?? word
    case 'port':
      return /^\d+$/.test(word) ? word.replace(/^0+(?=\d)/, '') : word
    case 'host':
      return word
    default:
      return text.replace(ADDRESS, (address) => address.toLowerCase())
  }
}

// The scheme and the host of an address ignore case; a user and a path do not.
const ADDRESS = /^(?:https?|sftp):\/\/(?:[^/?#@]*(?=[/?#]|$))/i
