/** Returns a day in the reader's zone, `YYYY-MM-DD`, that many days after a time, by default now. */
export function getDayAfter(days: number, time = new Date()): string {
  const day = new Date(time.getFullYear(), time.getMonth(), time.getDate() + days, 12)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** Returns the instant at which a last day ends in the reader's zone. */
export function getEnd(lastDay: string): string {
  const [year = 0, month = 1, day = 1] = lastDay.split('-').map(Number)
  return new Date(year, month - 1, day + 1).toISOString()
}

/** Returns the last day before an instant in the reader's zone. */
export function getLastDay(end: string): string {
  // The end of a day belongs to it; any other instant is on its day.
  return getDayAfter(0, new Date(Date.parse(end) - 1))
}
