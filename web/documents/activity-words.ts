import { RECORDS } from '../../formats/record/kinds.ts'
import { countText } from '../parts/number-text.ts'

/** A change, as the words for it need. */
export interface DescribedChange {
  kind: string
  action: string
  version: number | null
}

/** The number of changes of one kind in a group. */
export interface Tally {
  kind: string
  action: string
  count: number
}

/** The singular and plural of the kinds of things that change. */
const NOUNS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  'data-product': ['data product', 'data products'],
  'data-contract': ['data contract', 'data contracts'],
  team: ['team', 'teams'],
  asset: ['asset', 'assets'],
  'ingestion-run': ['ingestion', 'ingestions'],
  ...Object.fromEntries(
    RECORDS.map(({ kind, called, label }) => [kind, [called, label.toLowerCase()] as const]),
  ),
}

const VERBS: Readonly<Record<string, string>> = { ingested: 'ran' }

const LIST = new Intl.ListFormat('en')
const PHRASES_MAX = 3

/** Describes what an actor did, to follow the name: `created 200 teams and updated 1 data product`. */
export function describeTallies(tallies: readonly Tally[]): string {
  const phrases: string[] = []
  let verbBefore = ''
  for (const { kind, action, count } of tallies.slice(0, PHRASES_MAX)) {
    const verb = VERBS[action] ?? action
    // A verb is not repeated: created 2 teams and 3 assets.
    phrases.push(`${verb === verbBefore ? '' : `${verb} `}${describeCount(kind, count)}`)
    verbBefore = verb
  }
  const rest = tallies.slice(PHRASES_MAX).reduce((sum, { count }) => sum + count, 0)
  if (rest > 0) phrases.push(countText(rest, 'more change'))
  return LIST.format(phrases)
}

function describeCount(kind: string, count: number): string {
  const [one, several] = NOUNS[kind] ?? [kind, kind]
  return countText(count, one, several)
}

/** Describes one change, to follow an actor and to precede a name: `updated the data product`. */
export function describeChange({ kind, action }: DescribedChange): string {
  const [noun] = NOUNS[kind] ?? [kind]
  if (action === 'ingested') return 'ran an ingestion of'
  return `${action} the ${noun}`
}

/** Describes a change in a list below its group: `data product created`, `team updated to version 3`. */
export function describeAction({ kind, action, version }: DescribedChange): string {
  const [noun] = NOUNS[kind] ?? [kind]
  if (action === 'ingested') return 'assets'
  if (action !== 'updated' || version === null) return `${noun} ${action}`
  return `${noun} updated to version ${version}`
}
