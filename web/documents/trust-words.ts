import type { Schemas } from '../api/client.ts'
import { countText, numberText } from '../parts/number-text.ts'

type SignalName = 'tests' | 'freshness' | 'drift' | 'standing'

/** The signals of a resource. */
type Trust = Pick<Schemas['Trust'], SignalName | 'kept'>

/** The signals of a resource in a list: each with its level and its word. */
type Summary = Record<SignalName, Pick<Trust[SignalName], 'state' | 'word'>>

/** The names of the signals, in the order in which all pages show them. */
const TITLES: readonly [SignalName, string][] = [
  ['tests', 'Tests'],
  ['freshness', 'Freshness'],
  ['drift', 'Drift'],
  ['standing', 'Standing'],
]

/** A signal with its name. */
export interface Signal<Names extends Summary = Trust> {
  name: SignalName
  title: string
  signal: Names[SignalName]
}

/** Lists the signals of a resource in the order in which all pages show them. */
export function listSignals<Names extends Summary>(signals: Names): Signal<Names>[] {
  return TITLES.map(([name, title]) => ({ name, title, signal: signals[name] }))
}

/** Lists the signals that need attention, the critical ones first. */
export function listAlarming<Names extends Summary>(signals: Names): Signal<Names>[] {
  const all = listSignals(signals)
  return [
    ...all.filter(({ signal }) => signal.state === 'critical'),
    ...all.filter(({ signal }) => signal.state === 'caution'),
  ]
}

/** Describes all signals in one sentence: `Tests: Failing. Freshness: Unknown. … 12 readers.` */
export function describeTrust(trust: Summary & { readers?: number | null }): string {
  const signals = listSignals(trust).map(({ title, signal }) => `${title}: ${signal.word}`)
  const { readers = null } = trust
  return `${[...signals, ...(readers === null ? [] : [countText(readers, 'reader')])].join('. ')}.`
}

/**
 * Describes on how many days a resource was without an incident: `28 of 30 days without an incident`. Undefined while nothing
 * about it is checked: then every day would count.
 */
export function describeKept({ kept, tests, freshness, drift }: Trust): string | undefined {
  const isChecked = [tests, freshness, drift].some(({ state }) => state !== 'neutral')
  if (kept === null || (!isChecked && kept.days === kept.of)) return undefined
  return `${kept.days} of ${kept.of} days without an incident`
}

/** The numbers of data products by their worst signal. */
export type TrustCounts = Schemas['DomainSummary']['trust']

const LEVEL_WORDS: readonly [keyof TrustCounts, string][] = [
  ['critical', 'critical'],
  ['caution', 'with caution'],
  ['neutral', 'unknown'],
  ['positive', 'good'],
]

/** A level with the number of data products of which it is the worst signal, and its words: `4 unknown`. */
interface LevelCount {
  level: keyof TrustCounts
  count: number
  text: string
}

/** Lists the levels with data products, the worst first. */
export function listLevels(counts: TrustCounts): LevelCount[] {
  return LEVEL_WORDS.flatMap(([level, word]) => {
    const count = counts[level]
    return count === 0 ? [] : [{ level, count, text: `${numberText(count)} ${word}` }]
  })
}

/** Describes how many data products have each worst signal: `Trust of the data products: 1 critical, 4 unknown.` */
export function describeCounts(counts: TrustCounts): string {
  const texts = listLevels(counts).map(({ text }) => text)
  return `Trust of the data products: ${texts.join(', ')}.`
}

/** Adds up the numbers of domains. */
export function addCounts(domains: readonly TrustCounts[]): TrustCounts {
  const sum = { critical: 0, caution: 0, neutral: 0, positive: 0 }
  for (const counts of domains) {
    for (const [level] of LEVEL_WORDS) sum[level] += counts[level]
  }
  return sum
}
