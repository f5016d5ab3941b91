import { Bot, KeyRound } from 'lucide-react'
import { Avatar, IconAvatar } from '../parts/avatar.tsx'

interface ActorAvatarProps {
  /** Such as `user:<uuid>`, `api-key:<uuid>`, `system`. */
  principal: string
  name: string
}

/** The avatar of an actor: initials of a person, a key of an API key, otherwise the catalog's own. */
export function ActorAvatar({ principal, name }: ActorAvatarProps) {
  if (principal.startsWith('user:')) return <Avatar name={name} id={principal} kind="person" />
  const Icon = principal.startsWith('api-key:') ? KeyRound : Bot
  return (
    <IconAvatar>
      <Icon size={14} />
    </IconAvatar>
  )
}
