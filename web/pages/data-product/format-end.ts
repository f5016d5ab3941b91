const DAY_MS = 86_400_000
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Says when DPS ends, and how many days are left until that day; days are those of UTC. */
export function endText(endsOn: string, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const days = (Date.parse(endsOn) - Date.parse(today)) / DAY_MS
  if (days < 0)
    return `DPS was taken until ${DAY.format(Date.parse(endsOn))}: only the conversion can be saved`
  if (days === 0)
    return `Today is the last day on which DPS is taken (${DAY.format(Date.parse(endsOn))}, UTC)`
  const left = days === 1 ? '1 day is left' : `${days} days are left`
  return `DPS is taken until ${DAY.format(Date.parse(endsOn))}: ${left}`
}
