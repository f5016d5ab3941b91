// Cron expressions of five fields, or of six with seconds first as in Quartz (`0 0 6 * * ?`), in a time zone.

import { Cron } from 'croner'

/** The default time zone of schedules. */
export const TIME_ZONE_USUAL = 'UTC'

const EXPRESSION_CHARACTERS_MAX = 200

/** Returns the problem of a cron expression as a sentence; undefined if it has the right form. */
export function findCronProblem(expression: string): string | undefined {
  if (expression.length > EXPRESSION_CHARACTERS_MAX) {
    return `A cron expression has at most ${EXPRESSION_CHARACTERS_MAX} characters.`
  }
  if (!/^[\w *,/?#-]*$/.test(expression)) return 'The cron expression contains invalid characters.'
  const fields = splitFields(expression)
  if (fields.length === 7)
    return 'Years are not supported in a cron expression: remove the last field.'
  if (fields.length !== 5 && fields.length !== 6) {
    return 'A cron expression has 5 fields (minute, hour, day, month, weekday), or 6 with seconds first.'
  }
  // The sign for "any" is only valid in Quartz expressions, for two fields.
  const isMisplaced = (field: string, at: number): boolean =>
    field.includes('?') && !(field === '?' && fields.length === 6 && (at === 3 || at === 5))
  if (fields.some(isMisplaced)) {
    return 'Use ? only for the day of the month or of the week, in expressions of 6 fields.'
  }
  return undefined
}

/** Returns the problem of a time zone as a sentence; undefined if it is valid. */
export function findTimeZoneProblem(name: string): string | undefined {
  const problem =
    'Unknown time zone. Use a name from the IANA database, such as Europe/Berlin or UTC.'
  // An offset is not a zone, as it has no daylight saving time.
  if (!/^[a-z][\w/+-]*$/i.test(name)) return problem
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return undefined
  } catch {
    return problem
  }
}

/** Returns whether an expression fires on full minutes. */
export function isOnFullMinute(expression: string): boolean {
  const fields = splitFields(expression)
  return fields.length === 5 || /^0+$/.test(fields[0] ?? '')
}

/**
 * Creates the times of an expression of the right form. A time of day that is missing because clocks go forward is moved to
 * the end of the gap; of a repeated time the first is used. An expression with steps or wildcards in minutes or hours is a
 * period and not a time of day: it continues through both. Errors: those of croner, for invalid fields.
 */
export function createCron(expression: string, timeZone: string): Cron {
  const fields = splitFields(expression)
  const isQuartz = fields.length === 6
  const text = fields.map((field) => (field === '?' ? '*' : field)).join(' ')
  return new Cron(text, {
    paused: true,
    // Without a named zone, croner computes the same times with a quarter of the work.
    ...(timeZone === TIME_ZONE_USUAL ? { utcOffset: 0 } : { timezone: timeZone }),
    mode: isQuartz ? '6-part' : '5-part',
    alternativeWeekdays: isQuartz,
    sloppyRanges: isQuartz,
    fixedTimeRule: 'no-wildcard',
  })
}

function splitFields(expression: string): string[] {
  return expression.trim().split(/ +/)
}
