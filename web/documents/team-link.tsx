import { useTeams } from '../api/teams.ts'
import { Avatar } from '../parts/avatar.tsx'
import { NameLink } from '../parts/link.tsx'
import { paths } from '../paths.ts'

interface TeamLinkProps {
  id: string
  /** Undefined = looked up; until it is loaded, the id is shown. */
  name?: string | null | undefined
}

/** A link to a team, with its avatar. */
export function TeamLink({ id, name }: TeamLinkProps) {
  const found = useTeams()?.find((team) => team.id === id)?.name
  const shown = name ?? found ?? id
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle">
      <Avatar name={shown} id={id} kind="team" size="small" />
      <NameLink href={paths.team(id)} name={shown} lines={1} />
    </span>
  )
}
