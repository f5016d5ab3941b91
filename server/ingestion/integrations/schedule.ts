import { createHash } from 'node:crypto'
import type { Cron } from 'croner'
import {
  createCron,
  findCronProblem,
  findTimeZoneProblem,
  isOnFullMinute,
  TIME_ZONE_USUAL,
} from '../../../formats/schedule/cron.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * A schedule for the runs of an integration: a cron expression of five fields, or of six with
 * seconds first as in Quartz (`0 0 6 * * ?`), and a time zone. A time of day that is missing
 * because clocks go forward is moved to the end of the gap; of a repeated time the first is used.
 * An expression with steps or wildcards in minutes or hours is a period and not a time of day: it
 * continues through both.
 */
export interface Schedule {
  /** As entered. */
  expression: string
  timeZone: string
  cron: Cron
  /** Whether it fires on full minutes, as most do: those are spread over the minute. */
  isOnFullMinute: boolean
}

/** A parsed schedule, or its violations. */
type ScheduleReading =
  | { ok: true; schedule: Schedule }
  | { ok: false; field: 'scheduleExpression' | 'timeZone'; message: string }

/** The minimum time between two runs of a schedule. */
const PERIOD_MINUTES_MIN = 5

const MINUTE_MS = 60_000
const JITTER_SECONDS_MAX = 59

// The horizon for the check of the period starts in a leap year, and has more times than any day of
// a valid schedule.
const HORIZON_START = new Date('2024-01-01T00:00:00Z')
const HORIZON_TIMES_MAX = 600
const HORIZON_MS = 5 * 366 * 24 * 60 * MINUTE_MS

/** Parses a schedule to be stored; messages are complete sentences. */
export function readSchedule(expression: string, timeZone: string): ScheduleReading {
  const reading = parseSchedule(expression, timeZone)
  if (!reading.ok) return reading
  const message = validatePeriod(createCron(expression, TIME_ZONE_USUAL))
  return message === undefined ? reading : { ok: false, field: 'scheduleExpression', message }
}

function parseSchedule(expression: string, timeZone: string): ScheduleReading {
  const zoneProblem = findTimeZoneProblem(timeZone)
  if (zoneProblem !== undefined) return { ok: false, field: 'timeZone', message: zoneProblem }
  const problem = findCronProblem(expression)
  if (problem !== undefined) return { ok: false, field: 'scheduleExpression', message: problem }
  try {
    const cron = createCron(expression, timeZone)
    const times = { cron, isOnFullMinute: isOnFullMinute(expression) }
    return { ok: true, schedule: { expression, timeZone, ...times } }
  } catch (error) {
    return { ok: false, field: 'scheduleExpression', message: toMessage(error) }
  }
}

/**
 * Returns the next times after an instant, in order; fewer if there are no more. The times of an
 * integration, by its internal id, are shifted by up to 59 seconds, always by the same amount, so
 * that not all of them start at the full hour.
 */
export function nextTimes(
  schedule: Schedule,
  after: Instant,
  count: number,
  integrationId?: string,
): Instant[] {
  const moveMs = getJitterMs(schedule, integrationId)
  const times: Instant[] = []
  let time: Date | null = new Date(Date.parse(after) - moveMs)
  while (times.length < count) {
    time = schedule.cron.nextRun(time)
    if (time === null) break
    times.push(toInstant(time.getTime() + moveMs))
  }
  return times
}

/**
 * Returns the next time of an integration's schedule after an instant; undefined if there is none,
 * or if it is no longer valid.
 */
export function nextDueAt(
  { expression, timeZone }: { expression: string; timeZone: string },
  integrationId: string,
  after: Instant,
): Instant | undefined {
  const reading = parseSchedule(expression, timeZone)
  return reading.ok ? nextTimes(reading.schedule, after, 1, integrationId)[0] : undefined
}

function getJitterMs({ isOnFullMinute }: Schedule, integrationId: string | undefined): number {
  if (!isOnFullMinute || integrationId === undefined) return 0
  const hash = createHash('sha256').update(integrationId).digest()
  return (hash.readUInt32BE(0) % (JITTER_SECONDS_MAX + 1)) * 1000
}

// Instants always have microseconds, so that they sort as texts.
function toInstant(epochMs: number): Instant {
  return new Date(epochMs).toISOString().replace('Z', '000Z')
}

function validatePeriod(cron: Cron): string | undefined {
  let before = cron.nextRun(HORIZON_START)
  if (before === null) return 'This schedule never fires: its day does not exist.'
  for (let times = 1; times < HORIZON_TIMES_MAX; times += 1) {
    const time = cron.nextRun(before)
    if (time === null || time.getTime() > HORIZON_START.getTime() + HORIZON_MS) return undefined
    if (time.getTime() - before.getTime() < PERIOD_MINUTES_MIN * MINUTE_MS) {
      return `Runs would be less than ${PERIOD_MINUTES_MIN} minutes apart.`
    }
    before = time
  }
  return undefined
}

function toMessage(error: unknown): string {
  const detail = error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : ''
  return `Invalid cron expression: ${detail}`
}
