import { describeAnnouncement } from '../../ledger/history/plan.ts'
import type { NotificationFacts } from './notification-facts.ts'

// The sentences about deprecated parts of documents: models, fields, and ports without readers.

const PARTS_NAMED_MAX = 3
const ADVICE_CHARACTERS_MAX = 200

/** Returns the number of parts that a change deprecated. */
export function countParts(facts: NotificationFacts): number {
  return facts.number('partCount') ?? facts.objects('parts').length
}

/** Describes the parts that a change deprecated: a title and their descriptions, which are the advice of their authors. */
export function describeDeprecatedParts(facts: NotificationFacts): {
  title: string
  advice: string
} {
  const parts = facts.objects('parts')
  const [part] = parts
  const count = countParts(facts)
  if (part === undefined || count > 1) {
    const kinds = new Set(parts.map(toKind))
    const [kind = 'part'] = kinds
    const called = kinds.size === 1 && parts.length === count ? kind : 'part'
    return {
      title: `${count} ${called}s of ${facts.name} are deprecated`,
      advice: nameParts(facts),
    }
  }
  const name = `${capitalize(toKind(part))} ${toName(part)}`
  return { title: `${name} of ${facts.name} is deprecated`, advice: quoteAdvice(part) }
}

/** Returns a sentence that names the parts that a change deprecated as well; empty if there are none. */
export function mentionDeprecatedParts(facts: NotificationFacts): string {
  return countParts(facts) === 0 ? '' : `Also deprecated: ${nameParts(facts)}`
}

/** Returns sentences about the deprecated parts that a change removed; empty if there are none. */
export function describeRemovedParts(facts: NotificationFacts): string {
  const sentences = facts.objects('removedParts').map((part) => {
    const announced = describeSince(part)
    const name = `${capitalize(toKind(part))} ${toName(part)}`
    return announced === ''
      ? `${name} was deprecated and is removed.`
      : `${name} is removed; its deprecation was announced ${announced}.`
  })
  const more = sentences.length - PARTS_NAMED_MAX
  const first = sentences.slice(0, PARTS_NAMED_MAX).join(' ')
  return more > 0 ? `${first} So are ${more} more deprecated parts.` : first
}

/** Describes when a deprecation was announced: `in version 3 on 2026-11-27`; empty if it is not known. */
export function describeSince(facts: NotificationFacts): string {
  const since = facts.object('since')
  const [version, on] = [since?.number('version'), since?.text('on')]
  if (version === undefined || on === undefined) return ''
  return describeAnnouncement({ version, on, orBefore: since?.flag('orBefore') === true })
}

/** Returns the description of a deprecated part or document as a sentence; empty if it has none. */
export function quoteAdvice(facts: NotificationFacts): string {
  const text = facts.text('advice')
  if (text === undefined) return ''
  const characters = Array.from(text)
  const isLong = characters.length > ADVICE_CHARACTERS_MAX
  return `"${isLong ? `${characters.slice(0, ADVICE_CHARACTERS_MAX).join('')}…` : text}"`
}

function nameParts(facts: NotificationFacts): string {
  const parts = facts.objects('parts')
  const named = parts.slice(0, PARTS_NAMED_MAX).map((part) => `${toKind(part)} ${toName(part)}`)
  const more = countParts(facts) - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

function toKind(part: NotificationFacts): string {
  return part.text('kind') ?? 'part'
}

function toName(part: NotificationFacts): string {
  return part.text('name') ?? 'without a name'
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
