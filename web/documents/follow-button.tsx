import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { api, client, type Schemas } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { numberText } from '../parts/number-text.ts'
import { Tooltip } from '../parts/tooltip.tsx'
import { useAction } from '../shell/action.ts'

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

/** Follows a subject or ends it, and shows the number of followers. */
export function FollowButton({ kind, id, label = 'Follow' }: FollowButtonProps) {
  const subject = { kind, id }
  const { data } = useQuery(followQuery(subject))
  const change = useChange(subject)
  const isFollowing = data !== undefined && isFollowed(data)
  // The button is shown while the query loads, to avoid a layout shift. Following twice has no effect.
  return (
    <Tooltip text={data && describe(data)}>
      <Button
        icon={isFollowing ? BellRing : Bell}
        busy={change.isPending}
        className="min-w-28"
        onClick={() => change.run(data ?? UNKNOWN)}
      >
        {isFollowing ? 'Following' : label}{' '}
        {kind !== 'search' && (
          <span className="text-muted tabular-nums">{numberText(data?.count ?? 0)}</span>
        )}
      </Button>
    </Tooltip>
  )
}

const UNKNOWN: FollowState = { count: 0, state: 'none', followsBecause: null }

function isFollowed({ state, followsBecause }: FollowState): boolean {
  return state === 'following' || (state === 'none' && followsBecause !== null)
}

function describe({ state, followsBecause }: FollowState): string | undefined {
  if (state === 'muted') return 'You muted it: you are not notified of its changes.'
  if (state === 'following' || followsBecause === null) return undefined
  return followsBecause === 'owner'
    ? 'You follow it because you are a member of the team that owns it.'
    : 'You follow it because you or your team read it.'
}

// What is followed by default can only be muted.
function useChange(subject: FollowSubject) {
  return useAction({
    async request(state: FollowState) {
      const isDefault = state.followsBecause !== null
      const ends = isFollowed(state) ? !isDefault : isDefault && state.state === 'muted'
      if (ends) await client.DELETE('/ui/follow', { params: { query: { ...subject } } })
      else await client.PUT('/ui/follow', { body: { ...subject, muted: isFollowed(state) } })
    },
    problemAsNotice: true,
    refresh: FOLLOW_DATA,
  })
}
