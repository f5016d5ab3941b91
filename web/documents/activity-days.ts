import { newDateFormat } from '../parts/date-format.ts'

/** Something that happened in a minute. */
interface Happened {
  minute: string
}

/** The groups of one day in the reader's time zone. */
interface ActivityDay<Group> {
  /** `Today`, `Yesterday`, `Monday 16 November`; with the year when it is not this one. */
  title: string
  /** In the order given. */
  groups: Group[]
}

const DAY = newDateFormat({ weekday: 'long', day: 'numeric', month: 'long' })

/** Splits groups, the latest first, into the days on which they happened. */
export function splitIntoDays<Group extends Happened>(
  groups: readonly Group[],
  now: Date,
): ActivityDay<Group>[] {
  const days: ActivityDay<Group>[] = []
  for (const group of groups) {
    const title = formatDay(new Date(group.minute), now)
    const last = days.at(-1)
    if (last?.title === title) last.groups.push(group)
    else days.push({ title, groups: [group] })
  }
  return days
}

function formatDay(day: Date, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day.toDateString() === now.toDateString()) return 'Today'
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday'
  const year = day.getFullYear()
  return `${DAY.format(day)}${year === now.getFullYear() ? '' : ` ${year}`}`
}
