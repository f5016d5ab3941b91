import { USUAL_TEAM_ROLE } from '../../../formats/team/team-type.ts'
import type { Team } from '../../api/teams.ts'

/** A role that a person has in a team, or in a team above it. */
interface HeldRole {
  role: string
  /** The team above in which the person has it; undefined = in the team itself. */
  from: Pick<Team, 'id' | 'name'> | undefined
  /** The group that gives the role; undefined = the members of the team. */
  group?: string
}

/** A person with the roles that count in a team. */
export interface TeamPerson {
  emailAddress: string
  roles: HeldRole[]
}

/** A member of the organization with the roles that groups give. */
interface GroupMember {
  email: string
  teams: readonly { id: string; role: string; group: string | null }[]
}

type WithMembers = Pick<Team, 'id' | 'name' | 'members'>

/**
 * Returns who has a role in a team: its own members in their order and those in groups, then those of the teams above, of
 * the nearest first. A person appears once, with all roles.
 */
export function listPeople(
  team: WithMembers,
  above: readonly WithMembers[],
  members: readonly GroupMember[] = [],
): TeamPerson[] {
  const people = new Map<string, TeamPerson>()
  const add = (emailAddress: string, role: HeldRole): void => {
    const key = emailAddress.toLowerCase()
    const person = people.get(key) ?? { emailAddress, roles: [] }
    person.roles.push(role)
    people.set(key, person)
  }
  for (const holder of [team, ...above.toReversed()]) {
    const from = holder === team ? undefined : { id: holder.id, name: holder.name }
    for (const { emailAddress, role } of holder.members ?? []) {
      add(emailAddress, { role: role ?? USUAL_TEAM_ROLE, from })
    }
    for (const { email, teams } of members) {
      for (const { id, role, group } of teams) {
        if (id === holder.id && group !== null) add(email, { role, from, group })
      }
    }
  }
  return [...people.values()]
}
