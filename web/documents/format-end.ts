import { newDateFormat } from '../parts/date-format.ts'

const DAY_MS = 86_400_000
const DAY = newDateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

/** Returns the last day of a format (`DPS`) and the days left, in UTC. */
export function endText(format: string, endsOn: string, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const last = DAY.format(Date.parse(endsOn))
  const days = (Date.parse(endsOn) - Date.parse(today)) / DAY_MS
  if (days < 0) return `${format} was accepted until ${last}: you can only save the conversion`
  if (days === 0) return `Today is the last day that ${format} is accepted (${last}, UTC)`
  const left = days === 1 ? '1 day left' : `${days} days left`
  return `${format} is accepted until ${last}: ${left}`
}
