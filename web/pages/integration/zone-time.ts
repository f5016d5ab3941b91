/** An instant by the clocks of a time zone: `Mon, 3 Mar 2027, 06:00`. */
export function timeInZone(instant: string, timeZone: string): string {
  const shown = { dateStyle: 'medium', timeStyle: 'short' } as const
  const date = new Date(instant)
  try {
    return new Intl.DateTimeFormat(undefined, { ...shown, timeZone }).format(date)
  } catch {
    // A browser may not know a zone that the server knows.
    return `${new Intl.DateTimeFormat(undefined, { ...shown, timeZone: 'UTC' }).format(date)} UTC`
  }
}
