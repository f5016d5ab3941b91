import { newDateFormat } from './date-format.ts'

const EXACT = newDateFormat({ dateStyle: 'medium', timeStyle: 'medium' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Returns the distance of an instant from now: `3 days ago`. */
export function ago(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.round(seconds / length), unit)
  }
  return 'just now'
}

/** An instant as its distance from now; the exact local time is its title. */
export function Time({ at }: { at: string | null | undefined }) {
  if (at === null || at === undefined || Number.isNaN(Date.parse(at))) return <span>never</span>
  return (
    <time dateTime={at} title={EXACT.format(new Date(at))} className="whitespace-nowrap">
      {ago(at)}
    </time>
  )
}

/** An instant in full, in the reader's zone. */
export function exactTime(instant: string): string {
  return EXACT.format(new Date(instant))
}

/** A span of time in words: `1 min 12 s`, `840 ms`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
