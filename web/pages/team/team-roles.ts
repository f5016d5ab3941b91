import { USUAL_TEAM_ROLE } from '../../../formats/team/team-type.ts'
import type { Team } from '../../api/teams.ts'

/** A role that a person has in a team, or in a team above it. */
interface HeldRole {
  role: string
  /** The team above in which the person has it; undefined = in the team itself. */
  from: Pick<Team, 'id' | 'name'> | undefined
}

/** A person with the roles that count in a team. */
export interface TeamPerson {
  emailAddress: string
  roles: HeldRole[]
}

type WithMembers = Pick<Team, 'id' | 'name' | 'members'>

/**
 * Returns who has a role in a team: its own members in their order, then those of the teams above, of
 * the nearest first. A person appears once, with all roles.
 */
export function listPeople(team: WithMembers, above: readonly WithMembers[]): TeamPerson[] {
  const people = new Map<string, TeamPerson>()
  for (const holder of [team, ...above.toReversed()]) {
    for (const { emailAddress, role } of holder.members ?? []) {
      const key = emailAddress.toLowerCase()
      const person = people.get(key) ?? { emailAddress, roles: [] }
      const from = holder === team ? undefined : { id: holder.id, name: holder.name }
      person.roles.push({ role: role ?? USUAL_TEAM_ROLE, from })
      people.set(key, person)
    }
  }
  return [...people.values()]
}
