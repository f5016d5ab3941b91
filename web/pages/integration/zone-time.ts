import { newDateFormat } from '../../parts/date-format.ts'

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
