import { newDateFormat } from '../../parts/date-format.ts'

/**
 * Schedules in plain words (every hour, every day at six) and as cron expressions. Any other schedule is
 * typed as a cron expression.
 */

/** The frequency of a schedule; `hand` = manually. */
export type Rhythm = 'hand' | 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'cron'

/** A schedule in plain words. */
export interface SchedulePlan {
  rhythm: Rhythm
  /** `06:00`, for frequencies with a time of day. */
  time: string
  /** 0 = Sunday, for a weekly schedule. */
  weekday: number
}

/** The days of the week, indexed by their numbers in cron. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

const USUAL: SchedulePlan = { rhythm: 'hand', time: '06:00', weekday: 1 }

/** Parses a cron expression; an empty one means manually. */
export function parseCron(expression: string): SchedulePlan {
  const text = expression.trim()
  if (text === '') return USUAL
  const fields = text.split(/ +/)
  const [minute = '', hour = '', day, month, weekday = ''] = fields
  if (fields.length !== 5 || day !== '*' || month !== '*') return { ...USUAL, rhythm: 'cron' }
  if (minute === '0' && hour === '*' && weekday === '*') return { ...USUAL, rhythm: 'hourly' }
  if (!/^[1-5]?\d$/.test(minute) || !/^(1?\d|2[0-3])$/.test(hour)) {
    return { ...USUAL, rhythm: 'cron' }
  }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (weekday === '*') return { ...USUAL, rhythm: 'daily', time }
  if (weekday === '1-5') return { ...USUAL, rhythm: 'weekdays', time }
  if (/^[0-6]$/.test(weekday)) return { rhythm: 'weekly', time, weekday: Number(weekday) }
  return { ...USUAL, rhythm: 'cron' }
}

/** Formats a plan as a cron expression of five fields; empty = manually. `written` is returned for `cron`. */
export function formatCron({ rhythm, time, weekday }: SchedulePlan, written: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  switch (rhythm) {
    case 'hand':
      return ''
    case 'hourly':
      return '0 * * * *'
    case 'daily':
      return `${minutes} ${hours} * * *`
    case 'weekdays':
      return `${minutes} ${hours} * * 1-5`
    case 'weekly':
      return `${minutes} ${hours} * * ${weekday}`
    case 'cron':
      return written
  }
}

/** Describes when a schedule runs: `every day at 06:00`. */
export function scheduleWords(expression: string | null): string {
  const { rhythm, time, weekday } = parseCron(expression ?? '')
  switch (rhythm) {
    case 'hand':
      return 'manually'
    case 'hourly':
      return 'every hour'
    case 'daily':
      return `every day at ${time}`
    case 'weekdays':
      return `Monday to Friday at ${time}`
    case 'weekly':
      return `every ${WEEKDAYS[weekday] ?? 'week'} at ${time}`
    case 'cron':
      return `by cron expression ${expression ?? ''}`
  }
}

/** Formats an instant in a time zone: `3 Mar 2027, 06:00`. */
export function timeInZone(instant: string, timeZone: string): string {
  const shown = { dateStyle: 'medium', timeStyle: 'short' } as const
  const date = new Date(instant)
  try {
    return newDateFormat({ ...shown, timeZone }).format(date)
  } catch {
    // A browser can lack a time zone that the server has.
    return `${newDateFormat({ ...shown, timeZone: 'UTC' }).format(date)} UTC`
  }
}
