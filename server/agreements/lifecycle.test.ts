import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Course } from './agreement.ts'
import {
  amend,
  approve,
  cancel,
  listDeletionEvents,
  reject,
  requestCourse,
  settle,
} from './lifecycle.ts'

const NOON = '2026-03-10T12:00:00.000000Z'
const TERMS = { startOn: null, endOn: null, reassessOn: null, roles: [] }

function requested(terms: Partial<Course> = {}): Course {
  return requestCourse({ ...TERMS, ...terms }).course
}

function approved(terms: Partial<Course> = {}, now = NOON): Course {
  return approve(requested(terms), now)?.course ?? requested()
}

function at(day: string): string {
  return `${day}T00:00:00.000000Z`
}

describe('approve', () => {
  test('is active from the decision on without dates, and time changes nothing', () => {
    const { state, nextDueAt } = approved()
    assert.deepEqual([state, nextDueAt], ['active', null])
  })

  test('is active on the first day, and not on the day of its end', () => {
    const cases = [
      [{ startOn: '2026-03-10' }, 'active'],
      [{ startOn: '2026-03-11' }, 'upcoming'],
      [{ endOn: '2026-03-11' }, 'active'],
      [{ endOn: '2026-03-10' }, 'expired'],
      [{ startOn: '2026-03-10', endOn: '2026-03-10' }, 'expired'],
    ] as const
    for (const [terms, state] of cases) assert.equal(approved(terms).state, state)
  })

  test('changes the terms', () => {
    const terms = { startOn: null, endOn: '2026-04-01', reassessOn: null, roles: ['r'] }
    const { course } = approve(requested({ roles: ['x'] }), NOON, terms) ?? {}
    assert.deepEqual([course?.endOn, course?.roles], ['2026-04-01', ['r']])
  })
})

describe('settle', () => {
  test('does nothing before the day', () => {
    const course = approved({ startOn: '2026-03-11' })
    assert.deepEqual(settle(course, '2026-03-10T23:59:59.999999Z'), { course, events: [] })
  })

  test('activates at midnight in UTC, and ends at midnight', () => {
    const upcoming = approved({ startOn: '2026-03-11', endOn: '2026-03-12' })
    assert.equal(upcoming.nextDueAt, at('2026-03-11'))
    const active = settle(upcoming, at('2026-03-11'))
    assert.deepEqual([active.course.state, active.events], ['active', ['AccessActivatedEvent']])
    assert.equal(active.course.nextDueAt, at('2026-03-12'))
    const { course, events } = settle(active.course, at('2026-03-12'))
    assert.deepEqual([course.state, events], ['expired', ['AccessDeactivatedEvent']])
    assert.equal(course.nextDueAt, null)
  })

  test('catches up in order', () => {
    const terms = { startOn: '2026-03-11', reassessOn: '2026-03-12', endOn: '2026-04-01' }
    const { course, events } = settle(approved(terms), at('2026-05-01'))
    assert.equal(course.state, 'expired')
    assert.deepEqual(events, [
      'AccessActivatedEvent',
      'AccessReassessmentDueEvent',
      'AccessExpiringEvent',
      'AccessDeactivatedEvent',
    ])
  })

  test('reminds once, two weeks before the end', () => {
    const active = approved({ endOn: '2026-04-01' })
    assert.equal(active.nextDueAt, at('2026-03-18'))
    const { course, events } = settle(active, at('2026-03-18'))
    assert.deepEqual(events, ['AccessExpiringEvent'])
    assert.equal(course.nextDueAt, at('2026-04-01'))
  })

  test('does not remind of days before the decision', () => {
    const active = approved({ endOn: '2026-03-20', reassessOn: '2026-03-10' })
    assert.equal(active.nextDueAt, at('2026-03-20'))
  })

  test('does nothing after a rejection or a cancellation', () => {
    const upcoming = approved({ startOn: '2026-03-11', endOn: '2026-03-12' })
    for (const end of [reject, cancel]) {
      const { course = upcoming } = end(upcoming, NOON) ?? {}
      assert.deepEqual(settle(course, at('2026-05-01')).events, [])
    }
  })
})

describe('cancel', () => {
  test('ends today, but not before the first day', () => {
    assert.equal(cancel(approved(), NOON)?.course.endOn, '2026-03-10')
    const upcoming = approved({ startOn: '2026-03-12' })
    assert.equal(cancel(upcoming, NOON)?.course.endOn, '2026-03-12')
    assert.deepEqual(cancel(upcoming, NOON)?.events, ['AccessCanceledEvent'])
    const past = requested({ endOn: '2026-01-01' })
    assert.equal(cancel(past, NOON)?.course.endOn, '2026-01-01')
  })
})

function change(from: Course, terms: Partial<Course>): string[] {
  const { course, events } = amend(from, NOON, { ...from, ...terms })
  return [course.state, ...events.slice(1)]
}

describe('amend', () => {
  test('activates and ends with new dates', () => {
    const upcoming = approved({ startOn: '2026-03-12' })
    assert.deepEqual(change(upcoming, { startOn: null }), ['active', 'AccessActivatedEvent'])
    const active = approved()
    const deactivated = 'AccessDeactivatedEvent'
    assert.deepEqual(change(active, { endOn: '2026-03-10' }), ['expired', deactivated])
    assert.deepEqual(change(active, { startOn: '2026-03-11' }), ['upcoming', deactivated])
  })

  test('renews before the end', () => {
    const active = approved({ endOn: '2026-03-11' })
    const { course, events } = amend(active, NOON, { ...active, endOn: '2026-06-01' })
    assert.deepEqual([course.state, course.nextDueAt], ['active', at('2026-05-18')])
    assert.deepEqual(events, ['AccessUpdatedEvent'])
  })

  test('keeps the state of one that has ended, and of a request', () => {
    const canceled = cancel(approved(), NOON)?.course ?? requested()
    for (const course of [canceled, requested()]) {
      assert.deepEqual(change(course, { endOn: null }), [course.state])
    }
  })
})

test('listDeletionEvents › deactivates an active agreement first', () => {
  assert.deepEqual(listDeletionEvents(approved()), ['AccessDeactivatedEvent', 'AccessDeletedEvent'])
  assert.deepEqual(listDeletionEvents(requested()), ['AccessDeletedEvent'])
})
