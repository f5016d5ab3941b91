import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import { ApiError } from '../platform/errors.ts'
import type { AccessEventName } from '../ledger/events/event.ts'
import type { Instant } from '../platform/kit/clock.ts'
import type {
  Agreement,
  AgreementAt,
  AgreementDraftWrite,
  AgreementState,
  Course,
} from './agreement.ts'

/**
 * The states of agreements and the events of their changes, in the order in which clients rely on them. Days are days in
 * UTC: an agreement is active from its first day to the day before its end.
 */

/** A change of an agreement and its events in order. */
export interface CourseChange {
  course: Course
  events: readonly AccessEventName[]
}

/** An agreement as it is now. */
export interface CurrentAgreement {
  agreement: Agreement
  now: Instant
  /** The events of what time has changed since it was written. */
  due: readonly AccessEventName[]
}

/** The number of days before the end in which an agreement counts as expiring. */
export const EXPIRING_DAYS = 14

/** Returns whether an agreement can still become or stay active. */
export function isOpen({ state }: Pick<Course, 'state'>): boolean {
  return state === 'requested' || state === 'upcoming' || state === 'active'
}

/** Returns whether an agreement is approved and has not ended. */
export function isInForce({ state }: Pick<Course, 'state'>): boolean {
  return state === 'upcoming' || state === 'active'
}

/** Returns the course of a new request. */
export function requestCourse(terms: AgreementTerms): CourseChange {
  return {
    course: { ...pickTerms(terms), status: 'requested', state: 'requested', nextDueAt: null },
    events: ['AccessCreatedEvent', 'AccessRequestedEvent'],
  }
}

/**
 * Applies what time has changed until `now`, step by step: an agreement whose first and last days have both passed is
 * activated and then deactivated. Without changes, `events` is empty.
 */
export function settle(course: Course, now: Instant): CourseChange {
  const events: AccessEventName[] = []
  let current = course
  while (current.nextDueAt !== null && current.nextDueAt <= now) {
    const at = current.nextDueAt
    const step = applyDay(current, toDay(at))
    events.push(...step.events)
    current = { ...step.course, nextDueAt: findNextDue(step.course, at) }
  }
  return { course: current, events }
}

function applyDay(course: Course, day: string): CourseChange {
  const events: AccessEventName[] = []
  let { state } = course
  if (state === 'upcoming' && (course.startOn ?? day) <= day) {
    state = 'active'
    events.push('AccessActivatedEvent')
  }
  if (state === 'active' && course.endOn !== null && course.endOn <= day) {
    state = 'expired'
    events.push('AccessDeactivatedEvent')
  }
  if (state === 'active' && course.reassessOn === day) events.push('AccessReassessmentDueEvent')
  if (state === 'active' && toWarningDay(course) === day) events.push('AccessExpiringEvent')
  return { course: { ...course, state }, events }
}

/** Approves a request, also one that was rejected. Undefined = it is approved already. Errors: invalid_state. */
export function approve(
  course: Course,
  now: Instant,
  terms: AgreementTerms = course,
): CourseChange | undefined {
  if (course.status === 'approved') return undefined
  if (course.state === 'canceled') {
    throw new ApiError('invalid_state', 'The request was withdrawn. Request access again.')
  }
  const state = toApprovedState(terms, toDay(now))
  return {
    course: schedule({ ...course, ...pickTerms(terms), status: 'approved', state }, now),
    events: ['AccessApprovedEvent', ...(state === 'active' ? [ACTIVATED] : [])],
  }
}

/** Rejects a request, or withdraws its approval. Undefined = it is rejected already. Errors: invalid_state. */
export function reject(course: Course, now: Instant): CourseChange | undefined {
  if (course.state === 'rejected') return undefined
  if (!isOpen(course)) {
    throw new ApiError('invalid_state', 'The agreement has ended, so it cannot be rejected.')
  }
  return {
    course: schedule({ ...course, status: 'rejected', state: 'rejected' }, now),
    events: ['AccessRejectedEvent', ...listDeactivation(course)],
  }
}

/** Ends an agreement today, or withdraws a request. Undefined = it has ended already. */
export function cancel(course: Course, now: Instant): CourseChange | undefined {
  if (!isOpen(course)) return undefined
  const today = toDay(now)
  // An agreement that has not begun ends on its first day.
  const lastOn = course.startOn !== null && course.startOn > today ? course.startOn : today
  const endOn = course.endOn !== null && course.endOn < lastOn ? course.endOn : lastOn
  return {
    course: schedule({ ...course, state: 'canceled', endOn }, now),
    events: ['AccessCanceledEvent', ...listDeactivation(course)],
  }
}

/** Changes the terms. An approved agreement may become active or end by it; a rejected or ended one stays so. */
export function amend(course: Course, now: Instant, terms: AgreementTerms): CourseChange {
  const changed = { ...course, ...pickTerms(terms) }
  if (!isInForce(course)) return { course: changed, events: ['AccessUpdatedEvent'] }
  const state = toApprovedState(terms, toDay(now))
  const isActivated = state === 'active' && course.state !== 'active'
  return {
    course: schedule({ ...changed, state }, now),
    events: [
      'AccessUpdatedEvent',
      ...(isActivated ? [ACTIVATED] : []),
      ...(state === 'active' ? [] : listDeactivation(course)),
    ],
  }
}

/** Returns the events of a deletion. */
export function listDeletionEvents(course: Course): AccessEventName[] {
  return [...listDeactivation(course), 'AccessDeletedEvent']
}

/** Returns the day of an instant in UTC, `YYYY-MM-DD`. */
function toDay(instant: Instant): string {
  return instant.slice(0, 'YYYY-MM-DD'.length)
}

const ACTIVATED: AccessEventName = 'AccessActivatedEvent'

function listDeactivation({ state }: Course): AccessEventName[] {
  return state === 'active' ? ['AccessDeactivatedEvent'] : []
}

function toApprovedState({ startOn, endOn }: AgreementTerms, today: string): AgreementState {
  if (endOn !== null && endOn <= today) return 'expired'
  return startOn !== null && startOn > today ? 'upcoming' : 'active'
}

function schedule(course: Course, now: Instant): Course {
  return { ...course, nextDueAt: findNextDue(course, now) }
}

function findNextDue(course: Course, after: Instant): Instant | null {
  const { state, startOn, endOn, reassessOn } = course
  const days =
    state === 'upcoming'
      ? [startOn]
      : state === 'active'
        ? [endOn, reassessOn, toWarningDay(course)]
        : []
  const [next] = days
    .flatMap((day) => (day === null ? [] : [`${day}T00:00:00.000000Z`]))
    .filter((instant) => instant > after)
    .toSorted()
  return next ?? null
}

function toWarningDay({ endOn }: AgreementTerms): string | null {
  if (endOn === null) return null
  return Temporal.PlainDate.from(endOn).subtract({ days: EXPIRING_DAYS }).toString()
}

/** Returns an agreement as it is now. A change that follows must record the events that are due first. */
export function settleAgreement({ now, ...stored }: AgreementAt): CurrentAgreement {
  const { course, events } = settle(stored, now)
  return { agreement: { ...stored, ...course }, now, due: events }
}

/** Applies a change of the course to an agreement. */
export function toWrite(
  agreement: Agreement,
  { course, events }: CourseChange,
  principal: string,
): AgreementDraftWrite {
  return { agreement: { ...agreement, ...pickCourse(course), updatedBy: principal }, events }
}

function pickCourse(from: Course): Course {
  const { status, state, nextDueAt } = from
  return { ...pickTerms(from), status, state, nextDueAt }
}

function pickTerms({ startOn, endOn, reassessOn, roles }: AgreementTerms): AgreementTerms {
  return { startOn, endOn, reassessOn, roles }
}
