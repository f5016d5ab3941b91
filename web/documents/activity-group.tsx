import { ChevronRight, Bot, KeyRound } from 'lucide-react'
import { useId, useState } from 'react'
import { api, type Schemas } from '../api/client.ts'
import { BY_NEXT } from '../api/next-page.ts'
import { Avatar, IconAvatar } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { classNames } from '../parts/class-names.ts'
import { newDateFormat } from '../parts/date-format.ts'
import { Loaded } from '../parts/loaded.tsx'
import { numberText } from '../parts/number-text.ts'
import { Status } from '../parts/status.tsx'
import { exactTime } from '../parts/time.tsx'
import { ChangeLine, ChangeMarks, ChangeSubject } from './activity-change.tsx'
import { splitIntoDays } from './activity-days.ts'
import { describeChange, describeTallies } from './activity-words.ts'

/** The changes of one actor in one minute. */
type Group = Schemas['ActivityGroup']

/** The filters of a list of activity, as the API takes them. */
export interface ActivityQuery {
  kind?: Schemas['ActivityChange']['kind'][]
  level?: NonNullable<Schemas['ActivityChange']['level']>[]
  actor?: string
  team?: string
  since?: string
  until?: string
}

const CLOCK = newDateFormat({ hour: '2-digit', minute: '2-digit' })
const DAY_AND_CLOCK = newDateFormat({
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const FORMER = 'A former member or key'

interface ActivityGroupProps {
  group: Group
  /** The filters under which the group was listed: its other changes are listed under the same. */
  query: ActivityQuery
  /** Whether its day is shown too, for lists that are not split into days. */
  isDated?: boolean
}

/** A group of activity: one change as a sentence, several as a summary that opens. */
export function ActivityGroup({ group, query, isDated = false }: ActivityGroupProps) {
  const { minute, actor, total } = group
  const name = group.actorName ?? FORMER
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-2">
      <ActorAvatar principal={actor} name={name} />
      <div className="min-w-0 pt-0.5">
        {total === 1 ? (
          <OneChange group={group} name={name} />
        ) : (
          <ManyChanges group={group} name={name} query={query} />
        )}
      </div>
      <time dateTime={minute} title={exactTime(minute)} className="pt-1 text-sm text-faint">
        {(isDated ? DAY_AND_CLOCK : CLOCK).format(new Date(minute))}
      </time>
    </li>
  )
}

function OneChange({ group, name }: { group: Group; name: string }) {
  const [change] = group.changes
  if (change === undefined) return null
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-1.5">
      <span className="user-text font-medium">{name}</span>
      <span className="text-muted">{describeChange(change)}</span>
      <ChangeSubject change={change} />
      <ChangeMarks change={change} />
    </p>
  )
}

function ManyChanges({ group, name, query }: ActivityGroupProps & { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const { total, breaking, tallies, changes } = group
  const breakingFirst = changes.filter(({ level }) => level === 'breaking')
  return (
    <>
      <Button
        look="quiet"
        aria-expanded={isOpen}
        aria-controls={listId}
        className="-ml-2 min-h-7! max-w-full items-start! px-2! py-0.5 text-left font-normal! whitespace-normal!"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="min-w-0">
          <span className="user-text font-medium">{name}</span>{' '}
          <span className="text-muted">{describeTallies(tallies)}</span>{' '}
          {breaking > 0 && <Status tone="critical">{numberText(breaking)} breaking</Status>}
        </span>
        <ChevronRight
          size={14}
          aria-hidden
          className={classNames('mt-1 transition-transform duration-120', isOpen && 'rotate-90')}
        />
      </Button>
      <div id={listId}>
        {isOpen ? (
          <div className="animate-reveal">
            {total <= changes.length ? (
              <Changes changes={changes} />
            ) : (
              <AllChanges group={group} query={query} />
            )}
          </div>
        ) : (
          breakingFirst.length > 0 && <Changes changes={breakingFirst} />
        )}
      </div>
    </>
  )
}

function Changes({ changes }: { changes: Group['changes'] }) {
  return (
    <ul className="mt-0.5 grid">
      {changes.map((change) => (
        <ChangeLine
          key={`${change.at} ${change.kind} ${change.id} ${change.version} ${change.action}`}
          change={change}
        />
      ))}
    </ul>
  )
}

function AllChanges({ group: { minute, actor, total }, query }: ActivityGroupProps) {
  const list = api.useInfiniteQuery(
    'get',
    '/ui/activity/changes',
    { params: { query: { ...query, minute, actor } } },
    { ...BY_NEXT, select: ({ pages }) => pages.flatMap((page) => page.changes) },
  )
  const left = total - (list.data?.length ?? 0)
  return (
    <Loaded
      query={list}
      skeleton={{ lines: 5, isFlush: true, label: 'Loading the changes' }}
      more={{ label: `Show more (${numberText(left)} left)`, className: 'mt-1' }}
    >
      {(changes) => <Changes changes={changes} />}
    </Loaded>
  )
}

interface ActorAvatarProps {
  /** Such as `user:<uuid>`, `api-key:<uuid>`, `system`. */
  principal: string
  name: string
}

/** The avatar of an actor: initials of a person, a key of an API key, otherwise the catalog's own. */
function ActorAvatar({ principal, name }: ActorAvatarProps) {
  if (principal.startsWith('user:')) return <Avatar name={name} id={principal} kind="person" />
  const Icon = principal.startsWith('api-key:') ? KeyRound : Bot
  return (
    <IconAvatar>
      <Icon size={14} />
    </IconAvatar>
  )
}

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
