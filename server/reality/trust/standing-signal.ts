import { isEndedStatus } from '../../../formats/data-product/standing.ts'
import type { Announcement } from '../../ledger/history/plan.ts'
import type { IncidentKind } from '../../ledger/incidents/incident.ts'
import type { Instant } from '../../platform/kit/clock.ts'
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

/** An open incident of a contract. */
export interface OpenIncident {
  contractId: string
  kind: IncidentKind
  /** Empty = all servers. */
  server: string
  openedAt: Instant
  /** Null = not acknowledged. */
  acknowledgedAt: Instant | null
}

/**
 * Judges a standing together with open incidents: the one that is not acknowledged for the longest time, else one that
 * is. An incident counts more than a deprecation.
 */
export function judgeIncidents(
  standing: StandingSignal,
  incidents: readonly OpenIncident[],
  toUrl: (contractId: string) => string,
): StandingSignal {
  const [first] = incidents.toSorted(
    (a, b) =>
      Number(a.acknowledgedAt !== null) - Number(b.acknowledgedAt !== null) ||
      a.openedAt.localeCompare(b.openedAt) ||
      a.contractId.localeCompare(b.contractId),
  )
  if (first === undefined) return standing
  const { contractId, kind, server, openedAt, acknowledgedAt } = first
  const where = server === '' ? '' : ` on server ${server}`
  const more = incidents.length > 1 ? ` ${incidents.length} incidents are open.` : ''
  const open = {
    since: openedAt,
    reason: `${INCIDENT_REASONS[kind]}${where}.${more}`,
    url: toUrl(contractId),
  }
  return acknowledgedAt === null
    ? { state: 'critical', word: 'Open incident', ...open }
    : { state: 'caution', word: 'Acknowledged incident', ...open }
}

const INCIDENT_REASONS: Readonly<Record<IncidentKind, string>> = {
  test: 'Tests fail',
  drift: 'Tables differ from the contract',
  late: 'Data are late',
  access: 'Access is granted that was not agreed',
}
