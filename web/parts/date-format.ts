// `3 Mar 2027, 06:00` cannot be misread, wherever the reader is.
const LOCALE = 'en-GB'

/** Creates a format for dates and times, so that all pages write them alike. */
export function newDateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, options)
}

const DAY = newDateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

/** A day without a time, as `3 Mar 2027`. */
export function dayText(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`))
}
