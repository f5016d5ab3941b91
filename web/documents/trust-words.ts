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

const LEVEL_WORDS: readonly [keyof Schemas['DomainSummary']['trust'], string][] = [
  ['critical', 'critical'],
  ['caution', 'with caution'],
  ['neutral', 'unknown'],
  ['positive', 'good'],
]

/** Describes how many data products have each worst signal: `Trust of the data products: 1 critical, 4 unknown.` */
export function describeCounts(counts: Schemas['DomainSummary']['trust']): string {
  const words = LEVEL_WORDS.filter(([level]) => counts[level] > 0).map(
    ([level, word]) => `${numberText(counts[level])} ${word}`,
  )
  return `Trust of the data products: ${words.join(', ')}.`
}
