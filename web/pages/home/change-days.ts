/** Whatever happened at an instant. */
interface Happened {
  at: string
}

/** What happened on one day in the reader's zone. */
export interface Day<Change> {
  /** In the reader's words: `Today`, `Yesterday`, `Monday, 16 November`. */
  title: string
  /** The latest first, as they were given. */
  changes: Change[]
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })

/** Puts changes, the latest first, under the days on which they happened. */
export function daysOf<Change extends Happened>(
  changes: readonly Change[],
  now: Date,
): Day<Change>[] {
  const days: Day<Change>[] = []
  for (const change of changes) {
    const title = titleOf(new Date(change.at), now)
    const last = days.at(-1)
    if (last?.title === title) last.changes.push(change)
    else days.push({ title, changes: [change] })
  }
  return days
}

function titleOf(day: Date, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day.toDateString() === now.toDateString()) return 'Today'
  return day.toDateString() === yesterday.toDateString() ? 'Yesterday' : DAY.format(day)
}
