import type { ChangeCounts } from '../assets/change.ts'
import type { Instant } from '../kit/clock.ts'
import type { Attempt } from './engine.ts'
import type { MissingScope } from './ledger.ts'
import { describeListing, namesOf, type Listing } from './listing.ts'

/** What a publication came to. */
export interface Outcome {
  counts: ChangeCounts
  /** Scopes whose assets are kept for now. */
  missing: readonly MissingScope[]
  /** The deletes that it holds were rejected before. */
  isHeldRejected: boolean
}

/** The message of a run that ended well, for people. */
export function messageOf(
  { claim, connector }: Attempt,
  listing: Listing,
  { counts, missing, isHeldRejected }: Outcome,
): string {
  const parts = [describeListing(listing, connector.description.scopeLevel)]
  if (claim.kind === 'preview') parts.unshift('Preview, nothing was published')
  if (missing.length > 0) parts.push(missingText(missing))
  const { heldByBrake, heldByFilter, moved = 0 } = counts
  if (moved > 0) {
    parts.push(`${moved} of ${counts.updated} updates are only the new host or port of the source`)
  }
  if (isHeldRejected) {
    parts.push(`${heldByBrake + heldByFilter} deletes were rejected before and stay so`)
    return parts.join('; ')
  }
  if (heldByBrake > 0) {
    parts.push(`${heldByBrake} deletes at once are held until a person confirms them`)
  }
  if (heldByFilter > 0) {
    parts.push(
      `${heldByFilter} assets that the settings leave out now are kept until a person confirms`,
    )
  }
  return parts.join('; ')
}

/** The sentence of a missing scope in the ledger. */
export function missingSentence({ since, until }: MissingScope): string {
  return `Not listed since ${dayOf(since)}. Its assets are kept until ${dayOf(until)}; a forced run deletes them sooner.`
}

// Sorted by when they went missing: the first is the first whose assets are deleted.
function missingText(missing: readonly MissingScope[]): string {
  const [first] = missing
  const names = namesOf(missing.map(({ scope }) => scope))
  if (first === undefined) return ''
  const dates = `since ${dayOf(first.since)}, kept until ${dayOf(first.until)}`
  const isOneDay = missing.every(({ since }) => dayOf(since) === dayOf(first.since))
  return `no longer listed (${isOneDay ? dates : `the first ${dates}`}): ${names}`
}

function dayOf(instant: Instant): string {
  return instant.slice(0, 10)
}
