import { useTeams } from '../../api/teams.ts'
import { Link } from '../../parts/link.tsx'
import { paths } from '../../paths.ts'

/** A link to a team by its name; until that is known, by its id. */
export function TeamLink({ id }: { id: string }) {
  const name = useTeams()?.find((team) => team.id === id)?.name
  return (
    <Link href={paths.team(id)} className="user-text">
      {name ?? id}
    </Link>
  )
}
