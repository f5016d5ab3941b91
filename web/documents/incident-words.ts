import { DRIFT_ASPECTS } from '../../formats/reality/difference.ts'
import { newTable } from '../../formats/name/table.ts'
import type { Schemas } from '../api/client.ts'
import { countText, numberText } from '../parts/number-text.ts'
import { nameFinding } from './reality/finding-names.ts'

/** An incident of a data contract. */
export type Incident = Schemas['Incident']

/** A line about the cause of an incident; `at` is the instant with which it ends, such as that of the newest data. */
export interface CauseLine {
  text: string
  at?: string
}

const LINES_MAX = 5

/** Describes the cause of an incident: the failing checks, the differences, the late models, or the deviations of grants. */
export function describeCause({ kind, facts }: Pick<Incident, 'kind' | 'facts'>): CauseLine[] {
  switch (kind) {
    case 'test':
      return cut(readRows(facts.checks).flatMap(({ name }) => (isText(name) ? [name] : [])))
    case 'drift': {
      const first = readRows(facts.first).flatMap(describeDifference)
      return cut(first, typeof facts.count === 'number' ? facts.count : first.length)
    }
    case 'late':
      return readRows(facts.models).slice(0, LINES_MAX).flatMap(describeLateModel)
    case 'access':
      return describeDeviations(facts.counts).map((text) => ({ text }))
  }
}

type Row = Readonly<Record<string, unknown>>

function readRows(rows: unknown): Row[] {
  return Array.isArray(rows) ? rows.filter(isRow) : []
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function cut(texts: readonly string[], total = texts.length): CauseLine[] {
  const lines = texts.slice(0, LINES_MAX).map((text) => ({ text }))
  const rest = total - lines.length
  return rest > 0 ? [...lines, { text: `and ${numberText(rest)} more` }] : lines
}

function describeDifference({ aspect: named, model, field }: Row): string[] {
  const aspect = DRIFT_ASPECTS.find((one) => one === named)
  if (aspect === undefined || !isText(model)) return []
  return [nameFinding({ aspect, model, field: isText(field) ? field : null })]
}

function describeLateModel({ model, promised, evidenceAt }: Row): CauseLine[] {
  if (!isText(model)) return []
  const promise = isText(promised) ? ` New data are promised within ${promised}.` : ''
  if (!isText(evidenceAt)) return [{ text: `${model}.${promise}` }]
  return [{ text: `${model}.${promise} The newest data arrived`, at: evidenceAt }]
}

const DEVIATIONS = newTable<readonly [one: string, many: string]>({
  granted_without_agreement: [
    'consumer has access without an agreement',
    'consumers have access without an agreement',
  ],
  agreement_without_grant: ['agreement without a grant', 'agreements without a grant'],
  still_granted: [
    'ended agreement that is still granted',
    'ended agreements that are still granted',
  ],
  wider_than_agreed: [
    'consumer has more access than agreed',
    'consumers have more access than agreed',
  ],
})

function describeDeviations(counts: unknown): string[] {
  if (!isRow(counts)) return []
  return Object.entries(counts).flatMap(([kind, count]) => {
    const words = DEVIATIONS[kind]
    return words === undefined || typeof count !== 'number' ? [] : [countText(count, ...words)]
  })
}

const REASONS = newTable<readonly [one: string, many: string]>({
  owner: ['member', 'members'],
  following: ['follower', 'followers'],
  consumer: ['consumer', 'consumers'],
})

/**
 * Describes the people who were notified: `4 members, 2 followers, 12 consumers (12 in the digest), 1 channel`. Members are those of
 * the owner's and the providers' teams.
 */
export function describeAudience({
  people,
  digestCount,
  channelCount,
}: Pick<Incident['notified'][number], 'people' | 'digestCount' | 'channelCount'>): string {
  const groups = Object.entries(people)
    .filter(([, count]) => count > 0)
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .map(([reason, count]) => countText(count, ...(REASONS[reason] ?? ['person', 'people'])))
  const digest = digestCount > 0 ? ` (${numberText(digestCount)} in the digest)` : ''
  const channels = channelCount > 0 ? [countText(channelCount, 'channel')] : []
  const persons = groups.length === 0 ? [] : [`${groups.join(', ')}${digest}`]
  const all = [...persons, ...channels]
  return all.length === 0 ? 'no person, by their notification settings' : all.join(', ')
}

const ORDER = ['owner', 'following', 'consumer']

function rank(reason: string): number {
  const at = ORDER.indexOf(reason)
  return at === -1 ? ORDER.length : at
}
