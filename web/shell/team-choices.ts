import type { Choice } from '../parts/choices.ts'
import { teamTree, type PlacedTeam } from '../api/team-tree.ts'
import type { Team } from '../api/teams.ts'

type ListedTeam = Pick<Team, 'id' | 'name' | 'parent'>

/**
 * Returns the teams as choices in the order of their tree, each with its id. `findReason` returns why
 * a team cannot be chosen; undefined = it can. A current `value` that is not a team is offered as it is,
 * so that it can be seen.
 */
export function toTeamChoices(
  teams: readonly ListedTeam[],
  value: string,
  findReason: (id: string) => string | undefined = () => undefined,
): Choice[] {
  const choices = teamTree(teams).flatMap((placed) => flatten(placed, 0, findReason))
  if (value === '' || teams.length === 0 || teams.some(({ id }) => id === value)) return choices
  return [{ value, label: value, detail: 'Unknown team' }, ...choices]
}

function flatten(
  { team, below }: PlacedTeam<ListedTeam>,
  depth: number,
  findReason: (id: string) => string | undefined,
): Choice[] {
  const { id, name } = team
  const choice = { value: id, label: name, detail: id, depth, reason: findReason(id) }
  return [choice, ...below.flatMap((one) => flatten(one, depth + 1, findReason))]
}
