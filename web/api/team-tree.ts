import type { Team } from './teams.ts'

/** A team with the teams below it. */
export interface PlacedTeam<Node = Team> {
  team: Node
  below: PlacedTeam<Node>[]
}

/** Returns teams as a tree, in the order of the list. Teams without a known parent are at the top. */
export function teamTree<Node extends Pick<Team, 'id' | 'parent'>>(
  teams: readonly Node[],
): PlacedTeam<Node>[] {
  const placed = new Map(teams.map((team) => [team.id, placedTeam(team)]))
  const top: PlacedTeam<Node>[] = []
  for (const one of placed.values()) {
    const parent = placed.get(one.team.parent ?? '')
    ;(parent === undefined ? top : parent.below).push(one)
  }
  return top
}

function placedTeam<Node>(team: Node): PlacedTeam<Node> {
  return { team, below: [] }
}

/** The teams above one, outermost first. */
export function teamsAbove(teams: readonly Team[], id: string): Team[] {
  const byId = new Map(teams.map((team) => [team.id, team]))
  const above: Team[] = []
  let parent = byId.get(byId.get(id)?.parent ?? '')
  while (parent !== undefined && !above.includes(parent)) {
    above.unshift(parent)
    parent = byId.get(parent.parent ?? '')
  }
  return above
}

/** The ids of a team and of all teams below it: none of these can be its parent. */
export function withTeamsBelow(teams: readonly Team[], id: string): ReadonlySet<string> {
  const found = new Set([id])
  const childrenByParent = Map.groupBy(teams, ({ parent }) => parent ?? '')
  // What is added while it is gone through is gone through too.
  for (const one of found) {
    for (const child of childrenByParent.get(one) ?? []) found.add(child.id)
  }
  return found
}
