import type { Schemas } from '../../api/client.ts'
import { cappedText } from '../../parts/number-text.ts'
import type { Tone } from '../../parts/status.tsx'
import { dayText } from '../../parts/date-format.ts'

/** An agreement in a list. */
export type ListedAgreement = Schemas['ListedAgreement']

/** The state of an agreement. */
export type AgreementState = ListedAgreement['state']

/** A view of a list of agreements. */
export type AgreementView = keyof NonNullable<Schemas['AgreementPage']['counts']>

const STATES: Readonly<Record<AgreementState, { tone: Tone; word: string }>> = {
  requested: { tone: 'info', word: 'Requested' },
  rejected: { tone: 'critical', word: 'Rejected' },
  upcoming: { tone: 'draft', word: 'Upcoming' },
  active: { tone: 'positive', word: 'Active' },
  expired: { tone: 'off', word: 'Expired' },
  canceled: { tone: 'off', word: 'Ended' },
}

/** Returns the word and the tone of a state; `status` distinguishes withdrawn requests from ended access. */
export function describeState(
  state: AgreementState,
  status?: ListedAgreement['status'],
): { tone: Tone; word: string } {
  const isWithdrawn = state === 'canceled' && status === 'requested'
  return isWithdrawn ? { tone: 'off', word: 'Withdrawn' } : STATES[state]
}

/** The state of provisioning. */
type ProvisioningStatus = NonNullable<ListedAgreement['provisioningStatus']>

const PROVISIONING: Readonly<Record<ProvisioningStatus, { tone: Tone; word: string }>> = {
  provisioning: { tone: 'info', word: 'Provisioning' },
  provisioned: { tone: 'positive', word: 'Provisioned' },
  'provisioning-failed': { tone: 'critical', word: 'Provisioning failed' },
  deprovisioning: { tone: 'info', word: 'Revoking' },
  deprovisioned: { tone: 'off', word: 'Revoked' },
  'deprovisioning-failed': { tone: 'critical', word: 'Revoking failed' },
}

/** Returns the word and the tone of a state of provisioning. */
export function describeProvisioning(status: ProvisioningStatus): { tone: Tone; word: string } {
  return PROVISIONING[status]
}

/** The views of a list, with their titles. */
export const VIEWS: readonly (readonly [view: AgreementView, title: string])[] = [
  ['requested', 'Requested'],
  ['active', 'Active'],
  ['expiring', 'Expiring'],
  ['rejected', 'Rejected'],
  ['ended', 'Ended'],
]

/** The server counts no further. */
const COUNTED_MAX = 1000

/** Returns a number of agreements: `1,000+`. */
export function countedText(count: number): string {
  return cappedText(count, COUNTED_MAX)
}

/** The dates of an agreement. */
export type Period = Pick<ListedAgreement, 'startOn' | 'endOn' | 'state'>

/**
 * Returns the period of an agreement: `1 Oct 2026 to 30 Dec 2026`. The stored end is the first day after the access; this
 * names the last day with it.
 */
export function describePeriod({ startOn, endOn, state }: Period): string {
  const isDecided = state !== 'requested' && state !== 'rejected'
  const start = startOn === null ? undefined : dayText(startOn)
  if (endOn === null) {
    if (start === undefined) return isDecided ? 'No end date' : 'From the decision, no end date'
    return `From ${start}, no end date`
  }
  const end = `until ${dayText(addDays(endOn, -1))}`
  return start === undefined ? capitalizeFirst(end) : `${start} ${end}`
}

function capitalizeFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the day a number of days after another one; both `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return day
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** Returns today in UTC, `YYYY-MM-DD`, as agreements count days. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** Returns the number of days until an agreement ends; undefined without an end. */
export function countDaysLeft(endOn: string | null, from = today()): number | undefined {
  if (endOn === null) return undefined
  const millisecondsADay = 86_400_000
  return Math.round((Date.parse(endOn) - Date.parse(from)) / millisecondsADay)
}

/** Returns when an active agreement ends, if that is soon: `Ends in 3 days`. */
export function describeEnd(daysLeft: number | undefined): string | undefined {
  const soonDays = 14
  if (daysLeft === undefined || daysLeft < 1 || daysLeft > soonDays) return undefined
  return daysLeft === 1 ? 'Ends today' : `Ends in ${daysLeft} days`
}
