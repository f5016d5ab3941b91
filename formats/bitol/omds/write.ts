// Writes differences as a metadata difference of Bitol: OMDS v1.0.0, the text of RFC 0039 of July 2026.
// https://github.com/bitol-io/tsc/tree/main/rfcs

import type { Aspect } from '../../diff/model-changes.ts'
import type { Change, Level } from '../../diff/level.ts'
import { asText, getField, jsonText, put, valueAt } from '../../text/value.ts'
import type { ObjectValue, Path, Value } from '../../text/value.ts'
import { findLeaf } from './leaf.ts'
import { findKey, PathWriter, writeBracket } from './path.ts'
import { levelByRfc } from './rfc-levels.ts'
import { raiseVersion } from './version.ts'

/** One of the two documents, in its ODCS or ODPS form. */
interface ComparedDocument {
  id: string
  /** The version that the document states. */
  version: string | undefined
  /** The number of the version in the catalog; undefined for a draft. */
  catalogVersion: number | undefined
  /** The address of the version. */
  address: string | undefined
  value: Value
}

/** Two documents and the changes between them. */
export interface Difference {
  kind: 'DataContract' | 'DataProduct'
  before: ComparedDocument
  after: ComparedDocument
  changes: readonly Change[]
  /** The properties of models and fields that changes are about. */
  aspects: ReadonlyMap<Change, Aspect>
  /** Whether levels are those of the RFC's tables instead of Portbook's. */
  byRfc: boolean
  /** Of the catalog: `Portbook 0.1.0`. */
  generatedBy: string
  /** RFC 3339, UTC. */
  comparedAt: string
}

/** A metadata difference, and what it does not contain. */
interface WrittenDifference {
  document: ObjectValue
  losses: { path: string; message: string }[]
}

// Longer values would make a difference larger than both documents.
const VALUE_BYTES_MAX = 16_384

const TYPES = { added: 'ADD', removed: 'REMOVE', changed: 'CHANGE', renamed: 'CHANGE' } as const
const IMPACTS = { breaking: 'MAJOR', additive: 'MINOR', wording: 'PATCH' } as const
const RANKS: readonly Level[] = ['none', 'wording', 'additive', 'breaking']

/** Writes a metadata difference. A renamed part has the old name in its path. */
export function writeDifference(difference: Difference): WrittenDifference {
  const { kind, before, after, changes, byRfc } = difference
  const writer = new DifferenceWriter(difference)
  const diffs = changes.map((change) => writer.entry(change))
  const counts = { major: 0, minor: 0, patch: 0 }
  for (const { level } of diffs) {
    if (level === 'breaking') counts.major += 1
    else if (level === 'additive') counts.minor += 1
    else counts.patch += 1
  }
  const highest = RANKS.findLast((level) => diffs.some((entry) => entry.level === level)) ?? 'none'
  const document: ObjectValue = {
    apiVersion: 'v1.0.0',
    kind: 'MetadataDifference',
    sourceKind: kind,
    source1: toSource(before),
    source2: toSource(after),
    scope: 'all',
    impact: counts,
  }
  put(document, 'suggestedVersion', raiseVersion(before.version, highest))
  document.diffs = diffs.map(({ entry }) => entry)
  document.customProperties = [
    { property: 'generatedBy', value: difference.generatedBy },
    { property: 'comparedAt', value: difference.comparedAt },
    { property: 'catalogVersion1', value: before.catalogVersion ?? 'draft' },
    { property: 'catalogVersion2', value: after.catalogVersion ?? 'draft' },
    { property: 'impactRules', value: byRfc ? 'rfc0039' : 'portbook' },
  ]
  return { document, losses: writer.losses }
}

function toSource({ id, version, catalogVersion, address }: ComparedDocument): ObjectValue {
  const stated = version === undefined || version === '' ? undefined : version
  const source: ObjectValue = { id, version: stated ?? `0.0.0+${catalogVersion ?? 'draft'}` }
  put(source, 'canonicalUrl', address)
  return source
}

interface Entry {
  entry: ObjectValue
  level: Change['level']
}

class DifferenceWriter {
  readonly losses: WrittenDifference['losses'] = []
  readonly #difference: Difference
  readonly #before: PathWriter
  readonly #after: PathWriter

  constructor(difference: Difference) {
    this.#difference = difference
    this.#before = new PathWriter(difference.before.value)
    this.#after = new PathWriter(difference.after.value)
  }

  entry(change: Change): Entry {
    const { kind, message } = change
    const steps = this.#locate(change)
    const names = kind === 'renamed' ? readNames(change) : undefined
    const field = names?.key ?? nameField(steps)
    const path = this.#write(change, steps, names)
    const level = this.#getLevel(change, steps, field)
    const entry: ObjectValue = { type: TYPES[kind], section: String(steps[0] ?? ''), field, path }
    const { before, after } = names ?? change
    const left = [
      kind === 'added' ? undefined : putValue(entry, 'value1', before),
      kind === 'removed' ? undefined : putValue(entry, 'value2', after),
    ].filter((name) => name !== undefined)
    const note = left.length === 0 ? '' : `${left.join(' and ')}: longer than 16 KB, left out.`
    if (note !== '') this.losses.push({ path, message: note })
    entry.message = note === '' ? message : `${message} ${note}`
    entry.impactLevel = IMPACTS[level]
    return { entry, level }
  }

  #getLevel(change: Change, steps: Path, field: string): Change['level'] {
    const { byRfc, kind } = this.#difference
    if (!byRfc) return change.level
    return levelByRfc(change, steps, { field, isProduct: kind === 'DataProduct' })
  }

  // A removed part is in the older document, every other one in the newer.
  #locate(change: Change): Path {
    const { before, after, aspects } = this.#difference
    const isRemoved = change.kind === 'removed' && !aspects.has(change)
    const steps = (isRemoved ? this.#before : this.#after).toSteps(change.path)
    const aspect = aspects.get(change)
    if (aspect === undefined || change.kind === 'renamed') return steps
    return [
      ...steps,
      ...findLeaf(aspect, change, valueAt((isRemoved ? before : after).value, steps)),
    ]
  }

  #write(change: Change, steps: Path, names: Names | undefined): string {
    const isRemoved = change.kind === 'removed' && !this.#difference.aspects.has(change)
    const path = (isRemoved ? this.#before : this.#after).write(steps)
    if (names === undefined) return path
    return `${path.replace(/\[[^[]*\]$/, writeBracket([[names.key, names.before]]))}/${names.key}`
  }
}

interface Names {
  key: string
  before: string
  after: string
}

// A model or field is given by its name, other members as a whole.
function readNames({ before, after }: Change): Names | undefined {
  const key = findKey(before) ?? 'name'
  const [older, newer] = [before, after].map((part) => asText(part) ?? asText(getField(part, key)))
  return older === undefined || newer === undefined
    ? undefined
    : { key, before: older, after: newer }
}

// Returns the name of the member if the value is left out.
function putValue(
  entry: ObjectValue,
  name: 'value1' | 'value2',
  value: Value,
): 'value1' | 'value2' | undefined {
  if (Buffer.byteLength(jsonText(value)) > VALUE_BYTES_MAX) return name
  entry[name] = value
  return undefined
}

// The leaf, or the list of a member.
function nameField(steps: Path): string {
  return steps.findLast((step) => typeof step === 'string') ?? ''
}
