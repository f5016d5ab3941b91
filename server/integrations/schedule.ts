import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import type { Instant } from '../kit/clock.ts'

/**
 * A schedule says when an integration runs by itself: a cron expression of five fields, or one of
 * six with seconds first as Quartz writes them (`0 0 6 * * ?`), and a time zone whose clocks it
 * follows. Where a time of the day is missing, because clocks go forward, the run is at the end of
 * the gap; where a time comes twice, the run is at the first. An expression with steps or wildcards
 * in minutes or hours means a period and not a time of the day: it goes on through both.
 */
export interface Schedule {
  /** As it was written. */
  expression: string
  timeZone: string
  cron: Cron
  /** Fires on full minutes, as most do: those are spread over the minute. */
  isOnFullMinute: boolean
}

/** A schedule that was read, or what is wrong with it. */
export type ScheduleReading =
  | { ok: true; schedule: Schedule }
  | { ok: false; field: 'scheduleExpression' | 'timeZone'; message: string }

/** The time zone of a schedule that names none. */
export const TIME_ZONE_USUAL = 'UTC'

/** Two runs of a schedule are at least so far apart. */
export const PERIOD_MINUTES_MIN = 5

const EXPRESSION_CHARACTERS_MAX = 200
const MINUTE_MS = 60_000
const JITTER_SECONDS_MAX = 59

// The horizon over which the period is looked at begins in a leap year, and has more times than any
// day of a schedule that is slow enough.
const HORIZON_START = new Date('2024-01-01T00:00:00Z')
const HORIZON_TIMES_MAX = 600
const HORIZON_MS = 5 * 366 * 24 * 60 * MINUTE_MS

/** Reads a schedule that shall be set; a message is a whole sentence. */
export function readSchedule(expression: string, timeZone: string): ScheduleReading {
  const reading = parseSchedule(expression, timeZone)
  if (!reading.ok) return reading
  const message = problemOfPace(cronOf(fieldsOf(expression), TIME_ZONE_USUAL))
  return message === undefined ? reading : { ok: false, field: 'scheduleExpression', message }
}

function parseSchedule(expression: string, timeZone: string): ScheduleReading {
  const zoneProblem = problemOfTimeZone(timeZone)
  if (zoneProblem !== undefined) return { ok: false, field: 'timeZone', message: zoneProblem }
  const problem = problemOfText(expression)
  if (problem !== undefined) return { ok: false, field: 'scheduleExpression', message: problem }
  const fields = fieldsOf(expression)
  try {
    const cron = cronOf(fields, timeZone)
    const isOnFullMinute = fields.length === 5 || /^0+$/.test(fields[0] ?? '')
    return { ok: true, schedule: { expression, timeZone, cron, isOnFullMinute } }
  } catch (error) {
    return { ok: false, field: 'scheduleExpression', message: sentenceOf(error) }
  }
}

/**
 * The next times after an instant, in order; fewer when there are no more. The times of an
 * integration, by its internal id, are moved by up to 59 seconds, always the same for one
 * integration: so not all of them start at the full hour.
 */
export function nextTimes(
  schedule: Schedule,
  after: Instant,
  count: number,
  integrationId?: string,
): Instant[] {
  const moveMs = jitterMsOf(schedule, integrationId)
  const times: Instant[] = []
  let time: Date | null = new Date(Date.parse(after) - moveMs)
  while (times.length < count) {
    time = schedule.cron.nextRun(time)
    if (time === null) break
    times.push(instantOf(time.getTime() + moveMs))
  }
  return times
}

/**
 * When the schedule of an integration, by its internal id, fires next after an instant; undefined
 * when it never does, or cannot be read any more.
 */
export function nextDueAt(
  { expression, timeZone }: { expression: string; timeZone: string },
  integrationId: string,
  after: Instant,
): Instant | undefined {
  const reading = parseSchedule(expression, timeZone)
  return reading.ok ? nextTimes(reading.schedule, after, 1, integrationId)[0] : undefined
}

function jitterMsOf({ isOnFullMinute }: Schedule, integrationId: string | undefined): number {
  if (!isOnFullMinute || integrationId === undefined) return 0
  const hash = createHash('sha256').update(integrationId).digest()
  return (hash.readUInt32BE(0) % (JITTER_SECONDS_MAX + 1)) * 1000
}

// Instants have microseconds everywhere, so that they sort as texts.
function instantOf(epochMs: number): Instant {
  return new Date(epochMs).toISOString().replace('Z', '000Z')
}

/** Says why a text is no time zone, as a sentence; undefined when it is one. */
export function problemOfTimeZone(name: string): string | undefined {
  const problem = 'This is no time zone of the IANA database, such as Europe/Berlin or UTC.'
  // An offset is no zone: clocks that are changed twice a year have none.
  if (!/^[a-z][\w/+-]*$/i.test(name)) return problem
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return undefined
  } catch {
    return problem
  }
}

function fieldsOf(expression: string): string[] {
  return expression.trim().split(/ +/)
}

function problemOfText(expression: string): string | undefined {
  if (expression.length > EXPRESSION_CHARACTERS_MAX) {
    return `A cron expression has ${EXPRESSION_CHARACTERS_MAX} characters at most.`
  }
  if (!/^[\w *,/?#-]*$/.test(expression)) return 'A cron expression has no such characters.'
  const fields = fieldsOf(expression)
  if (fields.length === 7)
    return 'A cron expression with years is not taken: leave the last field out.'
  if (fields.length !== 5 && fields.length !== 6) {
    return 'A cron expression has 5 fields (minute, hour, day, month, weekday), or 6 with seconds first.'
  }
  // The field's own sign for "any" has a place in Quartz alone, and there for two fields.
  const isMisplaced = (field: string, at: number): boolean =>
    field.includes('?') && !(field === '?' && fields.length === 6 && (at === 3 || at === 5))
  if (fields.some(isMisplaced)) {
    return 'A ? stands alone for the day of the month or of the week, in expressions of 6 fields.'
  }
  return undefined
}

function cronOf(fields: readonly string[], timeZone: string): Cron {
  const isQuartz = fields.length === 6
  const expression = fields.map((field) => (field === '?' ? '*' : field)).join(' ')
  return new Cron(expression, {
    paused: true,
    timezone: timeZone,
    mode: isQuartz ? '6-part' : '5-part',
    alternativeWeekdays: isQuartz,
    sloppyRanges: isQuartz,
    fixedTimeRule: 'no-wildcard',
  })
}

function problemOfPace(cron: Cron): string | undefined {
  let before = cron.nextRun(HORIZON_START)
  if (before === null) return 'There is no such day: this schedule never fires.'
  for (let times = 1; times < HORIZON_TIMES_MAX; times += 1) {
    const time = cron.nextRun(before)
    if (time === null || time.getTime() > HORIZON_START.getTime() + HORIZON_MS) return undefined
    if (time.getTime() - before.getTime() < PERIOD_MINUTES_MIN * MINUTE_MS) {
      return `Two runs would be less than ${PERIOD_MINUTES_MIN} minutes apart.`
    }
    before = time
  }
  return undefined
}

function sentenceOf(error: unknown): string {
  const detail = error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : ''
  return `This cron expression cannot be read: ${detail}`
}
