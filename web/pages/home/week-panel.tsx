import { useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { ActivityGroup, ActivityList } from '../../documents/activity-group.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { withoutRepetitions } from './highlights.ts'

const DAYS = 7
const BREAKING_MAX = 4
const DAY_MS = 86_400_000

/** The changes of the week that matter most: breaking ones, then the newest. */
export function WeekPanel({ activity }: { activity: Answer<'/ui/home', 'get'>['activity'] }) {
  const { breaking } = activity
  const latest = withoutRepetitions(activity.latest, breaking)
  const isQuiet = breaking.length + latest.length === 0
  const [since] = useState(() => new Date(Date.now() - DAYS * DAY_MS))
  const week = { since: since.toISOString() }
  return (
    <Panel
      flush
      title="This week"
      actions={
        !isQuiet && (
          <Link href={paths.activity()} className="text-sm">
            See all activity
          </Link>
        )
      }
    >
      {isQuiet && (
        <Empty title="No changes in the last 7 days">
          Changes of data products, contracts and teams appear here.
        </Empty>
      )}
      {breaking.length > 0 && (
        <section aria-label="Breaking changes" className="border-b border-line py-2 last:border-0">
          <h3 className="flex flex-wrap items-baseline justify-between gap-x-3 px-4 py-1 text-sm text-muted">
            Breaking changes
            {breaking.length > BREAKING_MAX && (
              <Link
                href={paths.activity({ level: 'breaking', from: formatDate(since) })}
                className="font-normal"
              >
                All breaking changes
              </Link>
            )}
          </h3>
          <ol>
            {breaking.slice(0, BREAKING_MAX).map((group) => (
              <ActivityGroup
                key={`${group.minute} ${group.actor}`}
                group={group}
                query={{ ...week, level: ['breaking'] }}
                isDated
              />
            ))}
          </ol>
        </section>
      )}
      <ActivityList groups={latest} query={week} />
    </Panel>
  )
}

// The day of the reader, as the activity page has it in its address.
function formatDate(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
