import { isEndedStatus } from '../../../formats/data-product/standing.ts'
import type { Announcement } from '../../ledger/history/plan.ts'
import type { StandingSignal } from './trust.ts'

// Whether the owner of something deprecated it, or a certification vouches for it.

/** A certification that a resource has. */
interface NamedCertification {
  name: string
  url: string
}

/** The facts from which a standing follows. */
interface StandingFacts {
  /** The status of the document or port, `deprecated` if only its flag announces the end. */
  status: string | null
  /** When its deprecation was announced; null = not known. */
  announced: Announcement | null
  /** The certifications that it has, the highest first. */
  certifications: readonly NamedCertification[]
}

/** Judges the standing of a resource. A deprecation counts more than a certification. */
export function judgeStanding({
  status,
  announced,
  certifications,
}: StandingFacts): StandingSignal {
  if (status !== null && isEndedStatus(status)) {
    const since = announced === null ? null : `${announced.on}T00:00:00Z`
    return {
      state: 'caution',
      word: 'Deprecated',
      since,
      reason: describeEnd(status, announced),
      url: null,
    }
  }
  const [first] = certifications
  if (first === undefined) {
    const reason = 'It has no certification.'
    return { state: 'neutral', word: 'Not certified', since: null, reason, url: null }
  }
  const names = certifications.map(({ name }) => name).join(', ')
  return { state: 'positive', word: 'Certified', since: null, reason: names, url: first.url }
}

function describeEnd(status: string, announced: Announcement | null): string {
  const isPlain = status.toLowerCase() === 'deprecated'
  const what = isPlain ? 'Deprecated' : `Its status is "${status}"`
  if (announced === null) return `${what}.`
  const orBefore = announced.orBefore ? ' or before' : ''
  return `${what} since version ${announced.version}${orBefore}.`
}

/**
 * Judges the standing of an output port: that of its data product, unless the port or its contract is deprecated. `null` =
 * no status.
 */
export function judgePortStanding(
  product: StandingSignal,
  { portStatus, contractStatus }: Record<'portStatus' | 'contractStatus', string | null>,
): StandingSignal {
  const none = { announced: null, certifications: [] }
  const own = judgeStanding({ status: portStatus, ...none })
  if (own.word === 'Deprecated') return own
  if (product.word === 'Deprecated') return product
  const contract = judgeStanding({ status: contractStatus, ...none })
  if (contract.word !== 'Deprecated') return product
  return { ...contract, reason: 'Its data contract is deprecated.' }
}
