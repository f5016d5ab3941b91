import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff, BellRing } from 'lucide-react'
import { api, client, type Schemas } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { numberText } from '../parts/number-text.ts'
import { Tooltip } from '../parts/tooltip.tsx'
import { useAction } from '../shell/action.ts'
import { describeFollow } from './follow-words.ts'

type FollowState = Schemas['FollowState']

/** A subject that can be followed. */
interface FollowSubject {
  kind: Schemas['FollowForm']['kind']
  id: string
}

/** Returns the query for whether the user follows a subject. */
export function followQuery(subject: FollowSubject) {
  return api.queryOptions('get', '/ui/follow', { params: { query: { ...subject } } })
}

/** The data that shows what a person follows. */
export const FOLLOW_DATA = ['/ui/follow', '/ui/follows', '/ui/home'] as const

interface FollowButtonProps extends FollowSubject {
  /** The label while the user does not follow it. */
  label?: string
}

/** Follows a subject, mutes or ends it, and shows the number of followers, with the person if they follow it. */
export function FollowButton({ kind, id, label = 'Follow' }: FollowButtonProps) {
  const subject = { kind, id }
  const { data } = useQuery(followQuery(subject))
  const change = useChange(subject)
  const { word, hint, isFollowing } = describeFollow(data ?? UNKNOWN)
  const Icon = word === 'Muted' ? BellOff : isFollowing ? BellRing : Bell
  // The button is shown while the query loads, to avoid a layout shift. Following twice has no effect.
  return (
    <Tooltip text={hint}>
      <Button
        icon={Icon}
        busy={change.isPending}
        className="min-w-28"
        onClick={() => change.run(data ?? UNKNOWN)}
      >
        {word === 'Follow' ? label : word}{' '}
        {kind !== 'search' && (
          <span className="text-muted tabular-nums">{numberText(data?.count ?? 0)}</span>
        )}
      </Button>
    </Tooltip>
  )
}

const UNKNOWN: FollowState = { count: 0, state: 'none', followsBecause: null }

function useChange(subject: FollowSubject) {
  return useAction({
    async request(state: FollowState) {
      const { click } = describeFollow(state)
      if (click === 'forget')
        await client.DELETE('/ui/follow', { params: { query: { ...subject } } })
      else await client.PUT('/ui/follow', { body: { ...subject, muted: click === 'mute' } })
    },
    notice: (_, state) => describeFollow(state).notice,
    problemAsNotice: true,
    refresh: FOLLOW_DATA,
  })
}
