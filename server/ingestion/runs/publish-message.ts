import { countHeld, type ChangeCounts } from '../../catalog/assets/change.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Attempt } from './engine.ts'
import type { MissingScope } from './ledger.ts'
import { describeListing, formatNames, type Listing } from './listing.ts'

/** The result of a publication. */
export interface Outcome {
  counts: ChangeCounts
  /** Scopes whose assets are kept for a grace period. */
  missing: readonly MissingScope[]
  /** Missing tables that the source may only hide, with the times until which they are held. */
  unproven: readonly MissingScope[]
  /** Whether the held deletes were rejected before. */
  isHeldRejected: boolean
}

/** Returns the message of a successful run. */
export function createMessage(
  { claim, connector }: Attempt,
  listing: Listing,
  { counts, missing, unproven, isHeldRejected }: Outcome,
): string {
  const parts = [describeListing(listing, connector.description.scopeLevel)]
  if (claim.kind === 'preview') parts.unshift('Preview, nothing was published')
  if (missing.length > 0) parts.push(missingText(missing))
  const { heldByGuard, heldByFilter, heldUnproven, moved = 0 } = counts
  if (moved > 0) {
    parts.push(`${moved} of ${counts.updated} updates are only the new host or port of the source`)
  }
  if (isHeldRejected) {
    parts.push(`${countHeld(counts)} deletes were rejected before and remain rejected`)
    return parts.join('; ')
  }
  if (heldByGuard > 0) {
    parts.push(`${heldByGuard} deletes at once are held until a person confirms them`)
  }
  if (heldByFilter > 0) {
    parts.push(
      `${heldByFilter} assets that the settings leave out now are kept until a person confirms`,
    )
  }
  if (heldUnproven > 0) parts.push(unprovenText(listing, heldUnproven, unproven))
  return parts.join('; ')
}

// Sorted by the time since which they are missing: the last one is held longest.
function unprovenText(listing: Listing, count: number, unproven: readonly MissingScope[]): string {
  const hidden = unproven.find(({ scope }) => listing.hiddenTables.has(scope))
  const last = hidden ?? unproven.at(-1)
  const reason = listing.unproven.get(last?.scope ?? '') ?? ''
  const until =
    last === undefined
      ? ''
      : `, ${hidden ? 'until they are proven to be gone or a person decides' : `at most until ${toDay(last.until)}`}`
  const deletes = count === 1 ? '1 delete is' : `${count} deletes are`
  return `${deletes} held because the source may only hide the tables${until}. ${reason}`
}

/** Returns the message of a missing scope in the ledger. */
export function missingSentence({ since, until }: MissingScope): string {
  return `Not listed since ${toDay(since)}. Its assets are kept until ${toDay(until)}; a forced run deletes them sooner.`
}

// Sorted by the time since which they are missing: the assets of the first are deleted first.
function missingText(missing: readonly MissingScope[]): string {
  const [first] = missing
  const names = formatNames(missing.map(({ scope }) => scope))
  if (first === undefined) return ''
  const dates = `since ${toDay(first.since)}, kept until ${toDay(first.until)}`
  const isOneDay = missing.every(({ since }) => toDay(since) === toDay(first.since))
  return `no longer listed (${isOneDay ? dates : `the first ${dates}`}): ${names}`
}

function toDay(instant: Instant): string {
  return instant.slice(0, 10)
}
