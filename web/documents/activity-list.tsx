import { useState } from 'react'
import { splitIntoDays } from './activity-days.ts'
import { ActivityGroup, type ActivityQuery, type Group } from './activity-group.tsx'

interface ActivityListProps {
  groups: readonly Group[]
  query: ActivityQuery
}

/** Groups of activity, the newest first, day by day. */
export function ActivityList({ groups, query }: ActivityListProps) {
  // Read once: a list that stays open past midnight keeps the days that it was loaded with.
  const [now] = useState(() => new Date())
  return splitIntoDays(groups, now).map(({ title, groups: ofDay }) => (
    <section key={title} aria-label={title} className="border-b border-line py-2 last:border-0">
      <h3 className="px-4 py-1 text-sm text-muted">{title}</h3>
      <ol>
        {ofDay.map((group) => (
          <ActivityGroup key={`${group.minute} ${group.actor}`} group={group} query={query} />
        ))}
      </ol>
    </section>
  ))
}
