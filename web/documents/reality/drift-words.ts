import { newTable } from '../../../formats/name/table.ts'
import type { Schemas } from '../../api/client.ts'
import { countText } from '../../parts/number-text.ts'
import type { Tone } from '../../parts/status.tsx'

/** A difference between what a contract promises and what its table is. */
export type Finding = Schemas['DriftFinding']

/** A word with the tone of its status. */
interface Word {
  word: string
  tone: Tone
}

const STATES: Readonly<Record<Schemas['ContractDrift']['state'], Word>> = {
  none: { word: 'As promised', tone: 'positive' },
  drift: { word: 'Differs', tone: 'critical' },
  accepted: { word: 'Accepted differences', tone: 'caution' },
  unknown: { word: 'Not compared', tone: 'neutral' },
}

/** Returns the word of a state of a contract. */
export function getDriftWord(state: Schemas['ContractDrift']['state']): Word {
  return STATES[state]
}

/** A link state in words: its status, and what it means. */
interface LinkWords extends Word {
  text: string
}

const LINKS = newTable<LinkWords>({
  linked: { word: 'Linked', tone: 'positive', text: '' },
  ambiguous: {
    word: 'Several tables match',
    tone: 'caution',
    text: 'More than one table has this name where the server points. Choose the right one.',
  },
  other_address: {
    word: 'Another address',
    tone: 'caution',
    text: 'A table has this name, but its source is connected under another address.',
  },
  not_found: {
    word: 'Not in the source',
    tone: 'critical',
    text: 'The source was read completely, and it has no such table.',
  },
  not_read: {
    word: 'Not read',
    tone: 'neutral',
    text: 'The source of this server is connected, but this part of it was not read completely in the last 14 days.',
  },
  no_source: {
    word: 'No source',
    tone: 'neutral',
    text: 'No connected source has the address of this server.',
  },
  unplaced: {
    word: 'No place',
    tone: 'neutral',
    text: 'The contract does not give the place of this model.',
  },
  excluded: {
    word: 'No table, by choice',
    tone: 'off',
    text: 'A person decided that this model has no table here.',
  },
  not_applicable: {
    word: 'Not a table',
    tone: 'off',
    text: 'Sources of this kind are not read, so there is nothing to compare with.',
  },
})

const UNKNOWN_LINK: LinkWords = { word: 'Not compared', tone: 'neutral', text: '' }

/** Returns the words of the state of a link. */
export function getLinkWords(state: string): LinkWords {
  return LINKS[state] ?? UNKNOWN_LINK
}

const MISSING = newTable<string>({
  object: 'No table',
  'column.missing': 'No column',
  key: 'No key',
  unique: 'Not unique',
  constraints: 'None declared',
  classification: 'No tag',
})

/** Returns both sides of a finding as they are shown. */
export function describeSides({
  aspect,
  promised,
  actual,
}: Pick<Finding, 'aspect' | 'promised' | 'actual'>): { promised: string; actual: string } {
  return {
    promised: promised ?? (aspect === 'column.extra' ? 'No column' : 'Nothing'),
    actual: actual ?? MISSING[aspect] ?? 'Nothing',
  }
}

/** Returns the counts of a contract as a sentence. */
export function describeCounts({
  breaking,
  accepted,
  additive,
  unverifiable,
}: Schemas['ContractDrift']['counts']): string {
  const parts = [
    breaking > 0 && countText(breaking, 'breaking difference'),
    accepted > 0 && countText(accepted, 'accepted difference'),
    additive > 0 &&
      `${countText(additive, 'difference')} that ${additive === 1 ? 'keeps' : 'keep'} the promise`,
    unverifiable > 0 && `${countText(unverifiable, 'field')} that cannot be compared`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'No differences.' : `${new Intl.ListFormat('en').format(parts)}.`
}

const RESOLUTIONS = newTable<string>({
  run: 'the table changed',
  asset: 'the table changed',
  contract: 'the contract changed',
  link: 'another table is compared',
})

/** Returns why a finding is resolved, within a sentence. */
export function describeResolution(because: string | null): string {
  return (because === null ? undefined : RESOLUTIONS[because]) ?? 'it was resolved'
}

/** An open finding counts, an accepted one counts again at the end of its acceptance, a resolved one is history. */
export type FindingState = 'open' | 'accepted' | 'resolved'

/** Returns the state of a finding at a time in milliseconds since 1970. */
export function getFindingState(
  { acceptance, resolvedAt }: Pick<Finding, 'acceptance' | 'resolvedAt'>,
  nowMs = Date.now(),
): FindingState {
  if (resolvedAt !== null) return 'resolved'
  return acceptance !== null && Date.parse(acceptance.until) > nowMs ? 'accepted' : 'open'
}

/** The findings of a model as its panel shows them. */
interface FindingGroups {
  breaking: Finding[]
  accepted: Finding[]
  additive: Finding[]
}

/** Splits the unresolved findings of a model by what they need from its owner. */
export function groupFindings(findings: readonly Finding[], nowMs = Date.now()): FindingGroups {
  const groups: FindingGroups = { breaking: [], accepted: [], additive: [] }
  for (const finding of findings) {
    const state = getFindingState(finding, nowMs)
    if (state === 'resolved') continue
    if (state === 'accepted') groups.accepted.push(finding)
    else groups[finding.level].push(finding)
  }
  return groups
}
