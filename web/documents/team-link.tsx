import { useTeams, type Team } from '../api/teams.ts'
import { Avatar, DomainSpot } from '../parts/avatar.tsx'
import { NameLink, Link } from '../parts/link.tsx'
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

/**
 * Returns the id and the name of the domain that a document names: of the team with that id, otherwise
 * of the domain team with that name, otherwise the word itself. The server resolves it in the same order.
 */
export function resolveDomain(
  teams: readonly Pick<Team, 'id' | 'name' | 'type'>[],
  domain: string,
): { id: string; name: string } {
  const named = domain.toLowerCase()
  const team =
    teams.find(({ id }) => id === domain) ??
    teams.find(({ name, type }) => type === 'Domain' && name.toLowerCase() === named)
  return { id: team?.id ?? domain, name: team?.name ?? domain }
}

/** A link to the products of the domain that a document names, by its name and in its colour. */
export function DomainLink({ domain }: { domain: string }) {
  const { id, name } = resolveDomain(useTeams() ?? [], domain)
  return (
    <Link
      href={paths.domain(id)}
      className="inline-flex min-h-6 max-w-full min-w-6 items-center gap-1.5"
    >
      <DomainSpot id={id} />
      <span className="user-text line-clamp-1">{name}</span>
    </Link>
  )
}
